import { SessionRepository, Transaction, type UserId } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { at, TestPersistence, newBusiness, newUser, unknownUser, unique } from "../support/TestPersistence.ts"

const begin = at("09:30:00")

const open = Effect.fnUntraced(function* (userId: UserId, refreshTokenHash = unique("hash"), now = begin) {
  const sessions = yield* SessionRepository
  return yield* sessions.open({
    userId,
    deviceName: "Ada's phone",
    refreshTokenHash,
    refreshTokenExpiresAt: DateTime.add(now, { days: 30 }),
    now,
    expiresAt: DateTime.add(now, { days: 180 })
  })
})

const join = Effect.fnUntraced(function* (businessId: number, userId: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO business_members (business_id, user_id, created_at) VALUES (${businessId}, ${userId}, now())`
})

layer(TestPersistence)("a session", (it) => {
  it.effect("has its user and that user's businesses, oldest first, suspended ones too", () =>
    Effect.gen(function* () {
      const sessions = yield* SessionRepository
      const user = yield* newUser
      const [first, second] = [
        yield* newBusiness(),
        yield* newBusiness({ status: "D", timezone: "Asia/Tokyo" })
      ]
      yield* newBusiness()
      yield* join(second, user)
      yield* join(first, user)
      // Rewritten rows are last in their tables, so that the order comes from the statement.
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE businesses SET phone = '1' WHERE business_id = ${first}`
      const id = yield* open(user)
      const standing = Option.getOrThrow(yield* sessions.findActive(id, begin))
      assert.strictEqual(standing.user.user_id, user)
      assert.deepStrictEqual(
        standing.businesses.map(({ business_id, status, timezone }) => [business_id, status, timezone]),
        [
          [first, "A", "UTC"],
          [second, "D", "Asia/Tokyo"]
        ]
      )
      assert.deepStrictEqual(
        (yield* sessions.businessesOf(user)).map(({ business_id }) => business_id),
        [first, second]
      )
      assert.deepStrictEqual(yield* sessions.businessesOf(unknownUser), [])
    })
  )

  it.effect("of a user without a business has none", () =>
    Effect.gen(function* () {
      const sessions = yield* SessionRepository
      const id = yield* open(yield* newUser)
      assert.deepStrictEqual(Option.getOrThrow(yield* sessions.findActive(id, begin)).businesses, [])
    })
  )

  it.effect("stores the hash of its refresh token, with both expiries", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const hash = unique("hash")
      const id = yield* open(yield* newUser, hash)
      const [row] = yield* sql`
        SELECT token_hash, t.issued_at, t.expires_at, rotated_at, device_name, revoked_at
        FROM refresh_tokens t JOIN session_families USING (session_id) WHERE session_id = ${id}`
      assert.deepStrictEqual(
        { ...row },
        {
          token_hash: hash,
          issued_at: new Date("2026-11-20T09:30:00Z"),
          expires_at: new Date("2026-12-20T09:30:00Z"),
          rotated_at: null,
          device_name: "Ada's phone",
          revoked_at: null
        }
      )
    })
  )

  it.effect("is deleted with its tokens a week after its end by a sign-in, and no other one is", () =>
    Effect.gen(function* () {
      const sessions = yield* SessionRepository
      const sql = yield* SqlClient.SqlClient
      const user = yield* newUser
      const daysAgo = (days: number) => DateTime.subtract(begin, { days })
      const forgotten = unique("hash")
      const id = yield* open(user, forgotten, daysAgo(188))
      yield* sessions.rotate({
        sessionId: id,
        refreshTokenHash: forgotten,
        successorHash: unique("hash"),
        sealedSuccessor: null,
        now: daysAgo(188),
        expiresAt: daysAgo(158)
      })
      const kept = yield* open(user, unique("hash"), daysAgo(186))
      const opened = yield* open(user)
      const left = yield* sql<{ session_id: number }>`
        SELECT session_id FROM session_families JOIN refresh_tokens USING (session_id)
        WHERE user_id = ${user} ORDER BY session_id`
      assert.deepStrictEqual(
        left.map(({ session_id }) => session_id),
        [kept, opened]
      )
    })
  )

  it.effect("of a login that was rolled back is not active", () =>
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const sql = yield* SqlClient.SqlClient
      const user = yield* newUser
      yield* Effect.ignore(transaction.run(Effect.andThen(open(user), Effect.fail("no"))))
      assert.deepStrictEqual(yield* sql`SELECT FROM session_families WHERE user_id = ${user}`, [])
    })
  )
})
