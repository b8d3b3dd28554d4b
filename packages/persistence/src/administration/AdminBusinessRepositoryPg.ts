/** The domain's `AdminBusinessRepository` on PostgreSQL. */
import { Array, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import {
  AdminBusiness,
  AdminBusinessInput,
  AdminBusinessRepository,
  type BusinessId,
  slugTaken
} from "@livery/domain"
import { columnsOf, columnsSetBy, valuesOf } from "../sql/Columns.ts"
import { pagesOf } from "../sql/Pages.ts"
import { instant, rowsAs } from "../sql/Rows.ts"
import { containing } from "../sql/Search.ts"
import { makeUsageCounts } from "./UsageCountsPg.ts"

const businesses = rowsAs(AdminBusiness)
const pageOfBusinesses = pagesOf(AdminBusiness)

/** The columns that super-admins set. */
const setByAdmins = columnsSetBy(AdminBusinessInput, AdminBusiness)

export const layer = Layer.effect(
  AdminBusinessRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(columnsOf(AdminBusiness))
    const counts = makeUsageCounts(sql)

    const one = (businessId: BusinessId, lock: Statement.Fragment) =>
      Effect.map(
        businesses(sql`SELECT ${columns} FROM businesses WHERE business_id = ${businessId} ${lock}`),
        Array.head
      )

    const matching = (search: string | null) => {
      if (search === null) return sql`true`
      const pattern = containing(search)
      return sql`(business_name ILIKE ${pattern} OR business_email ILIKE ${pattern} OR vendor_slug ILIKE ${pattern})`
    }

    const set = (businessId: BusinessId, row: Record<string, unknown>) =>
      sql<object>`UPDATE businesses SET ${sql.update(row)} WHERE business_id = ${businessId} RETURNING ${columns}`

    const stored = Effect.fnUntraced(function* (rows: ReadonlyArray<object>) {
      const [business] = yield* businesses(Effect.succeed(rows))
      return yield* Effect.orDie(Effect.fromNullishOr(business))
    })

    return AdminBusinessRepository.of({
      list: (search, page) =>
        pageOfBusinesses(sql, page, {
          columns,
          from: sql`businesses`,
          where: matching(search),
          order: sql`business_id`
        }),
      find: (businessId) => one(businessId, sql``),
      lock: (businessId) => one(businessId, sql`FOR NO KEY UPDATE`),
      update: (businessId, business, now) =>
        set(businessId, { ...valuesOf(setByAdmins, business), updated_at: instant(now) }).pipe(
          Effect.catchReason("SqlError", "UniqueViolation", () => Effect.fail(slugTaken())),
          Effect.catchTag("SqlError", Effect.die),
          Effect.flatMap(stored)
        ),
      setStatus: (businessId, status, now) =>
        Effect.flatMap(Effect.orDie(set(businessId, { status, updated_at: instant(now) })), stored),
      setCredits: (businessId, email_credits, now) =>
        Effect.flatMap(Effect.orDie(set(businessId, { email_credits, updated_at: instant(now) })), stored),
      counts
    })
  })
)
