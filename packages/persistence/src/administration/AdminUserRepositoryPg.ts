import { AdminUser, AdminUserRepository, DriverId, UserId } from "@livery/domain"
import { Effect, Layer, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { columnsOf } from "../sql/rows/Columns.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { containedIn } from "../sql/lists/Search.ts"
import { searchedPagesOf } from "../sql/lists/SearchedPages.ts"
import { withValues } from "../sql/lists/ValueIndex.ts"
import { makeDriversOfAccounts } from "../identity/DriversOfAccounts.ts"

/** A user without the driver's record, which a distributed database has on other nodes. */
const User = AdminUser.mapFields(Struct.omit(["driver_id"]))
type User = typeof User.Type

const users = rowsAs(User)
const pageOfUsers = pagesOf(User)
const pageOfMatches = searchedPagesOf(User)
const drivers = rowsAs(Schema.Struct({ user_id: UserId, driver_id: DriverId }))

const columnsOfUser = columnsOf(User, "u", {
  email_verified: "u.email_verified_at IS NOT NULL",
  business_ids: `ARRAY(
    SELECT m.business_id FROM business_members m WHERE m.user_id = u.user_id ORDER BY m.business_id)`
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const driversOf = yield* makeDriversOfAccounts(sql)
  const columns = sql.literal(columnsOfUser)

  /** The users with their first drivers' records, of any business. */
  const withDrivers = Effect.fnUntraced(function* (found: ReadonlyArray<User>) {
    if (found.length === 0) return []
    const first = yield* drivers(sql`
      SELECT d.user_id, min(d.driver_id) AS driver_id FROM drivers d
      WHERE ${yield* driversOf(found.map(({ user_id }) => user_id))} AND d.deleted_at IS NULL
      GROUP BY d.user_id`)
    const driverOf = new Map(first.map(({ driver_id, user_id }) => [user_id, driver_id]))
    return found.map((user): AdminUser => ({ ...user, driver_id: driverOf.get(user.user_id) ?? null }))
  })

  return AdminUserRepository.of({
    list: Effect.fnUntraced(function* ({ accountType, search }, page) {
      const selected = withValues(sql, "u.user_id", "ASC", [["u.account_type", accountType]])
      const found = yield* search === null
        ? pageOfUsers(sql, page, { columns, from: sql`users u`, ...selected })
        : pageOfMatches(sql, page, {
            columns,
            ...selected,
            table: sql`users`,
            alias: sql`u`,
            matches: containedIn(sql, ["u.name", "u.email"], search)
          })
      return { ...found, items: yield* withDrivers(found.items) }
    }),
    find: (userId) =>
      firstOf(
        Effect.flatMap(users(sql`SELECT ${columns} FROM users u WHERE u.user_id = ${userId}`), withDrivers)
      )
  })
})

export const layer = Layer.effect(AdminUserRepository, make)
