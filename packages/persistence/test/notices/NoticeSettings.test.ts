import { defaultNoticeSettings, NoticeSettingsRepository, Transaction } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { newCustomer } from "../../../../test/contract/Given.ts"
import { newBusiness, TestPersistence } from "../support/TestPersistence.ts"
import { waitingAre } from "../webhooks/Scenario.ts"

layer(TestPersistence, { excludeTestServices: true })("settings of notices that change", (it) => {
  it.effect("keep what a customer asked for at the same time", () =>
    Effect.gen(function* () {
      const settings = yield* NoticeSettingsRepository
      const transaction = yield* Transaction
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness()
      const customer = yield* newCustomer(business)
      const now = yield* DateTime.now
      const [written, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const wanted = { kinds: ["booked" as const, "reminder" as const], channels: null }
      const asking = yield* Effect.forkChild(
        transaction.run(
          Effect.gen(function* () {
            yield* settings.putPreferences(business, customer, wanted, now)
            yield* Deferred.succeed(written, undefined)
            yield* Deferred.await(go)
          })
        )
      )
      yield* Deferred.await(written)
      const changing = yield* Effect.forkChild(
        transaction.run(settings.put(business, defaultNoticeSettings, now))
      )
      yield* waitingAre(1)
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(asking)
      yield* Fiber.join(changing)
      const rows =
        yield* sql`SELECT tells_customers, reminds FROM notice_settings WHERE business_id = ${business}`
      assert.deepStrictEqual(rows, [{ tells_customers: true, reminds: true }])
    })
  )
})
