/** The facts come from Stripe's pages "Set product or subscription quantities" and "The Subscription Items API". */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { call, emulated, failureOf } from "./Sdk.ts"

const seeded = Effect.fnUntraced(function* () {
  const { emulator, stripe } = yield* emulated()
  const subscription = yield* emulator.subscribe("usd", [
    { unitAmount: 4900, quantity: 1 },
    { unitAmount: 1500, quantity: 2 }
  ])
  const seats = subscription.items.data[1]?.id ?? ""
  return { emulator, stripe, id: subscription.id, seats }
})

describe("a subscription", () => {
  it.live("returns the quantity of each item", () =>
    Effect.gen(function* () {
      const { id, stripe } = yield* seeded()
      const subscription = yield* call(() => stripe.subscriptions.retrieve(id))
      assert.strictEqual(subscription.status, "active")
      assert.deepStrictEqual(
        subscription.items.data.map(({ quantity }) => quantity),
        [1, 2]
      )
    })
  )

  it.live("changes the quantity of one item, and reports it", () =>
    Effect.gen(function* () {
      const { emulator, id, seats, stripe } = yield* seeded()
      const item = yield* call(() => stripe.subscriptionItems.update(seats, { quantity: 3 }))
      assert.strictEqual(item.quantity, 3)
      const subscription = yield* call(() => stripe.subscriptions.retrieve(id))
      assert.deepStrictEqual(
        subscription.items.data.map(({ quantity }) => quantity),
        [1, 3]
      )
      assert.strictEqual(emulator.events().at(-1)?.type, "customer.subscription.updated")
    })
  )

  it.live("changes once for one key, also after another change", () =>
    Effect.gen(function* () {
      const { emulator, seats, stripe } = yield* seeded()
      const first = () =>
        stripe.subscriptionItems.update(seats, { quantity: 3 }, { idempotencyKey: "seat-3" })
      yield* call(first)
      yield* call(() => stripe.subscriptionItems.update(seats, { quantity: 4 }, { idempotencyKey: "seat-4" }))
      assert.strictEqual((yield* call(first)).quantity, 3)
      assert.strictEqual(emulator.subscriptions()[0]?.items.data[1]?.quantity, 4)
    })
  )

  it.live("does not change any more once it is canceled", () =>
    Effect.gen(function* () {
      const { emulator, id, seats, stripe } = yield* seeded()
      assert.strictEqual((yield* call(() => stripe.subscriptions.cancel(id))).status, "canceled")
      assert.strictEqual(emulator.events().at(-1)?.type, "customer.subscription.deleted")
      const failure = yield* failureOf(() => stripe.subscriptionItems.update(seats, { quantity: 9 }))
      assert.strictEqual(failure.statusCode, 400)
    })
  )

  it.live("is not found under an identifier that does not exist", () =>
    Effect.gen(function* () {
      const { stripe } = yield* seeded()
      const failures = [
        yield* failureOf(() => stripe.subscriptions.retrieve("sub_none")),
        yield* failureOf(() => stripe.subscriptionItems.update("si_none", { quantity: 1 }))
      ]
      assert.deepStrictEqual(
        failures.map(({ statusCode }) => statusCode),
        [404, 404]
      )
    })
  )
})
