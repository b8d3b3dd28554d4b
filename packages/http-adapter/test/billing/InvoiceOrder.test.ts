import { assert } from "@effect/vitest"
import { BusinessId } from "@livery/domain"
import { Deferred, Effect, Fiber, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { lockBusiness } from "../../../persistence/src/sql/statements/BusinessLock.ts"
import { openServer, record } from "../support/TestServer.ts"
import { biller, billingPg } from "./Billing.ts"

billingPg("an invoice", (it) => {
  it.effect("that waits for another one is created when it gets its number", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { businessId, raise } = yield* biller(yield* openServer())
      const [locked, released] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* lockBusiness(sql, BusinessId.make(businessId))
            yield* Deferred.succeed(locked, undefined)
            yield* Deferred.await(released)
          })
        )
      )
      yield* Deferred.await(locked)
      const waiting = yield* Effect.forkChild(raise())
      yield* sql`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.pipe(
        Effect.filterOrFail(
          ({ length }) => length > 0,
          () => "the request does not wait"
        ),
        Effect.retry(Schedule.recurs(5000))
      )
      yield* TestClock.adjust("2 seconds")
      yield* Deferred.succeed(released, undefined)
      yield* Fiber.join(holder)
      assert.deepInclude(record(yield* Fiber.join(waiting)), { created_at: "2026-11-20T09:30:02Z" })
    })
  )
})
