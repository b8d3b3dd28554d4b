/** What the SDK sees of each ordered fault, and whether the request has taken effect. */
import { assert, describe, it } from "@effect/vitest"
import type { FaultKind } from "@livery/stripe-emulator"
import { Effect, Redacted } from "effect"
import { call, emulated, failureOf } from "./Sdk.ts"

const params = { amount: 10_000, currency: "usd" }

const cases: ReadonlyArray<readonly [FaultKind, string, number | undefined, number]> = [
  ["error_500", "StripeAPIError", 500, 0],
  ["error_500_after", "StripeAPIError", 500, 1],
  ["rate_limited", "StripeRateLimitError", 429, 0],
  ["refusal", "StripeInvalidRequestError", 400, 0],
  ["key_in_use", "StripeAPIError", 409, 0],
  ["no_answer", "StripeConnectionError", undefined, 0],
  ["no_answer_after", "StripeConnectionError", undefined, 1],
  ["lost_response", "StripeConnectionError", undefined, 1],
  ["not_json", "StripeAPIError", undefined, 0]
]

describe("an ordered fault", () => {
  for (const [kind, type, status, intents] of cases)
    it.live(`${kind} is a ${type}, with ${intents} intents made`, () =>
      Effect.gen(function* () {
        const { emulator, stripe } = yield* emulated()
        yield* emulator.fault({ operation: "payment_intents.create", kind, times: 1000 })
        // Only a request without an answer is to end by its timeout.
        const timeout = kind.startsWith("no_answer") ? { timeout: 150 } : {}
        const create = failureOf(() =>
          stripe.paymentIntents.create(params, { idempotencyKey: "one", ...timeout })
        )
        // On a slow machine, a request may end by its timeout before the emulator has read it: it is sent again.
        const failure = yield* Effect.repeat(create, {
          until: () => emulator.requests().length > 0,
          times: 100
        })
        assert.strictEqual(failure.type, type)
        assert.strictEqual(failure.statusCode, status)
        assert.strictEqual(emulator.intents().length, intents)
      })
    )

  it.live("bare_404 looks like a success to the SDK", () =>
    Effect.gen(function* () {
      const { emulator, stripe } = yield* emulated()
      yield* emulator.fault({ operation: "payment_intents.retrieve", kind: "bare_404" })
      const answer = yield* call(() => stripe.paymentIntents.retrieve("pi_none"))
      assert.strictEqual(answer.id, undefined)
      assert.strictEqual(answer.lastResponse.statusCode, 404)
    })
  )

  it.live("duplicate makes one record with a key, and two without", () =>
    Effect.gen(function* () {
      const { emulator, stripe } = yield* emulated()
      yield* emulator.fault({ operation: "payment_intents.create", kind: "duplicate", times: 2 })
      yield* call(() => stripe.paymentIntents.create(params, { idempotencyKey: "one" }))
      assert.strictEqual(emulator.intents().length, 1)
      yield* call(() =>
        fetch(`${emulator.url}/v1/payment_intents`, {
          method: "POST",
          headers: { authorization: `Bearer ${Redacted.value(emulator.secretKey)}` },
          body: new URLSearchParams({ amount: "100", currency: "usd" })
        })
      )
      assert.strictEqual(emulator.intents().length, 3)
    })
  )

  it.live("happens as often as requested, until it is cleared, and is logged", () =>
    Effect.gen(function* () {
      const { emulator, stripe } = yield* emulated()
      yield* emulator.fault({ operation: "payment_intents.create", kind: "error_500", times: 3 })
      const create = () => stripe.paymentIntents.create(params)
      yield* failureOf(create)
      yield* failureOf(create)
      yield* emulator.clearFaults
      yield* call(create)
      assert.deepStrictEqual(
        emulator.requests().map(({ operation, status }) => [operation, status]),
        [
          ["payment_intents.create", 500],
          ["payment_intents.create", 500],
          ["payment_intents.create", 200]
        ]
      )
    })
  )
})
