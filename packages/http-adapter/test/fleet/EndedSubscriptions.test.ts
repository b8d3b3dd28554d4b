import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { superAdmin } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { record, refusedAs } from "../support/TestServer.ts"
import { subscriber } from "./Subscriber.ts"

/** A business with two seats whose subscription has ended at the provider. */
const ended = Effect.gen(function* () {
  const it = yield* subscriber()
  const { driver_id } = record(yield* it.buy())
  record(yield* it.buy())
  yield* it.emulator.endSubscription(it.emulator.subscriptions()[0]?.id ?? "none")
  const updates = () =>
    it.emulator.requests().filter(({ operation }) => operation === "subscription_items.update").length
  return {
    ...it,
    driverId: String(driver_id),
    /** How often the account was asked for another quantity. */
    updates
  }
})

layer(Ports, { timeout: 60_000 })("a business whose subscription has ended at the provider", (it) => {
  it.effect("keeps its drivers and seats, and is told why it can buy no further one", () =>
    Effect.gen(function* () {
      const { buy, drivers, seats } = yield* ended
      const before = [yield* seats, yield* drivers]
      for (let tried = 0; tried < 2; tried++) {
        const refused = yield* buy()
        refusedAs(refused, 502, "payment_link_failed")
        assert.include(
          refused.text,
          "the subscription has ended or does not exist; the operator of the platform can assign another one"
        )
      }
      assert.deepStrictEqual([yield* seats, yield* drivers], before)
    })
  )

  it.effect("is reconciled once a day only, also after a seat has ended", () =>
    Effect.gen(function* () {
      const { driverId, hours, reconcileUntil, send, updates } = yield* ended
      record(yield* send("DELETE", `/drivers/${driverId}`))
      const before = updates()
      assert.isAtMost(yield* hours, 0)
      yield* reconcileUntil(Effect.map(hours, (next) => next > 1))
      assert.closeTo(yield* hours, 24, 0.1)
      assert.strictEqual(updates(), before + 1)
    })
  )

  it.effect("is charged for all of its seats by the next subscription that it gets", () =>
    Effect.gen(function* () {
      const { businessId, buy, charged, emulator, reconcileUntil, seats, server, updates } = yield* ended
      refusedAs(yield* buy(), 502, "payment_link_failed")
      const { token } = yield* superAdmin(server)
      const { items } = yield* emulator.subscribe("usd", [{ unitAmount: 1500, quantity: 0 }])
      const body = { subscription_item_id: items.data[0]?.id, subscription_status: "active" }
      record(yield* server.send("PATCH", `/admin/businesses/${businessId}`, { credential: token, body }))
      const quantity = () => emulator.subscriptions()[1]?.items.data[0]?.quantity
      yield* reconcileUntil(Effect.sync(() => quantity() === 2))
      record(yield* buy())
      assert.deepStrictEqual([charged(), quantity(), yield* seats], [2, 3, 3])
      assert.isAbove(updates(), 0)
    })
  )
})
