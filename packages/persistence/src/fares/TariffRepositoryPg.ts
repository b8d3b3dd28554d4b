import { Array, type DateTime, Effect, Schema } from "effect"
import {
  type BusinessId,
  ListedTariff,
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

export const layer = onPostgres(TariffRepository, (sql) => {
  const columns = sql.literal(columnsOf(StoredTariff, "t", { content: "v.content" }))

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
    content: Tariff,
    now: DateTime.Utc
  ) => sql`
    INSERT INTO tariff_versions ${sql.insert({
      business_id: businessId,
      tariff_id,
      version,
      content: JSON.stringify(content),
      created_at: instant(now)
    })}`

  return {
    insert: Effect.fnUntraced(function* (businessId, content, now) {
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
      yield* addVersion(businessId, version, content, now)
      return { ...version, business_id: businessId, content, created_at: now, updated_at: now }
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
    latest: (businessId, tariffId) =>
      firstOf(
        versions(sql`
          SELECT tariff_id, version FROM tariffs
          WHERE business_id = ${businessId} AND deleted_at IS NULL
            ${tariffId === null ? sql`` : sql`AND tariff_id = ${tariffId}`}
          ORDER BY tariff_id LIMIT 1`)
      ),
    content: contentOf,
    update: Effect.fnUntraced(function* (businessId, tariffId, content, now) {
      const [updated] = yield* versions(sql`
        UPDATE tariffs SET version = version + 1, name = ${content.name}, currency = ${content.currency},
          updated_at = ${instant(now)}
        WHERE ${liveTariff(businessId, tariffId)} RETURNING tariff_id, version`)
      yield* addVersion(businessId, yield* Effect.fromNullishOr(updated), content, now)
      return yield* Effect.fromOption(yield* find(businessId, tariffId))
    }, Effect.orDie),
    remove: (businessId, tariffId, now) =>
      execute(sql`UPDATE tariffs SET deleted_at = ${instant(now)} WHERE ${liveTariff(businessId, tariffId)}`)
  }
})
