import { Array, type DateTime, Effect, Schema } from "effect"
import {
  type BusinessId,
  ListedTariff,
  ListedTariffVersion,
  type NewTariffVersion,
  StoredTariff,
  Tariff,
  TariffId,
  TariffRepository,
  type TariffVersion
} from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { execute, instant, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const tariffs = rowsAs(StoredTariff)
const pageOfTariffs = pagesOf(ListedTariff)
const contents = rowsAs(Schema.Struct({ content: Schema.toType(Tariff) }))
const versions = rowsAs(Schema.Struct({ tariff_id: TariffId, version: Schema.Int }))
const holding = rowsAs(Schema.Struct({ tariff_id: TariffId, version: Schema.Int, latest: Schema.Int }))
const pageOfVersions = pagesOf(ListedTariffVersion)
const ofCustomers = rowsAs(Schema.Struct({ tariff_id: Schema.NullOr(TariffId) }))

const inVersion = { content: "v.content", valid_from: "v.valid_from" }

export const layer = onPostgres(TariffRepository, (sql) => {
  const columns = sql.literal(columnsOf(StoredTariff, "t", inVersion))

  const ofVersion = sql.literal(
    columnsOf(StoredTariff, "t", { ...inVersion, version: "v.version", updated_at: "v.created_at" })
  )

  const liveTariff = (businessId: BusinessId, tariffId: TariffId) =>
    sql`business_id = ${businessId} AND tariff_id = ${tariffId} AND deleted_at IS NULL`

  const contentOf = (businessId: BusinessId, { tariff_id, version }: TariffVersion) =>
    Effect.map(
      contents(sql`
        SELECT content FROM tariff_versions
        WHERE business_id = ${businessId} AND tariff_id = ${tariff_id} AND version = ${version}`),
      (rows) => Array.head(rows.map(({ content }) => content))
    )

  const find = (businessId: BusinessId, tariffId: TariffId) =>
    firstOf(
      tariffs(sql`
        SELECT ${columns} FROM tariffs t
        JOIN tariff_versions v ON v.business_id = ${businessId} AND v.tariff_id = t.tariff_id AND v.version = t.version
        WHERE t.business_id = ${businessId} AND t.tariff_id = ${tariffId} AND t.deleted_at IS NULL`)
    )

  const addVersion = (
    businessId: BusinessId,
    { tariff_id, version }: TariffVersion,
    { content, valid_from }: NewTariffVersion,
    now: DateTime.Utc
  ) => sql`
    INSERT INTO tariff_versions ${sql.insert({
      business_id: businessId,
      tariff_id,
      version,
      content: JSON.stringify(content),
      valid_from: valid_from === null ? null : instant(valid_from),
      created_at: instant(now)
    })}`

  return {
    insert: Effect.fnUntraced(function* (businessId, { content, valid_from }, now) {
      const row = {
        business_id: businessId,
        version: 1,
        name: content.name,
        currency: content.currency,
        created_at: instant(now),
        updated_at: instant(now)
      }
      const [inserted] = yield* versions(
        sql`INSERT INTO tariffs ${sql.insert(row)} RETURNING tariff_id, version`
      )
      const version = yield* Effect.fromNullishOr(inserted)
      yield* addVersion(businessId, version, { content, valid_from }, now)
      return { ...version, business_id: businessId, valid_from, content, created_at: now, updated_at: now }
    }, Effect.orDie),
    list: (businessId, page) =>
      pageOfTariffs(sql, page, {
        columns: sql.literal(columnsOf(ListedTariff)),
        from: sql`tariffs`,
        where: sql`business_id = ${businessId} AND deleted_at IS NULL`,
        order: sql`tariff_id`
      }),
    find,
    lock: Effect.fnUntraced(function* (businessId, tariffId) {
      // A separate statement, so that the next one sees the version that was stored while this one waited.
      yield* Effect.orDie(
        sql`SELECT tariff_id FROM tariffs WHERE ${liveTariff(businessId, tariffId)} FOR NO KEY UPDATE`
      )
      return yield* find(businessId, tariffId)
    }),
    holding: (businessId, tariffId, at, upTo) =>
      firstOf(
        holding(sql`
          SELECT t.tariff_id, held.version, t.version AS latest FROM tariffs t
          CROSS JOIN LATERAL (
            SELECT v.version FROM tariff_versions v
            WHERE v.business_id = ${businessId} AND v.tariff_id = t.tariff_id
              AND (v.valid_from IS NULL OR v.valid_from <= ${instant(at)})
              ${upTo === undefined ? sql`` : sql`AND v.version <= ${upTo}`}
            ORDER BY v.valid_from DESC NULLS LAST, v.version DESC LIMIT 1
          ) held
          WHERE t.business_id = ${businessId} AND t.deleted_at IS NULL
            ${tariffId === null ? sql`` : sql`AND t.tariff_id = ${tariffId}`}
          ORDER BY t.tariff_id LIMIT 1`)
      ),
    ofCustomer: (businessId, customerId) =>
      Effect.map(
        ofCustomers(sql`
          SELECT tariff_id FROM customers WHERE business_id = ${businessId} AND customer_id = ${customerId}`),
        (rows) => Array.head(rows.map(({ tariff_id }) => tariff_id))
      ),
    versions: (businessId, tariffId, page) =>
      pageOfVersions(sql, page, {
        columns: sql.literal(
          columnsOf(ListedTariffVersion, "v", {
            name: "v.content ->> 'name'",
            currency: "v.content ->> 'currency'"
          })
        ),
        from: sql`tariff_versions v`,
        where: sql`v.business_id = ${businessId} AND v.tariff_id = ${tariffId}`,
        order: sql`v.version DESC`
      }),
    version: (businessId, { tariff_id, version }) =>
      firstOf(
        tariffs(sql`
          SELECT ${ofVersion} FROM tariff_versions v
          JOIN tariffs t ON t.business_id = ${businessId} AND t.tariff_id = v.tariff_id
          WHERE v.business_id = ${businessId} AND v.tariff_id = ${tariff_id} AND v.version = ${version}`)
      ),
    content: contentOf,
    update: Effect.fnUntraced(function* (businessId, tariffId, version, now) {
      const { content } = version
      const [updated] = yield* versions(sql`
        UPDATE tariffs SET version = version + 1, name = ${content.name}, currency = ${content.currency},
          updated_at = ${instant(now)}
        WHERE ${liveTariff(businessId, tariffId)} RETURNING tariff_id, version`)
      yield* addVersion(businessId, yield* Effect.fromNullishOr(updated), version, now)
      return yield* Effect.fromOption(yield* find(businessId, tariffId))
    }, Effect.orDie),
    remove: (businessId, tariffId, now) =>
      execute(sql`UPDATE tariffs SET deleted_at = ${instant(now)} WHERE ${liveTariff(businessId, tariffId)}`)
  }
})
