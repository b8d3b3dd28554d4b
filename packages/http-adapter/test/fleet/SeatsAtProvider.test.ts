import { PaymentProvider } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { makeStripeEmulator } from "@livery/stripe-emulator"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { joinAdvancing } from "../../../../test/support/Eventually.ts"
import { providerOn } from "../support/EmulatedProvider.ts"
import { company } from "../support/Fleet.ts"
import { superAdmin } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"
import { subscriber } from "./Subscriber.ts"

/** Advances the test's clock, about as fast as the real time passes, until the work has ended. */
const passing = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.forkChild(work), (fiber) => joinAdvancing(fiber, TestClock.adjust("1 millis")))

layer(Ports, { timeout: 60_000 })("a seat that the payment provider charges for", (it) => {
  it.effect("raises the quantity of the subscription by one, and is stored then", () =>
    Effect.gen(function* () {
      const { buy, changes, charged, drivers, seats, send } = yield* subscriber()
      refusedAs(yield* send("POST", "/drivers", { name: "K" }), 402, "plan_limit_exceeded")
      assert.strictEqual(charged(), 0)
      record(yield* buy())
      assert.deepStrictEqual([charged(), changes(), yield* seats, yield* drivers], [1, 1, 1, 11])
      const idle = record(yield* send("POST", "/drivers", { name: "Idle", active: false }))
      const path = `/drivers/${String(idle["driver_id"])}`
      record(yield* send("PATCH", path, { active: true, confirm_seat: true }))
      assert.deepStrictEqual([charged(), changes(), yield* seats], [2, 2, 2])
    })
  )

  for (const [kind, times] of [
    ["lost_response", 1],
    ["error_500", 1],
    ["error_500_after", 1],
    ["duplicate", 1],
    ["error_500_kept", 4]
  ] as const)
    it.effect(`is charged once after the provider's fault ${kind}, ${times} times`, () =>
      Effect.gen(function* () {
        const { buy, changes, charged, fault, seats } = yield* subscriber()
        yield* fault(kind, times)
        record(yield* buy())
        assert.deepStrictEqual([charged(), changes(), yield* seats], [1, 1, 1])
      })
    )

  it.effect("is charged once when no response arrives and the client repeats the request", () =>
    Effect.gen(function* () {
      const { buy, changes, charged, drivers, emulator, fault, seats } = yield* subscriber()
      yield* fault("lost_response", 3)
      refusedAs(yield* buy(), 503, "payment_provider_unavailable")
      assert.deepStrictEqual([charged(), yield* seats, yield* drivers], [1, 0, 10])
      record(yield* buy())
      assert.deepStrictEqual([charged(), changes(), yield* seats, yield* drivers], [1, 1, 1, 11])
      const updates = emulator.requests().filter(({ operation }) => operation === "subscription_items.update")
      assert.lengthOf([...new Set(updates.map(({ idempotencyKey }) => idempotencyKey))], 1)
    })
  )

  it.effect("is charged once, also if the provider keeps more failures than one request overcomes", () =>
    Effect.gen(function* () {
      const { buy, changes, charged, drivers, fault, seats } = yield* subscriber()
      yield* fault("error_500_kept", 22)
      for (let refused = 0; refused < 2; refused++)
        refusedAs(yield* buy(), 503, "payment_provider_unavailable")
      assert.deepStrictEqual([charged(), yield* seats, yield* drivers], [0, 0, 10])
      record(yield* buy())
      assert.deepStrictEqual([charged(), changes(), yield* seats, yield* drivers], [1, 1, 1, 11])
    })
  )

  it.effect("is charged once when a request with an Idempotency-Key is repeated", () =>
    Effect.gen(function* () {
      const { buy, changes, charged, drivers, fault } = yield* subscriber()
      const key = { "idempotency-key": "one" }
      yield* fault("lost_response", 3)
      refusedAs(yield* buy(key), 503, "payment_provider_unavailable")
      const [first, second] = [record(yield* buy(key)), record(yield* buy(key))]
      assert.strictEqual(first["driver_id"], second["driver_id"])
      assert.deepStrictEqual([charged(), changes(), yield* drivers], [1, 1, 11])
    })
  )

  it.effect("is neither charged nor stored if the provider refuses it", () =>
    Effect.gen(function* () {
      const { buy, charged, drivers, fault, seats } = yield* subscriber()
      yield* fault("refusal")
      refusedAs(yield* buy(), 502, "payment_link_failed")
      assert.deepStrictEqual([charged(), yield* seats, yield* drivers], [0, 0, 10])
      record(yield* buy())
      assert.deepStrictEqual([charged(), yield* seats], [1, 1])
    })
  )

  it.effect("is charged for each of several that are bought at once", () =>
    Effect.gen(function* () {
      const { buy, changes, charged, seats } = yield* subscriber()
      const answers = yield* passing(Effect.all([buy(), buy(), buy()], { concurrency: "unbounded" }))
      for (const answer of answers) record(answer)
      assert.deepStrictEqual([charged(), changes(), yield* seats], [3, 3, 3])
    })
  )

  it.effect("holds no connection to the database while the provider is asked", () =>
    Effect.gen(function* () {
      const emulator = yield* makeStripeEmulator()
      const provider = yield* providerOn(emulator)
      const sql = yield* SqlClient.SqlClient
      const open: Array<number> = []
      const watched = PaymentProvider.of({
        ...provider,
        changeQuantity: (change) =>
          Effect.gen(function* () {
            const [row] = yield* sql<{ open: number }>`
              SELECT count(*)::int AS open FROM pg_stat_activity
              WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()
                AND backend_type = 'client backend'`
            open.push(row?.open ?? -1)
            return yield* provider.changeQuantity(change)
          }).pipe(Effect.orDie)
      })
      const server = yield* openServer().pipe(Effect.provideService(PaymentProvider, watched))
      const { businessId, send } = yield* company(server, "pro")
      const subscription = yield* emulator.subscribe("usd", [{ unitAmount: 1500, quantity: 0 }])
      yield* sql`
        UPDATE businesses SET subscription_item_id = ${subscription.items.data[0]?.id ?? ""}
        WHERE business_id = ${businessId}`
      yield* sql`
        INSERT INTO drivers (business_id, name, active, created_at, updated_at)
        SELECT ${businessId}, 'Driver', true, now(), now() FROM generate_series(1, 10)`
      record(yield* send("POST", "/drivers", { name: "New", confirm_seat: true }))
      assert.deepStrictEqual(open, [0])
    })
  )

  it.effect("is no longer charged once it has ended, or if it was never stored", () =>
    Effect.gen(function* () {
      const { buy, charged, fault, reconciledTo, seats, send } = yield* subscriber()
      const { driver_id } = record(yield* buy())
      record(yield* buy())
      record(yield* send("DELETE", `/drivers/${String(driver_id)}`))
      assert.deepStrictEqual([charged(), yield* seats], [2, 1])
      yield* reconciledTo(1)
      yield* fault("lost_response", 3)
      refusedAs(yield* buy(), 503, "payment_provider_unavailable")
      assert.deepStrictEqual([charged(), yield* seats], [2, 1])
      yield* TestClock.adjust("11 minutes")
      yield* reconciledTo(1)
      record(yield* buy())
      assert.deepStrictEqual([charged(), yield* seats], [2, 2])
    })
  )

  it.effect("is reconciled once a day although nothing has changed", () =>
    Effect.gen(function* () {
      const { buy, changes, charged, hours, reconcileUntil } = yield* subscriber()
      record(yield* buy())
      assert.closeTo(yield* hours, 24, 0.1)
      yield* TestClock.adjust("25 hours")
      yield* reconcileUntil(Effect.map(hours, (next) => next > 1))
      assert.closeTo(yield* hours, 24, 0.1)
      assert.deepStrictEqual([charged(), changes()], [1, 1])
    })
  )

  it.effect("needs a configured provider; businesses without a subscription item do not", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, driver, send } = yield* company(server, "pro")
      for (let index = 0; index < 10; index++) yield* driver()
      record(yield* send("POST", "/drivers", { name: "New", confirm_seat: true }))
      const admin = yield* superAdmin(server)
      const path = `/admin/businesses/${businessId}`
      const linked = yield* server.send("PATCH", path, {
        credential: admin.token,
        body: { subscription_item_id: "si_1" }
      })
      assert.deepInclude(record(linked), { subscription_item_id: "si_1" })
      const refused = yield* send("POST", "/drivers", { name: "New", confirm_seat: true })
      refusedAs(refused, 503, "payment_provider_unavailable")
      const [row] = yield* sql<{ due: boolean }>`
        SELECT due_at <= now() + interval '1 day' AS due FROM seat_subscriptions WHERE business_id = ${businessId}`
      assert.isDefined(row)
      const unlinked = { credential: admin.token, body: { subscription_item_id: null } }
      record(yield* server.send("PATCH", path, unlinked))
      record(yield* send("POST", "/drivers", { name: "New", confirm_seat: true }))
    })
  )
})
