import { Effect } from "effect"
import type { Statement } from "effect/sql"
import {
  AdminBusiness,
  AdminBusinessInput,
  AdminBusinessRepository,
  type BusinessId,
  slugTaken
} from "@livery/domain"
import { columnsOf, columnsSetBy, valuesOf } from "../sql/rows/Columns.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { instant, oneRow, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { containedIn } from "../sql/lists/Search.ts"
import { searchedPagesOf } from "../sql/lists/SearchedPages.ts"
import { makeUsageCounts } from "./UsageCountsPg.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const businesses = rowsAs(AdminBusiness)
const pageOfBusinesses = pagesOf(AdminBusiness)
const pageOfMatches = searchedPagesOf(AdminBusiness)

/** The columns that super-admins set. */
const setByAdmins = columnsSetBy(AdminBusinessInput, AdminBusiness)

export const layer = onPostgres(AdminBusinessRepository, (sql) => {
  const columns = sql.literal(columnsOf(AdminBusiness))
  const counts = makeUsageCounts(sql)

  const find = (businessId: BusinessId, lock: Statement.Fragment) =>
    firstOf(businesses(sql`SELECT ${columns} FROM businesses WHERE business_id = ${businessId} ${lock}`))

  const set = (businessId: BusinessId, row: Record<string, unknown>) =>
    sql<object>`UPDATE businesses SET ${sql.update(row)} WHERE business_id = ${businessId} RETURNING ${columns}`

  /** The business of an update, from its rows. */
  const updated = Effect.fnUntraced(function* (rows: ReadonlyArray<object>) {
    return yield* oneRow(businesses(Effect.succeed(rows)))
  })

  return {
    list: (search, page) => {
      const table = sql`businesses`
      const list = { columns, where: sql`true`, order: sql`business_id` }
      const searched = ["business_name", "business_email", "vendor_slug"]
      return search === null
        ? pageOfBusinesses(sql, page, { ...list, from: table })
        : pageOfMatches(sql, page, {
            ...list,
            table,
            alias: sql`b`,
            matches: containedIn(sql, searched, search)
          })
    },
    find: (businessId) => find(businessId, sql``),
    lock: (businessId) => find(businessId, sql`FOR NO KEY UPDATE`),
    update: (businessId, business, now) =>
      set(businessId, { ...valuesOf(setByAdmins, business), updated_at: instant(now) }).pipe(
        Effect.catchReason("SqlError", "UniqueViolation", () => Effect.fail(slugTaken())),
        Effect.catchTag("SqlError", Effect.die),
        Effect.flatMap(updated)
      ),
    setStatus: (businessId, status, now) =>
      Effect.flatMap(Effect.orDie(set(businessId, { status, updated_at: instant(now) })), updated),
    setCredits: (businessId, email_credits, now) =>
      Effect.flatMap(Effect.orDie(set(businessId, { email_credits, updated_at: instant(now) })), updated),
    counts
  }
})
