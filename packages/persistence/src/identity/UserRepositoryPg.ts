import { Array, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type Account, DriverId, EmailExists, User, UserId, UserRepository } from "@livery/domain"
import { execute, instant, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { userColumns } from "./UserColumns.ts"
import { lockAccount } from "../sql/statements/BusinessLock.ts"
import { makeDriversOfAccounts } from "./DriversOfAccounts.ts"

const AccountRow = Schema.Struct({ ...User.fields, password_hash: Schema.String })

const users = rowsAs(User)
const accounts = rowsAs(AccountRow)
const ids = rowsAs(Schema.Struct({ user_id: UserId }))
const drivers = rowsAs(Schema.Struct({ driver_id: DriverId }))
const existing = rowsAs(Schema.Struct({ any: Schema.Boolean }))

const account = ({ password_hash, ...user }: typeof AccountRow.Type): Account => ({
  user,
  passwordHash: password_hash
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const driversOf = yield* makeDriversOfAccounts(sql)
  const columns = sql.literal(userColumns)
  const withHash = sql`${columns}, u.password_hash`
  const accountFrom = <E>(statement: Effect.Effect<ReadonlyArray<object>, E>) =>
    Effect.map(accounts(statement), (rows) => Array.head(Array.map(rows, account)))

  const lock = (userId: UserId) =>
    Effect.andThen(
      execute(lockAccount(sql, userId)),
      accountFrom(sql`SELECT ${withHash} FROM users u WHERE u.user_id = ${userId}`)
    )

  return UserRepository.of({
    insert: Effect.fnUntraced(function* (user) {
      const now = instant(yield* DateTime.now)
      const verifiedAt = user.verifiedAt === null ? null : instant(user.verifiedAt)
      const [inserted] = yield* ids(sql`
        INSERT INTO users
          (email, name, mobile_phone, account_type, password_hash, email_verified_at, created_at, updated_at)
        VALUES
          (${user.email}, ${user.name}, ${user.mobilePhone}, ${user.accountType}, ${user.passwordHash},
           ${verifiedAt}, ${now}, ${now})
        ON CONFLICT (email) DO NOTHING
        RETURNING user_id`)
      return inserted === undefined ? yield* new EmailExists() : inserted.user_id
    }),
    find: (userId) => firstOf(users(sql`SELECT ${columns} FROM users u WHERE u.user_id = ${userId}`)),
    findByEmail: (email) => accountFrom(sql`SELECT ${withHash} FROM users u WHERE u.email = ${email}`),
    lock,
    lockByEmail: Effect.fnUntraced(function* (email) {
      const [found] = yield* ids(sql`SELECT user_id FROM users WHERE email = ${email}`)
      if (found === undefined) return Option.none()
      const locked = yield* lock(found.user_id)
      // An erasure may have changed the email meanwhile.
      return Option.filter(locked, ({ user }) => user.email === email)
    }),
    change: (userId, { mobile_phone, name }, at) =>
      firstOf(
        users(sql`
          UPDATE users u SET
            name = coalesce(${name ?? null}, u.name),
            mobile_phone = CASE WHEN ${mobile_phone !== undefined} THEN ${mobile_phone ?? null} ELSE u.mobile_phone END,
            updated_at = ${instant(at)}
          WHERE u.user_id = ${userId}
          RETURNING ${columns}`)
      ),
    makeAdmin: (userId, at) =>
      execute(sql`
          UPDATE users SET account_type = 'A', updated_at = ${instant(at)}
          WHERE user_id = ${userId} AND account_type = 'D'`),
    markVerified: (userId, at) =>
      execute(sql`
          UPDATE users SET email_verified_at = ${instant(at)}, updated_at = ${instant(at)}
          WHERE user_id = ${userId} AND email_verified_at IS NULL`),
    replacePasswordHash: (userId, passwordHash) =>
      execute(sql`UPDATE users SET password_hash = ${passwordHash} WHERE user_id = ${userId}`),
    driverOf: Effect.fnUntraced(function* (userId) {
      const rows = yield* drivers(sql`
        SELECT d.driver_id FROM drivers d WHERE ${yield* driversOf([userId])} AND d.deleted_at IS NULL
        ORDER BY d.driver_id LIMIT 1`)
      return Array.head(Array.map(rows, ({ driver_id }) => driver_id))
    }),
    any: Effect.map(existing(sql`SELECT EXISTS (SELECT FROM users) AS any`), ([row]) => row?.any ?? false)
  })
})

/** Accounts in the table `users`. */
export const layer = Layer.effect(UserRepository, make)
