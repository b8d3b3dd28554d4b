import { type BusinessId, TariffId, TariffRepository } from "@livery/domain"
import { Effect, Option } from "effect"
import { rowOf } from "../store/Fields.ts"
import { ascending, pageOf } from "../store/Pages.ts"
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

const stored = ({ deleted_at: _deleted, ...row }: TariffRow) => row

export const layer = inMemory(TariffRepository, ({ step, tariffVersions, tariffs }) => {
  const ofBusiness = (businessId: BusinessId) =>
    tariffs
      .where(({ business_id, deleted_at }) => business_id === businessId && deleted_at === undefined)
      .toSorted(ascending(({ tariff_id }) => [tariff_id]))
  const find = (businessId: BusinessId, tariffId: TariffId) =>
    step(() => Option.map(Option.fromUndefinedOr(rowOf(tariffs, businessId, tariffId)), stored))
  const write = (row: TariffRow) => {
    tariffVersions.set(pair(row.tariff_id, row.version), {
      business_id: row.business_id,
      content: row.content
    })
    return stored(tariffs.set(row.tariff_id, row))
  }

  return {
    insert: (business_id, content, now) =>
      step(() => {
        const tariff_id = TariffId.make(tariffs.next())
        return write({ tariff_id, business_id, version: 1, content, created_at: now, updated_at: now })
      }),
    list: (businessId, page) => step(() => pageOf(ofBusiness(businessId).map(listed), page)),
    find,
    lock: find,
    latest: (businessId, tariffId) =>
      step(() =>
        Option.map(
          Option.fromUndefinedOr(
            ofBusiness(businessId).find(({ tariff_id }) => tariffId === null || tariff_id === tariffId)
          ),
          ({ tariff_id, version }) => ({ tariff_id, version })
        )
      ),
    content: (businessId, { tariff_id, version }) =>
      step(() => {
        const row = tariffVersions.get(pair(tariff_id, version))
        return row?.business_id === businessId ? Option.some(row.content) : Option.none()
      }),
    update: (businessId, tariffId, content, now) =>
      Effect.orDie(
        Effect.flatMap(
          step(() => {
            const row = rowOf(tariffs, businessId, tariffId)
            return row && write({ ...row, version: row.version + 1, content, updated_at: now })
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
