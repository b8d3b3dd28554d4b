import { Transaction, VerificationCodeRepository } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { at, TestPersistence, newUser, unique } from "../support/TestPersistence.ts"

const now = at("09:30:00")
const purpose = "verify_email"

const newCode = Effect.gen(function* () {
  const codes = yield* VerificationCodeRepository
  const userId = yield* newUser
  const codeHash = unique("code")
  yield* codes.issue({ codeHash, userId, purpose, expiresAt: DateTime.add(now, { hours: 24 }) })
  return { codes, userId, codeHash }
})

layer(TestPersistence)("a code on PostgreSQL", (it) => {
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
      // Polls in real time until the second waits for the first in PostgreSQL.
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
