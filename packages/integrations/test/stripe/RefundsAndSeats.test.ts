import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { currency, paid, payments } from "./Provider.ts"

const usd = (minor: number) => ({ minor, currency: currency("USD") })

describe("a refund", () => {
  it.live("returns a part of a payment, once for one key", () =>
    Effect.gen(function* () {
      const { emulator, intent_id, provider } = yield* paid(10_000)
      const first = yield* provider.refund({ intent_id, amount: usd(4000), key: "7-1" })
      const second = yield* provider.refund({ intent_id, amount: usd(4000), key: "7-1" })
      assert.strictEqual(first.refund_id, second.refund_id)
      assert.deepStrictEqual(first.amount, usd(4000))
      assert.deepStrictEqual([first.intent_id, first.key, first.status], [intent_id, "7-1", "succeeded"])
      yield* provider.refund({ intent_id, amount: usd(6000), key: "7-2" })
      assert.strictEqual(emulator.charges()[0]?.amount_refunded, 10_000)
      assert.deepStrictEqual(
        (yield* provider.refundsOf(intent_id)).map(({ key }) => key),
        ["7-2", "7-1"]
      )
    })
  )

  it.live("is refused beyond what was paid, without a payment, and for a key with another amount", () =>
    Effect.gen(function* () {
      const { intent_id, provider } = yield* paid(10_000)
      const over = yield* Effect.flip(provider.refund({ intent_id, amount: usd(10_001), key: "1" }))
      assert.strictEqual(over._tag, "PaymentRefused")
      yield* provider.refund({ intent_id, amount: usd(10_000), key: "2" })
      const again = yield* Effect.flip(provider.refund({ intent_id, amount: usd(1), key: "3" }))
      assert.include(again.message, "already been refunded")
      const other = yield* Effect.flip(provider.refund({ intent_id, amount: usd(9999), key: "2" }))
      assert.include(other.message, "idempotency_error")
    })
  )

  it.live("returns its current state when it is requested again", () =>
    Effect.gen(function* () {
      const { emulator, intent_id, provider } = yield* paid(10_000, "pm_card_pendingRefund")
      const request = { intent_id, amount: usd(10_000), key: "1" }
      const first = yield* provider.refund(request)
      assert.strictEqual(first.status, "pending")
      yield* emulator.settle(first.refund_id)
      assert.strictEqual((yield* provider.refund(request)).status, "succeeded")
    })
  )
})

describe("the quantity of a subscription", () => {
  const subscribed = Effect.fnUntraced(function* () {
    const { emulator, provider } = yield* payments()
    const { id, items } = yield* emulator.subscribe("usd", [{ unitAmount: 1500, quantity: 2 }])
    return { emulator, provider, id, item_id: items.data[0]?.id ?? "" }
  })

  it.live("changes once for one key, although it has changed since", () =>
    Effect.gen(function* () {
      const { emulator, id, item_id, provider } = yield* subscribed()
      const third = { item_id, quantity: 3, key: "seat-3" }
      assert.deepStrictEqual(yield* provider.changeQuantity(third), { item_id, quantity: 3 })
      yield* provider.changeQuantity({ item_id, quantity: 4, key: "seat-4" })
      assert.deepStrictEqual(yield* provider.changeQuantity(third), { item_id, quantity: 3 })
      const subscription = Option.getOrThrow(yield* provider.subscription(id))
      assert.deepStrictEqual(subscription, {
        subscription_id: id,
        status: "active",
        items: [{ item_id, quantity: 4 }]
      })
      assert.strictEqual(
        emulator.events().filter(({ type }) => type === "customer.subscription.updated").length,
        2
      )
    })
  )

  it.live("is refused for good once the subscription has ended, and for an unknown item", () =>
    Effect.gen(function* () {
      const { emulator, id, item_id, provider } = yield* subscribed()
      const codeOf = (change: { readonly item_id: string; readonly quantity: number }) =>
        Effect.map(Effect.flip(provider.changeQuantity({ ...change, key: "1" })), (refusal) =>
          refusal._tag === "PaymentRefused" ? refusal.code : refusal._tag
        )
      yield* emulator.fault({ operation: "subscription_items.update", kind: "refusal" })
      assert.strictEqual(yield* codeOf({ item_id, quantity: 3 }), "testmode_charges_only")
      assert.strictEqual(yield* codeOf({ item_id: "si_none", quantity: 1 }), "subscription_ended")
      yield* emulator.endSubscription(id)
      assert.strictEqual(yield* codeOf({ item_id, quantity: 3 }), "subscription_ended")
      assert.isTrue(Option.isNone(yield* provider.subscription("sub_none")))
    })
  )

  it.live("has another attempt where Stripe keeps a failure that changed nothing", () =>
    Effect.gen(function* () {
      const { emulator, item_id, provider } = yield* subscribed()
      yield* emulator.fault({ operation: "subscription_items.update", kind: "error_500_kept" })
      const change = { item_id, quantity: 3, key: "seat-3" }
      for (const _ of [1, 2])
        assert.strictEqual((yield* Effect.flip(provider.changeQuantity(change)))._tag, "AttemptSpent")
      assert.strictEqual((yield* provider.changeQuantity({ ...change, key: "seat-3b" })).quantity, 3)
    })
  )
})
