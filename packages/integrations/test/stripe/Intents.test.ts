import { assert, describe, it } from "@effect/vitest"
import { makeStripeEmulator } from "@livery/stripe-emulator"
import { Effect, Option, Redacted } from "effect"
import { currency, due, invoice, payments, providerOn } from "./Provider.ts"

describe("an intent", () => {
  it.live("collects the amount due of an invoice by card", () =>
    Effect.gen(function* () {
      const { emulator, provider } = yield* payments()
      const intent = yield* provider.createIntent(due(12_950))
      assert.strictEqual(intent.status, "awaiting_payment")
      assert.deepStrictEqual(intent.amount, { minor: 12_950, currency: currency("USD") })
      assert.deepStrictEqual(intent.received, { minor: 0, currency: currency("USD") })
      assert.deepStrictEqual(intent.invoice, invoice)
      const [stored] = emulator.intents()
      assert.strictEqual(stored?.client_secret, intent.client_secret && Redacted.value(intent.client_secret))
      assert.strictEqual(stored?.description, "Invoice INV-000017")
      assert.deepStrictEqual(stored?.allowed_payment_method_types, ["card"])
      assert.deepStrictEqual(stored?.metadata, {
        livery_installation: "test",
        livery_business_id: "7",
        livery_invoice_id: "17",
        livery_key: "test/intent/7/17/12950USD/0"
      })
      yield* emulator.pay(intent.intent_id)
      const now = Option.getOrThrow(yield* provider.intent(intent.intent_id))
      assert.strictEqual(now.status, "succeeded")
      assert.strictEqual(now.received.minor, 12_950)
    })
  )

  it.live("is the same one while the amount due is unchanged, in its current state", () =>
    Effect.gen(function* () {
      const { emulator, provider } = yield* payments()
      const first = yield* provider.createIntent(due(12_950))
      yield* emulator.pay(first.intent_id, "pm_card_visa_chargeDeclinedInsufficientFunds")
      const second = yield* provider.createIntent(due(12_950))
      assert.strictEqual(second.intent_id, first.intent_id)
      assert.strictEqual(second.failure, "Your card has insufficient funds.")
      yield* emulator.pay(first.intent_id)
      assert.strictEqual((yield* provider.createIntent(due(12_950))).status, "succeeded")
      assert.strictEqual(emulator.intents().length, 1)
    })
  )

  it.live("is one intent for any number of concurrent requests", () =>
    Effect.gen(function* () {
      const { emulator, provider } = yield* payments()
      const intents = yield* Effect.all(
        Array.from({ length: 12 }, () => provider.createIntent(due(500))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(intents.map(({ intent_id }) => intent_id)).size, 1)
      assert.strictEqual(emulator.intents().length, 1)
    })
  )

  it.live("is another one for another amount, attempt, invoice, business or installation", () =>
    Effect.gen(function* () {
      const emulator = yield* makeStripeEmulator()
      const provider = yield* providerOn(emulator)
      const other = yield* providerOn(emulator, { installation: "another" })
      yield* provider.createIntent(due(500))
      yield* provider.createIntent(due(501))
      yield* provider.createIntent(due(500, "EUR"))
      yield* provider.createIntent(due(500, "USD", 1))
      yield* provider.createIntent({
        ...due(500),
        invoice: { ...invoice, invoice_id: invoice.invoice_id + 1 } as typeof invoice
      })
      yield* provider.createIntent({
        ...due(500),
        invoice: { ...invoice, business_id: invoice.business_id + 1 } as typeof invoice
      })
      yield* other.createIntent(due(500))
      assert.strictEqual(emulator.intents().length, 7)
    })
  )

  for (const [minor, code, inApi] of [
    [1290, "USD", 1290],
    [1290, "JPY", 1290],
    [12_900, "KWD", 12_900],
    [1290, "ISK", 129_000],
    [1290, "UGX", 129_000],
    [129_000, "MGA", 1290]
  ] as const)
    it.live(`of ${minor} minor units of ${code} is ${inApi} in Stripe's unit, and back`, () =>
      Effect.gen(function* () {
        const { emulator, provider } = yield* payments()
        const intent = yield* provider.createIntent(due(minor, code))
        assert.strictEqual(emulator.intents()[0]?.amount, inApi)
        assert.deepStrictEqual(intent.amount, { minor, currency: currency(code) })
      })
    )

  for (const [minor, code, reason] of [
    [0, "USD", "amount_not_chargeable"],
    [-100, "USD", "amount_not_chargeable"],
    [
      150,
      "MGA",
      "it charges MGA in steps of 1, and the amount is between two of them: the business records 0.5 as"
    ],
    [49, "USD", "amount_too_small"],
    [
      5124,
      "KWD",
      "it charges KWD in steps of 0.01, and the amount is between two of them: the business records 0.004 as another " +
        "payment or changes the prices (amount_not_chargeable)"
    ]
  ] as const)
    it.live(`of ${minor} minor units of ${code} is refused as ${reason}`, () =>
      Effect.gen(function* () {
        const { emulator, provider } = yield* payments()
        const refusal = yield* Effect.flip(provider.createIntent(due(minor, code)))
        assert.strictEqual(refusal._tag, "PaymentRefused")
        assert.include(refusal.message, reason)
        assert.strictEqual(emulator.intents().length, 0)
      })
    )

  it.live("is absent under an unknown identifier", () =>
    Effect.gen(function* () {
      const { provider } = yield* payments()
      assert.isTrue(Option.isNone(yield* provider.intent("pi_none")))
    })
  )

  it.live("stays canceled, and cannot be canceled once it is paid", () =>
    Effect.gen(function* () {
      const { emulator, provider } = yield* payments()
      const { intent_id } = yield* provider.createIntent(due(500))
      assert.strictEqual((yield* provider.cancelIntent(intent_id)).status, "canceled")
      assert.strictEqual((yield* provider.cancelIntent(intent_id)).status, "canceled")
      const next = yield* provider.createIntent(due(500, "USD", 1))
      yield* emulator.pay(next.intent_id)
      const refusal = yield* Effect.flip(provider.cancelIntent(next.intent_id))
      assert.strictEqual(refusal._tag, "PaymentRefused")
      const missing = yield* Effect.flip(provider.cancelIntent("pi_none"))
      assert.include(missing.message, "resource_missing")
    })
  )

  it.live("is listed with others since a time, the newest first, page by page", () =>
    Effect.gen(function* () {
      const { provider } = yield* payments()
      const made = yield* Effect.forEach(Array.from({ length: 103 }), (_, at) =>
        provider.createIntent(due(100 + at))
      )
      const since = made[0]?.created_at ?? assert.fail("no intent")
      const first = yield* provider.intents({ since, after: null })
      assert.strictEqual(first.items.length, 100)
      assert.strictEqual(first.items[0]?.amount.minor, 202)
      const second = yield* provider.intents({ since, after: first.next })
      assert.deepStrictEqual(
        second.items.map(({ amount }) => amount.minor),
        [102, 101, 100]
      )
      assert.isNull(second.next)
    })
  )
})
