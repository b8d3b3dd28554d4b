import { type BusinessId, TariffId, TariffRepository } from "@livery/domain"
import { type DateTime, Effect, Option } from "effect"
import { rowOf } from "../store/Fields.ts"
import { ascending, descending, pageOf } from "../store/Pages.ts"
import type { TariffRow } from "../store/Rows.ts"
import { pair, inMemory } from "../store/Store.ts"

const listed = ({ content: { currency, name }, created_at, tariff_id, updated_at, version }: TariffRow) => ({
  tariff_id,
  name,
  currency,
  version,
  created_at,
  updated_at
})

/** When a version begins to hold, in milliseconds. */
const startOf = (validFrom: DateTime.Utc | null) => validFrom?.epochMilliseconds ?? -Infinity

const stored = ({ deleted_at: _deleted, ...row }: TariffRow) => row

export const layer = inMemory(TariffRepository, ({ customers, step, tariffVersions, tariffs }) => {
  const ofBusiness = (businessId: BusinessId) =>
    tariffs
      .where(({ business_id, deleted_at }) => business_id === businessId && deleted_at === undefined)
      .toSorted(ascending(({ tariff_id }) => [tariff_id]))
  const versionsOf = (businessId: BusinessId, tariffId: TariffId) =>
    tariffVersions.where(({ business_id, tariff_id }) => business_id === businessId && tariff_id === tariffId)
  const find = (businessId: BusinessId, tariffId: TariffId) =>
    step(() => Option.map(Option.fromUndefinedOr(rowOf(tariffs, businessId, tariffId)), stored))
  const write = (row: TariffRow) => {
    const { business_id, content, tariff_id, updated_at, valid_from, version } = row
    tariffVersions.set(pair(tariff_id, version), {
      business_id,
      tariff_id,
      version,
      content,
      valid_from,
      created_at: updated_at
    })
    return stored(tariffs.set(row.tariff_id, row))
  }

  return {
    insert: (business_id, version, now) =>
      step(() => {
        const tariff_id = TariffId.make(tariffs.next())
        return write({ tariff_id, business_id, version: 1, ...version, created_at: now, updated_at: now })
      }),
    list: (businessId, page) => step(() => pageOf(ofBusiness(businessId).map(listed), page)),
    find,
    lock: find,
    holding: (businessId, tariffId, at, upTo = Infinity) =>
      step(() => {
        const named = ofBusiness(businessId).filter(
          ({ tariff_id }) => tariffId === null || tariff_id === tariffId
        )
        for (const { tariff_id, version: latest } of named) {
          const held = versionsOf(businessId, tariff_id)
            .filter(({ version }) => version <= upTo)
            .filter(({ valid_from }) => startOf(valid_from) <= at.epochMilliseconds)
            .toSorted(descending(({ valid_from, version }) => [startOf(valid_from), version]))[0]
          if (held !== undefined) return Option.some({ tariff_id, version: held.version, latest })
        }
        return Option.none()
      }),
    ofCustomer: (businessId, customerId) =>
      step(() => {
        const row = customers.get(customerId)
        return row?.business_id === businessId ? Option.some(row.tariff_id) : Option.none()
      }),
    versions: (businessId, tariffId, page) =>
      step(() =>
        pageOf(
          versionsOf(businessId, tariffId)
            .toSorted(descending(({ version }) => [version]))
            .map(({ content: { currency, name }, created_at, valid_from, version }) => ({
              version,
              name,
              currency,
              valid_from,
              created_at
            })),
          page
        )
      ),
    version: (businessId, { tariff_id, version }) =>
      step(() => {
        const row = tariffVersions.get(pair(tariff_id, version))
        const tariff = tariffs.get(tariff_id)
        if (row?.business_id !== businessId || tariff === undefined) return Option.none()
        const { content, created_at: updated_at, valid_from } = row
        return Option.some(stored({ ...tariff, version, content, valid_from, updated_at }))
      }),
    content: (businessId, { tariff_id, version }) =>
      step(() => {
        const row = tariffVersions.get(pair(tariff_id, version))
        return row?.business_id === businessId ? Option.some(row.content) : Option.none()
      }),
    update: (businessId, tariffId, version, now) =>
      Effect.orDie(
        Effect.flatMap(
          step(() => {
            const row = rowOf(tariffs, businessId, tariffId)
            return row && write({ ...row, ...version, version: row.version + 1, updated_at: now })
          }),
          Effect.fromNullishOr
        )
      ),
    remove: (businessId, tariffId, now) =>
      step(() => {
        if (rowOf(tariffs, businessId, tariffId)) tariffs.change(tariffId, { deleted_at: now })
      })
  }
})
