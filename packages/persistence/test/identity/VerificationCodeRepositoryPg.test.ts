import { Transaction, VerificationCodeRepository } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { at, atOnce, TestPersistence, newUser, unique } from "../support/TestPersistence.ts"

const now = at("09:30:00")
const purpose = "verify_email"

const newCode = Effect.gen(function* () {
  const codes = yield* VerificationCodeRepository
  const userId = yield* newUser
  const codeHash = unique("code")
  yield* codes.issue({ codeHash, userId, purpose, expiresAt: DateTime.add(now, { hours: 24 }) })
  return { codes, userId, codeHash }
})

layer(TestPersistence)("a code", (it) => {
  it.effect("returns its user once", () =>
    Effect.gen(function* () {
      const { codeHash, codes, userId } = yield* newCode
      yield* newCode
      assert.isTrue(Option.isNone(yield* codes.redeem("unknown", purpose, now)))
      assert.deepStrictEqual(yield* codes.redeem(codeHash, purpose, now), Option.some(userId))
      assert.isTrue(Option.isNone(yield* codes.redeem(codeHash, purpose, now)))
    })
  )

  it.effect("is valid until its expiry", () =>
    Effect.gen(function* () {
      const { codeHash, codes } = yield* newCode
      const end = DateTime.add(now, { hours: 24 })
      assert.isTrue(Option.isNone(yield* codes.redeem(codeHash, purpose, end)))
      assert.isTrue(
        Option.isSome(yield* codes.redeem(codeHash, purpose, DateTime.subtract(end, { milliseconds: 1 })))
      )
    })
  )

  it.effect("is valid until its user has a newer one for that purpose, used or not", () =>
    Effect.gen(function* () {
      const { codeHash, codes, userId } = yield* newCode
      const expiresAt = DateTime.add(now, { hours: 1 })
      const other = unique("code")
      yield* codes.issue({ codeHash: other, userId, purpose: "reset_password", expiresAt })
      assert.deepStrictEqual(yield* codes.ownerOf(codeHash, purpose, now), Option.some(userId))
      const newer = unique("code")
      yield* codes.issue({ codeHash: newer, userId, purpose, expiresAt })
      assert.isTrue(Option.isNone(yield* codes.ownerOf(codeHash, purpose, now)))
      assert.deepStrictEqual(yield* codes.redeem(newer, purpose, now), Option.some(userId))
      assert.isTrue(Option.isNone(yield* codes.redeem(codeHash, purpose, now)))
      yield* codes.void(userId, "reset_password", now)
      assert.isTrue(Option.isNone(yield* codes.redeem(other, "reset_password", now)))
    })
  )

  it.effect("without a user is never valid", () =>
    Effect.gen(function* () {
      const codes = yield* VerificationCodeRepository
      const codeHash = unique("code")
      yield* codes.issue({ codeHash, userId: null, purpose, expiresAt: DateTime.add(now, { hours: 1 }) })
      assert.isTrue(Option.isNone(yield* codes.ownerOf(codeHash, purpose, now)))
      assert.isTrue(Option.isNone(yield* codes.redeem(codeHash, purpose, now)))
    })
  )

  it.effect("is valid for its purpose only", () =>
    Effect.gen(function* () {
      const { codeHash, codes } = yield* newCode
      assert.isTrue(Option.isNone(yield* codes.redeem(codeHash, "reset_password", now)))
      assert.isTrue(Option.isSome(yield* codes.redeem(codeHash, purpose, now)))
    })
  )

  it.effect("is redeemed by one of any number of concurrent calls", () =>
    Effect.gen(function* () {
      const { codeHash, codes } = yield* newCode
      const transaction = yield* Transaction
      const answers = yield* atOnce(12, () => transaction.run(codes.redeem(codeHash, purpose, now)))
      assert.lengthOf(answers.filter(Option.isSome), 1)
    })
  )

  it.effect("whose redemption is rolled back goes to the waiting call", () =>
    Effect.gen(function* () {
      const { codeHash, codes } = yield* newCode
      const transaction = yield* Transaction
      const sql = yield* SqlClient.SqlClient
      const [redeemed, giveBack] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const first = yield* Effect.forkChild(
        transaction.run(
          codes
            .redeem(codeHash, purpose, now)
            .pipe(
              Effect.andThen(Deferred.succeed(redeemed, undefined)),
              Effect.andThen(Deferred.await(giveBack)),
              Effect.andThen(Effect.fail("changed my mind"))
            )
        )
      )
      yield* Deferred.await(redeemed)
      const second = yield* Effect.forkChild(codes.redeem(codeHash, purpose, now))
      // Real time passes until PostgreSQL says that the second waits for the first.
      yield* Effect.repeat(
        sql<{ waits: boolean }>`SELECT EXISTS (
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock') AS waits`,
        { until: ([row]) => row?.waits ?? false, times: 5000 }
      )
      assert.isUndefined(second.pollUnsafe())
      yield* Deferred.succeed(giveBack, undefined)
      assert.strictEqual(yield* Effect.flip(Fiber.join(first)), "changed my mind")
      assert.isTrue(Option.isSome(yield* Fiber.join(second)))
    })
  )
})
