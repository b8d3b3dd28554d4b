/** The facts come from Stripe's API reference, page "Idempotent requests", and its page "Advanced error handling". */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { call, emulated, failureOf } from "./Sdk.ts"

const params = { amount: 10_000, currency: "usd" }

describe("an idempotency key", () => {
  it.live("gives the first result again, and marks it as replayed", () =>
    Effect.gen(function* () {
      const { emulator, stripe } = yield* emulated()
      const create = () => stripe.paymentIntents.create(params, { idempotencyKey: "one" })
      const first = yield* call(create)
      yield* emulator.pay(first.id)
      const second = yield* call(create)
      assert.strictEqual(second.id, first.id)
      assert.strictEqual(second.client_secret, first.client_secret)
      // The result is the saved one, not the current state.
      assert.strictEqual(second.status, "requires_payment_method")
      assert.strictEqual(first.lastResponse.headers["idempotent-replayed"], undefined)
      assert.strictEqual(second.lastResponse.headers["idempotent-replayed"], "true")
      assert.strictEqual(emulator.intents().length, 1)
    })
  )

  it.live("refuses other parameters, and another operation", () =>
    Effect.gen(function* () {
      const { emulator, stripe } = yield* emulated()
      const { id } = yield* call(() => stripe.paymentIntents.create(params, { idempotencyKey: "one" }))
      const other = yield* failureOf(() =>
        stripe.paymentIntents.create({ ...params, amount: 10_001 }, { idempotencyKey: "one" })
      )
      assert.strictEqual(other.type, "StripeIdempotencyError")
      assert.strictEqual(other.statusCode, 400)
      const elsewhere = yield* failureOf(() =>
        stripe.refunds.create({ payment_intent: id }, { idempotencyKey: "one" })
      )
      assert.strictEqual(elsewhere.type, "StripeIdempotencyError")
      assert.strictEqual(emulator.intents().length, 1)
    })
  )

  it.live("keeps a failure of a request that was executed", () =>
    Effect.gen(function* () {
      const { emulator, stripe } = yield* emulated()
      yield* emulator.fault({ operation: "payment_intents.create", kind: "error_500_after" })
      const create = () => stripe.paymentIntents.create(params, { idempotencyKey: "one" })
      const first = yield* failureOf(create)
      const second = yield* failureOf(create)
      assert.deepStrictEqual([first.statusCode, second.statusCode], [500, 500])
      assert.strictEqual(emulator.intents().length, 1)
    })
  )

  it.live("keeps nothing of a request whose parameters are invalid", () =>
    Effect.gen(function* () {
      const { stripe } = yield* emulated()
      yield* failureOf(() =>
        stripe.rawRequest("POST", "/v1/payment_intents", { currency: "usd" }, { idempotencyKey: "one" })
      )
      const intent = yield* call(() => stripe.paymentIntents.create(params, { idempotencyKey: "one" }))
      assert.strictEqual(intent.amount, 10_000)
    })
  )

  it.live("is refused when it is longer than 255 characters", () =>
    Effect.gen(function* () {
      const { stripe } = yield* emulated()
      const failure = yield* failureOf(() =>
        stripe.paymentIntents.create(params, { idempotencyKey: "k".repeat(256) })
      )
      assert.strictEqual(failure.statusCode, 400)
    })
  )

  it.effect("may be forgotten after 24 hours, and then makes a new record", () =>
    Effect.gen(function* () {
      const { stripe } = yield* emulated()
      const create = () => stripe.paymentIntents.create(params, { idempotencyKey: "one" })
      const first = yield* call(create)
      yield* TestClock.adjust("24 hours")
      assert.strictEqual((yield* call(create)).id, first.id)
      yield* TestClock.adjust("1 second")
      assert.notStrictEqual((yield* call(create)).id, first.id)
    })
  )

  it.live("answers 409 while its first request is under way", () =>
    Effect.gen(function* () {
      const { emulator, stripe } = yield* emulated()
      yield* emulator.fault({ operation: "payment_intents.create", kind: "key_in_use" })
      const failure = yield* failureOf(() => stripe.paymentIntents.create(params, { idempotencyKey: "one" }))
      assert.deepStrictEqual([failure.statusCode, failure.code], [409, "idempotency_key_in_use"])
    })
  )
})
