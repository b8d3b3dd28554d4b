/** The facts come from Stripe's pages "The Payment Intents API", "How PaymentIntents work" and "Testing". */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { call, emulated, failureOf, sdkOf } from "./Sdk.ts"

const hundredDollars = { amount: 10_000, currency: "usd", allowed_payment_method_types: ["card" as const] }

describe("a payment intent", () => {
  it.live("starts without a payment method and gives the browser a secret", () =>
    Effect.gen(function* () {
      const { stripe } = yield* emulated()
      const intent = yield* call(() =>
        stripe.paymentIntents.create({
          ...hundredDollars,
          description: "Invoice INV-000001",
          metadata: { invoice: "1" }
        })
      )
      assert.strictEqual(intent.object, "payment_intent")
      assert.strictEqual(intent.status, "requires_payment_method")
      assert.match(intent.id, /^pi_\w{24}$/u)
      assert.strictEqual(intent.client_secret?.startsWith(`${intent.id}_secret_`), true)
      assert.strictEqual(intent.amount, 10_000)
      assert.strictEqual(intent.amount_received, 0)
      assert.deepStrictEqual(intent.payment_method_types, ["card"])
      assert.deepStrictEqual({ ...intent.metadata }, { invoice: "1" })
      const read = yield* call(() => stripe.paymentIntents.retrieve(intent.id))
      assert.strictEqual(read.description, "Invoice INV-000001")
    })
  )

  it.live("succeeds when it is confirmed with a good card, once", () =>
    Effect.gen(function* () {
      const { emulator, stripe } = yield* emulated()
      const { id } = yield* call(() => stripe.paymentIntents.create(hundredDollars))
      const paid = yield* call(() => stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" }))
      assert.strictEqual(paid.status, "succeeded")
      assert.strictEqual(paid.amount_received, 10_000)
      const [charge] = emulator.charges()
      assert.strictEqual(paid.latest_charge, charge?.id)
      assert.strictEqual(charge?.amount_captured, 10_000)
      const again = yield* failureOf(() =>
        stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" })
      )
      assert.strictEqual(again.statusCode, 400)
      assert.strictEqual(again.code, "payment_intent_unexpected_state")
      assert.strictEqual(again.payment_intent?.status, "succeeded")
      assert.strictEqual(emulator.charges().length, 1)
    })
  )

  it.live("answers a declined card with 402, keeps the error, and takes another card", () =>
    Effect.gen(function* () {
      const { emulator, stripe } = yield* emulated()
      const { id } = yield* call(() => stripe.paymentIntents.create(hundredDollars))
      const declined = yield* failureOf(() =>
        stripe.paymentIntents.confirm(id, {
          payment_method: "pm_card_visa_chargeDeclinedInsufficientFunds"
        })
      )
      assert.strictEqual(declined.type, "StripeCardError")
      assert.strictEqual(declined.statusCode, 402)
      assert.strictEqual(declined.code, "card_declined")
      assert.strictEqual(declined.decline_code, "insufficient_funds")
      const open = yield* call(() => stripe.paymentIntents.retrieve(id))
      assert.strictEqual(open.status, "requires_payment_method")
      assert.strictEqual(open.last_payment_error?.decline_code, "insufficient_funds")
      assert.strictEqual(open.payment_method, null)
      const paid = yield* call(() => stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" }))
      assert.strictEqual(paid.last_payment_error, null)
      assert.deepStrictEqual(
        emulator.charges().map(({ status }) => status),
        ["failed", "succeeded"]
      )
    })
  )

  for (const [method, code] of [
    ["pm_card_chargeDeclinedExpiredCard", "expired_card"],
    ["pm_card_chargeDeclinedIncorrectCvc", "incorrect_cvc"],
    ["pm_card_chargeDeclinedProcessingError", "processing_error"]
  ] as const)
    it.live(`fails with ${code} for ${method}`, () =>
      Effect.gen(function* () {
        const { stripe } = yield* emulated()
        const failure = yield* failureOf(() =>
          stripe.paymentIntents.create({ ...hundredDollars, confirm: true, payment_method: method })
        )
        assert.strictEqual(failure.code, code)
        assert.strictEqual(failure.statusCode, 402)
      })
    )

  it.live("waits for the bank's confirmation where the card asks for it", () =>
    Effect.gen(function* () {
      const { emulator, stripe } = yield* emulated()
      const start = () =>
        call(() =>
          stripe.paymentIntents.create({
            ...hundredDollars,
            confirm: true,
            payment_method: "pm_card_authenticationRequired"
          })
        )
      const waiting = yield* start()
      assert.strictEqual(waiting.status, "requires_action")
      assert.strictEqual(waiting.next_action?.type, "use_stripe_sdk")
      assert.strictEqual((yield* emulator.authenticate(waiting.id, true)).status, "succeeded")
      const other = yield* start()
      const failed = yield* emulator.authenticate(other.id, false)
      assert.strictEqual(failed.status, "requires_payment_method")
      assert.strictEqual(failed.last_payment_error?.code, "payment_intent_authentication_failure")
    })
  )

  it.live("can be canceled until it is paid, and only once", () =>
    Effect.gen(function* () {
      const { emulator, stripe } = yield* emulated()
      const open = yield* call(() => stripe.paymentIntents.create(hundredDollars))
      const canceled = yield* call(() => stripe.paymentIntents.cancel(open.id))
      assert.strictEqual(canceled.status, "canceled")
      assert.isNotNull(canceled.canceled_at)
      const again = yield* failureOf(() => stripe.paymentIntents.cancel(open.id))
      assert.strictEqual(again.code, "payment_intent_unexpected_state")
      const paid = yield* call(() => stripe.paymentIntents.create(hundredDollars))
      yield* emulator.pay(paid.id)
      const late = yield* failureOf(() => stripe.paymentIntents.cancel(paid.id))
      assert.strictEqual(late.statusCode, 400)
      assert.strictEqual(late.payment_intent?.status, "succeeded")
    })
  )

  it.live("is confirmed by a browser with the publishable key and its secret, and shows it no metadata", () =>
    Effect.gen(function* () {
      const { emulator, stripe } = yield* emulated()
      const created = yield* call(() =>
        stripe.paymentIntents.create({ ...hundredDollars, metadata: { invoice: "1" } })
      )
      const browser = sdkOf(emulator, emulator.publishableKey)
      const confirm = (secret: string) => () =>
        browser.rawRequest("POST", `/v1/payment_intents/${created.id}/confirm`, {
          client_secret: secret,
          payment_method: "pm_card_visa"
        })
      assert.strictEqual((yield* failureOf(confirm("pi_x_secret_x"))).statusCode, 403)
      const paid = yield* call(confirm(created.client_secret ?? ""))
      assert.strictEqual("metadata" in paid, false)
      assert.strictEqual(emulator.intents()[0]?.status, "succeeded")
      const refused = yield* failureOf(() => browser.paymentIntents.create(hundredDollars))
      assert.strictEqual(refused.statusCode, 403)
    })
  )

  for (const [amount, currency, code] of [
    [49, "usd", "amount_too_small"],
    [29, "gbp", "amount_too_small"],
    [100_000_000, "usd", "amount_too_large"],
    [5124, "kwd", "invalid_charge_amount"],
    [550, "isk", "invalid_charge_amount_no_decimal_compatible"]
  ] as const)
    it.live(`refuses ${amount} ${currency} as ${code}`, () =>
      Effect.gen(function* () {
        const { stripe } = yield* emulated()
        const failure = yield* failureOf(() => stripe.paymentIntents.create({ amount, currency }))
        assert.strictEqual(failure.statusCode, 400)
        assert.strictEqual(failure.code, code)
      })
    )

  it.live("names a missing, a malformed, an unknown, a removed and a conflicting parameter", () =>
    Effect.gen(function* () {
      const { stripe } = yield* emulated()
      const create = (body: object) => () => stripe.rawRequest("POST", "/v1/payment_intents", body)
      const missing = yield* failureOf(create({ currency: "usd" }))
      assert.deepStrictEqual([missing.code, missing.param], ["parameter_missing", "amount"])
      const malformed = yield* failureOf(create({ amount: "10.5", currency: "usd" }))
      assert.deepStrictEqual([malformed.code, malformed.param], ["parameter_invalid_integer", "amount"])
      const unknown = yield* failureOf(create({ amount: 100, currency: "usd", colour: "red" }))
      const removed = yield* failureOf(
        create({ amount: 100, currency: "usd", payment_method_types: ["card"] })
      )
      assert.strictEqual(removed.code, "payment_method_types_no_longer_supported")
      const exclusive = yield* failureOf(
        create({
          amount: 100,
          currency: "usd",
          allowed_payment_method_types: ["card"],
          automatic_payment_methods: { enabled: true }
        })
      )
      assert.strictEqual(exclusive.code, "parameters_exclusive")
      assert.deepStrictEqual([unknown.code, unknown.param], ["parameter_unknown", "colour"])
    })
  )

  it.live("is not found under an identifier that does not exist, and refuses a wrong key", () =>
    Effect.gen(function* () {
      const { emulator, stripe } = yield* emulated()
      const missing = yield* failureOf(() => stripe.paymentIntents.retrieve("pi_none"))
      assert.deepStrictEqual([missing.statusCode, missing.code], [404, "resource_missing"])
      const stranger = sdkOf(emulator, "sk_test_somebodyElse1234")
      const refused = yield* failureOf(() => stranger.paymentIntents.list())
      assert.deepStrictEqual([refused.statusCode, refused.type], [401, "StripeAuthenticationError"])
    })
  )

  it.live("is listed the newest first, in pages", () =>
    Effect.gen(function* () {
      const { stripe } = yield* emulated()
      for (const amount of [100, 200, 300])
        yield* call(() => stripe.paymentIntents.create({ amount, currency: "usd" }))
      const first = yield* call(() => stripe.paymentIntents.list({ limit: 2 }))
      assert.deepStrictEqual(
        first.data.map(({ amount }) => amount),
        [300, 200]
      )
      assert.strictEqual(first.has_more, true)
      const second = yield* call(() =>
        stripe.paymentIntents.list({ limit: 2, starting_after: first.data[1]?.id ?? "" })
      )
      assert.deepStrictEqual(
        second.data.map(({ amount }) => amount),
        [100]
      )
      assert.strictEqual(second.has_more, false)
      const back = yield* call(() =>
        stripe.paymentIntents.list({ limit: 1, ending_before: second.data[0]?.id ?? "" })
      )
      assert.deepStrictEqual(
        back.data.map(({ amount }) => amount),
        [200]
      )
      const none = yield* call(() => stripe.paymentIntents.list({ created: { gt: 10_000_000_000 } }))
      assert.strictEqual(none.data.length, 0)
    })
  )
})
