import { AdminUser, AdminUserRepository } from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { containedIn } from "../sql/lists/Search.ts"
import { searchedPagesOf } from "../sql/lists/SearchedPages.ts"
import { withValues } from "../sql/lists/ValueIndex.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const users = rowsAs(AdminUser)
const pageOfUsers = pagesOf(AdminUser)
const pageOfMatches = searchedPagesOf(AdminUser)

const columnsOfUser = columnsOf(AdminUser, "u", {
  email_verified: "u.email_verified_at IS NOT NULL",
  driver_id: `(
    SELECT d.driver_id FROM drivers d WHERE d.user_id = u.user_id AND d.deleted_at IS NULL
    ORDER BY d.driver_id LIMIT 1)`,
  business_ids: `ARRAY(
    SELECT m.business_id FROM business_members m WHERE m.user_id = u.user_id ORDER BY m.business_id)`
})

export const layer = onPostgres(AdminUserRepository, (sql) => {
  const columns = sql.literal(columnsOfUser)

  return {
    list: ({ accountType, search }, page) => {
      const selected = withValues(sql, "u.user_id", "ASC", [["u.account_type", accountType]])
      return search === null
        ? pageOfUsers(sql, page, { columns, from: sql`users u`, ...selected })
        : pageOfMatches(sql, page, {
            columns,
            ...selected,
            table: sql`users`,
            alias: sql`u`,
            matches: containedIn(sql, ["u.name", "u.email"], search)
          })
    },
    find: (userId) => firstOf(users(sql`SELECT ${columns} FROM users u WHERE u.user_id = ${userId}`))
  }
})
