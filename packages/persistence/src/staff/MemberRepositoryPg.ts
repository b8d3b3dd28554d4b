import { DateTime, Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import { type BusinessId, Member, MemberRepository, UserId } from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { execute, instant, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { lockBusiness } from "../sql/statements/BusinessLock.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const membersOf = rowsAs(Member)
const pageOfMembers = pagesOf(Member)
const ids = rowsAs(Schema.Struct({ user_id: UserId }))
const counts = rowsAs(Schema.Struct({ owners: Schema.Int }))

export const layer = onPostgres(MemberRepository, (sql) => {
  const columns = sql.literal(columnsOf(Member, "m", { name: "u.name", email: "u.email" }))
  // Subqueries, because PostgreSQL might read users of other businesses for a join.
  const user = (name: string) => `(SELECT u.${name} FROM users u WHERE u.user_id = m.user_id)`
  const listColumns = sql.literal(columnsOf(Member, "m", { name: user("name"), email: user("email") }))
  const from = sql`business_members m JOIN users u USING (user_id)`
  const ofBusiness = (businessId: BusinessId) => sql`m.business_id = ${businessId}`
  const findWhere = (businessId: BusinessId, condition: Statement.Fragment) =>
    firstOf(membersOf(sql`SELECT ${columns} FROM ${from} WHERE ${ofBusiness(businessId)} AND ${condition}`))

  return {
    lock: (businessId) => execute(lockBusiness(sql, businessId)),
    list: (businessId, page) =>
      pageOfMembers(sql, page, {
        columns: listColumns,
        from: sql`business_members m`,
        where: ofBusiness(businessId),
        order: sql`m.user_id`
      }),
    find: (businessId, userId) => findWhere(businessId, sql`m.user_id = ${userId}`),
    findByEmail: (businessId, email) => findWhere(businessId, sql`u.email = ${email}`),
    countOwners: (businessId) =>
      Effect.map(
        counts(sql`
          SELECT count(*)::int AS owners FROM business_members
          WHERE business_id = ${businessId} AND role = 'owner'`),
        ([count]) => count?.owners ?? 0
      ),
    add: Effect.fnUntraced(function* (businessId, userId, role) {
      const now = instant(yield* DateTime.now)
      const added = yield* ids(sql`
        INSERT INTO business_members (business_id, user_id, role, created_at)
        VALUES (${businessId}, ${userId}, ${role}, ${now})
        ON CONFLICT DO NOTHING RETURNING user_id`)
      return added.length > 0
    }),
    setRole: (businessId, userId, role) =>
      execute(sql`
          UPDATE business_members SET role = ${role} WHERE business_id = ${businessId} AND user_id = ${userId}`),
    remove: Effect.fnUntraced(function* (businessId, userId) {
      yield* execute(sql`
        DELETE FROM calendar_links WHERE business_id = ${businessId} AND kind = 'office' AND owner_id = ${userId}`)
      yield* execute(
        sql`DELETE FROM business_members WHERE business_id = ${businessId} AND user_id = ${userId}`
      )
    })
  }
})
