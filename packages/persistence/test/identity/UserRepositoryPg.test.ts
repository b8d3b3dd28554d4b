import { Transaction, UserRepository } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { SqlClient } from "effect/sql"
import { at, TestPersistence, newUser, unique } from "../support/TestPersistence.ts"

const person = () => ({
  email: `${unique("person")}@example.com`,
  name: "Ada Lovelace",
  mobilePhone: "+44 20 7946 0000",
  accountType: "A" as const,
  passwordHash: "$argon2id$hash",
  verifiedAt: null
})

layer(TestPersistence)("users", (it) => {
  it.effect("may be inserted as verified", () =>
    Effect.gen(function* () {
      const users = yield* UserRepository
      const id = yield* users.insert({ ...person(), mobilePhone: null, verifiedAt: at("09:30:00") })
      const found = Option.getOrThrow(yield* users.find(id))
      assert.deepInclude(found, { email_verified: true, mobile_phone: null })
    })
  )

  it.effect("with a taken email leave the transaction usable", () =>
    Effect.gen(function* () {
      const users = yield* UserRepository
      const transaction = yield* Transaction
      const taken = person()
      yield* users.insert(taken)
      const id = yield* transaction.run(
        Effect.catchTag(users.insert(taken), "EmailExists", () => users.insert(person()))
      )
      assert.isTrue(Option.isSome(yield* users.find(id)))
    })
  )

  it.effect("that wait for an email get it if its insert is rolled back", () =>
    Effect.gen(function* () {
      const users = yield* UserRepository
      const transaction = yield* Transaction
      const given = person()
      const [first, second] = yield* Effect.all(
        [
          Effect.exit(transaction.run(Effect.andThen(users.insert(given), Effect.fail("no")))),
          Effect.exit(
            Effect.retry(users.insert(given), { while: ({ _tag }) => _tag === "EmailExists", times: 0 })
          )
        ],
        { concurrency: 2 }
      )
      assert.deepStrictEqual([Exit.isSuccess(first), Exit.isSuccess(second)], [false, true])
    })
  )

  it.effect("are verified once, at the first time", () =>
    Effect.gen(function* () {
      const users = yield* UserRepository
      const sql = yield* SqlClient.SqlClient
      const id = yield* newUser
      const other = yield* newUser
      yield* users.markVerified(id, at("09:30:00"))
      yield* users.markVerified(id, at("10:00:00"))
      const [row] = yield* sql`SELECT email_verified_at FROM users WHERE user_id = ${id}`
      assert.deepStrictEqual(row?.["email_verified_at"], new Date("2026-11-20T09:30:00Z"))
      assert.isTrue(Option.getOrThrow(yield* users.find(id)).email_verified)
      assert.isFalse(Option.getOrThrow(yield* users.find(other)).email_verified)
    })
  )
})
