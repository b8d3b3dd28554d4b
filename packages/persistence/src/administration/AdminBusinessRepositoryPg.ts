import { Effect } from "effect"
import {
  AdminBusiness,
  AdminBusinessInput,
  AdminBusinessRepository,
  type BusinessId,
  type Page,
  slugTaken
} from "@livery/domain"
import { columnsOf, columnsSetBy, valuesOf } from "../sql/rows/Columns.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { execute, instant, oneRow, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { containedIn } from "../sql/lists/Search.ts"
import { searchedPagesOf } from "../sql/lists/SearchedPages.ts"
import { makeEmailCredits } from "../sql/EmailCredits.ts"
import { makeUsageCounts } from "./UsageCountsPg.ts"
import { lockBusiness } from "../sql/statements/BusinessLock.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const businesses = rowsAs(AdminBusiness)
const pageOfBusinesses = pagesOf(AdminBusiness)
const pageOfMatches = searchedPagesOf(AdminBusiness)

/** The columns that super-admins set. */
const setByAdmins = columnsSetBy(AdminBusinessInput, AdminBusiness)

export const layer = onPostgres(AdminBusinessRepository, (sql) => {
  const columns = sql.literal(columnsOf(AdminBusiness, undefined, { email_credits: "0" }))
  const counts = makeUsageCounts(sql)

  const emailCredits = makeEmailCredits(sql)

  const find = (businessId: BusinessId) =>
    firstOf(
      Effect.flatMap(
        businesses(sql`SELECT ${columns} FROM businesses WHERE business_id = ${businessId}`),
        emailCredits.withBalances
      )
    )

  const withBalances = (page: Page<AdminBusiness>) =>
    Effect.map(emailCredits.withBalances(page.items), (items) => ({ ...page, items }))

  const set = (businessId: BusinessId, row: Record<string, unknown>) =>
    sql<object>`UPDATE businesses SET ${sql.update(row)} WHERE business_id = ${businessId} RETURNING ${columns}`

  /** The business of an update, from its rows. */
  const updated = Effect.fnUntraced(function* (rows: ReadonlyArray<object>) {
    return yield* oneRow(Effect.flatMap(businesses(Effect.succeed(rows)), emailCredits.withBalances))
  })

  return {
    list: (search, page) => {
      const table = sql`businesses`
      const list = { columns, where: sql`true`, order: sql`business_id` }
      const searched = ["business_name", "business_email", "vendor_slug"]
      const found =
        search === null
          ? pageOfBusinesses(sql, page, { ...list, from: table })
          : pageOfMatches(sql, page, {
              ...list,
              table,
              alias: sql`b`,
              matches: containedIn(sql, searched, search)
            })
      return Effect.flatMap(found, withBalances)
    },
    find,
    lock: (businessId) => Effect.andThen(execute(lockBusiness(sql, businessId)), find(businessId)),
    update: (businessId, business, now) =>
      set(businessId, { ...valuesOf(setByAdmins, business), updated_at: instant(now) }).pipe(
        Effect.catchReason("SqlError", "UniqueViolation", () => Effect.fail(slugTaken())),
        Effect.catchTag("SqlError", Effect.die),
        Effect.flatMap(updated)
      ),
    setStatus: (businessId, status, now) =>
      Effect.flatMap(Effect.orDie(set(businessId, { status, updated_at: instant(now) })), updated),
    setCredits: (businessId, email_credits, now) =>
      Effect.andThen(
        emailCredits.set(businessId, email_credits),
        Effect.flatMap(Effect.orDie(set(businessId, { updated_at: instant(now) })), updated)
      ),
    counts
  }
})
