/** The domain's `AdminUserRepository` on PostgreSQL. */
import { Array, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AdminUser, AdminUserRepository } from "@livery/domain"
import { columnsOf } from "../sql/Columns.ts"
import { pagesOf } from "../sql/Pages.ts"
import { rowsAs } from "../sql/Rows.ts"
import { containing } from "../sql/Search.ts"

const users = rowsAs(AdminUser)
const pageOfUsers = pagesOf(AdminUser)

const columnsOfUser = columnsOf(AdminUser, "u", {
  email_verified: "u.email_verified_at IS NOT NULL",
  driver_id: `(
    SELECT d.driver_id FROM drivers d WHERE d.user_id = u.user_id AND d.deleted_at IS NULL
    ORDER BY d.driver_id LIMIT 1)`,
  business_ids: `ARRAY(
    SELECT m.business_id FROM business_members m WHERE m.user_id = u.user_id ORDER BY m.business_id)`
})

export const layer = Layer.effect(
  AdminUserRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(columnsOfUser)

    const matching = (search: string | null) => {
      if (search === null) return sql`true`
      const pattern = containing(search)
      return sql`(u.name ILIKE ${pattern} OR u.email ILIKE ${pattern})`
    }

    return AdminUserRepository.of({
      list: ({ accountType, search }, page) =>
        pageOfUsers(sql, page, {
          columns,
          from: sql`users u`,
          where: sql`${matching(search)} AND ${accountType === undefined ? sql`true` : sql`u.account_type = ${accountType}`}`,
          order: sql`u.user_id`
        }),
      find: (userId) =>
        Effect.map(users(sql`SELECT ${columns} FROM users u WHERE u.user_id = ${userId}`), Array.head),
      removeMember: Effect.fnUntraced(function* (businessId, userId) {
        const removed = yield* Effect.orDie(sql`
          DELETE FROM business_members WHERE business_id = ${businessId} AND user_id = ${userId} RETURNING user_id`)
        return removed.length > 0
      })
    })
  })
)
