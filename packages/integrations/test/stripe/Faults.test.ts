/** Every change takes effect exactly once with any fault, once it is requested again. */
import type { PaymentProvider } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import type { FaultKind, OperationName, StripeEmulator } from "@livery/stripe-emulator"
import { Clock, type Context, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { eventually } from "../../../../test/support/Eventually.ts"
import { currency, due, payments } from "./Provider.ts"

type Provider = Context.Service.Shape<typeof PaymentProvider>

interface Step {
  readonly operation: OperationName
  /** Prepares the account, and returns the change to request. */
  readonly prepare: (
    emulator: StripeEmulator,
    provider: Provider
  ) => Effect.Effect<Effect.Effect<unknown, { readonly _tag: string; readonly message: string }>>
  /** The number of times that the change has taken effect. */
  readonly effects: (emulator: StripeEmulator) => number
}

const steps: ReadonlyArray<Step> = [
  {
    operation: "payment_intents.create",
    prepare: (_, provider) => Effect.succeed(provider.createIntent(due(500))),
    effects: (emulator) => emulator.intents().length
  },
  {
    operation: "payment_intents.cancel",
    prepare: (_, provider) =>
      Effect.orDie(
        Effect.map(provider.createIntent(due(500)), ({ intent_id }) => provider.cancelIntent(intent_id))
      ),
    effects: (emulator) => emulator.intents().filter(({ status }) => status === "canceled").length
  },
  {
    operation: "refunds.create",
    prepare: (emulator, provider) =>
      provider.createIntent(due(500)).pipe(
        Effect.orDie,
        Effect.tap(({ intent_id }) => emulator.pay(intent_id)),
        Effect.map(({ intent_id }) =>
          provider.refund({ intent_id, amount: { minor: 200, currency: currency("USD") }, key: "1" })
        )
      ),
    effects: (emulator) => (emulator.charges()[0]?.amount_refunded ?? 0) / 200
  },
  {
    operation: "subscription_items.update",
    prepare: (emulator, provider) =>
      Effect.map(emulator.subscribe("usd", [{ unitAmount: 1500, quantity: 2 }]), ({ items }) =>
        provider.changeQuantity({ item_id: items.data[0]?.id ?? "", quantity: 3, key: "seat-3" })
      ),
    effects: (emulator) =>
      emulator.events().filter(({ type }) => type === "customer.subscription.updated").length
  }
]

/** Whether one occurrence is overcome within the call, or the call fails and the next one succeeds. */
const kinds: ReadonlyArray<FaultKind> = [
  "error_500",
  "rate_limited",
  "key_in_use",
  "lost_response",
  "no_answer",
  "no_answer_after",
  "duplicate",
  "bare_404",
  "not_json",
  "redirect"
]

/** Timeouts that no answer exceeds, however slow the machine is. */
const patient = { requestTimeout: "1 hour", retryDelay: "5 millis", timeout: "1 day" } as const

/** Lets requests on real sockets proceed between two steps of the test clock. */
const turn = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 5)))

/**
 * Requests a change while the test clock advances: past the timeout of each request once the emulator has left it without
 * an answer, and otherwise only for the waits before retries.
 */
const timed = <A, E>(emulator: StripeEmulator, kind: FaultKind, change: Effect.Effect<A, E>) =>
  Effect.suspend(() => {
    const silences = () =>
      kind === "no_answer" || kind === "no_answer_after"
        ? emulator.requests().filter(({ status }) => status === null).length
        : 0
    let timedOut = silences()
    const advance = Effect.suspend(() => {
      if (silences() === timedOut) return TestClock.adjust("10 millis")
      timedOut += 1
      return TestClock.adjust(patient.requestTimeout)
    })
    return Effect.raceFirst(change, Effect.forever(Effect.andThen(turn, advance)))
  })

describe("one fault", () => {
  for (const step of steps)
    for (const kind of kinds)
      it.effect(`${kind} during ${step.operation} is overcome, and the change takes effect once`, () =>
        Effect.gen(function* () {
          const { emulator, provider } = yield* payments(patient)
          const change = yield* step.prepare(emulator, provider)
          yield* emulator.fault({ operation: step.operation, kind })
          yield* timed(emulator, kind, change)
          assert.strictEqual(step.effects(emulator), 1)
        })
      )
})

describe("a fault that lasts", () => {
  for (const step of steps)
    for (const kind of [
      "error_500",
      "lost_response",
      "no_answer_after",
      "bare_404",
      "redirect",
      "endless"
    ] as const)
      it.effect(
        `${kind} during ${step.operation} makes the provider unavailable, and the next call works`,
        () =>
          Effect.gen(function* () {
            const { emulator, provider } = yield* payments(patient)
            const change = yield* step.prepare(emulator, provider)
            yield* emulator.fault({ operation: step.operation, kind, times: 3 })
            const failure = yield* timed(emulator, kind, Effect.flip(change))
            assert.strictEqual(failure._tag, "PaymentProviderUnavailable")
            yield* change
            assert.strictEqual(step.effects(emulator), 1)
          })
      )

  for (const step of steps.filter(({ operation }) => operation !== "payment_intents.cancel"))
    it.live(`is overcome where Stripe keeps it under the key of ${step.operation}`, () =>
      Effect.gen(function* () {
        const { emulator, provider } = yield* payments(patient)
        const change = yield* step.prepare(emulator, provider)
        yield* emulator.fault({ operation: step.operation, kind: "error_500_after" })
        yield* change
        yield* change
        assert.strictEqual(step.effects(emulator), 1)
      })
    )

  it.live("is overcome by the next attempt where Stripe keeps it under the key and has made no intent", () =>
    Effect.gen(function* () {
      const { emulator, provider } = yield* payments(patient)
      yield* emulator.fault({ operation: "payment_intents.create", kind: "error_500_kept" })
      for (const _ of [1, 2])
        assert.strictEqual((yield* Effect.flip(provider.createIntent(due(500))))._tag, "AttemptSpent")
      assert.strictEqual(emulator.intents().length, 0)
      yield* provider.createIntent(due(500, "USD", 1))
      assert.strictEqual(emulator.intents().length, 1)
    })
  )

  it.live("does not hide an intent that was made before it, also behind 250 later ones", () =>
    Effect.gen(function* () {
      const { emulator, provider } = yield* payments(patient)
      yield* emulator.fault({ operation: "payment_intents.create", kind: "error_500_after" })
      const made = yield* provider.createIntent(due(500))
      yield* Effect.forEach(Array.from({ length: 250 }), (_, at) => provider.createIntent(due(1000 + at)), {
        concurrency: 8
      })
      const again = yield* provider.createIntent(due(500))
      assert.deepStrictEqual([again.intent_id, emulator.intents().length], [made.intent_id, 251])
      assert.isNotNull(again.client_secret)
    })
  )

  it.live("is not repeated where the request is refused", () =>
    Effect.gen(function* () {
      const { emulator, provider } = yield* payments()
      yield* emulator.fault({ operation: "payment_intents.create", kind: "refusal" })
      const refusal = yield* Effect.flip(provider.createIntent(due(500)))
      assert.strictEqual(refusal._tag, "PaymentRefused")
      assert.strictEqual(emulator.requests().length, 1)
    })
  )
})

describe("an answer that is not Stripe's", () => {
  it.live("does not mean that a record is absent", () =>
    Effect.gen(function* () {
      const { emulator, provider } = yield* payments()
      yield* emulator.fault({ operation: "payment_intents.retrieve", kind: "bare_404", times: 3 })
      const failure = yield* Effect.flip(provider.intent("pi_none"))
      assert.strictEqual(failure._tag, "PaymentProviderUnavailable")
    })
  )

  it.live("is unreadable if it has no body", () =>
    Effect.gen(function* () {
      const { emulator, provider } = yield* payments(patient)
      yield* emulator.fault({ operation: "payment_intents.retrieve", kind: "no_content", times: 3 })
      const failure = yield* Effect.flip(provider.intent("pi_none"))
      assert.include(failure.message, "its answer cannot be read")
    })
  )
})

/** Lets requests proceed until that many have arrived. */
const arrived = (emulator: StripeEmulator, requests: number) =>
  eventually(() => emulator.requests().length >= requests)

/** Advances the test clock in steps of half a second. */
const pass = Effect.fnUntraced(function* (seconds: number) {
  for (let step = 0; step < seconds * 2; step++) {
    yield* turn
    yield* TestClock.adjust("500 millis")
  }
})

describe("time", () => {
  it.effect("ends a call after 10 seconds in all, with at most three requests", () =>
    Effect.gen(function* () {
      const { emulator, provider } = yield* payments()
      yield* emulator.fault({ operation: "payment_intents.create", kind: "no_answer", times: 9 })
      const call = yield* Effect.forkChild(
        Effect.flatMap(Effect.flip(provider.createIntent(due(500))), (failure) =>
          Effect.map(Clock.currentTimeMillis, (at) => ({ failure, at }))
        )
      )
      yield* arrived(emulator, 1)
      yield* pass(12)
      const { at, failure } = yield* Fiber.join(call)
      assert.strictEqual(failure._tag, "PaymentProviderUnavailable")
      assert.include(failure.message, "did not answer in time")
      assert.isAtMost(at, 10_000)
      assert.isAtMost(emulator.requests().length, 3)
    })
  )

  it.effect("limits a response that never ends", () =>
    Effect.gen(function* () {
      const { emulator, provider } = yield* payments({ retryDelay: 0 })
      yield* emulator.fault({ operation: "payment_intents.create", kind: "endless" })
      assert.strictEqual((yield* provider.createIntent(due(500))).amount.minor, 500)
      assert.strictEqual(emulator.requests().length, 2)
      // The clock stands still: the length of the response ended the first request, not its timeout.
      assert.strictEqual(yield* Clock.currentTimeMillis, 0)
    })
  )

  it.effect("counts the wait for a free place, and refuses calls for which there is none", () =>
    Effect.gen(function* () {
      const { emulator, provider } = yield* payments({ bounds: { concurrency: 2, waiting: 1 } })
      yield* emulator.fault({ operation: "payment_intents.create", kind: "no_answer", times: 99 })
      const calls = yield* Effect.forEach([1, 2, 3], (it) =>
        Effect.forkChild(Effect.flip(provider.createIntent(due(500 + it))))
      )
      yield* arrived(emulator, 2)
      const refused = yield* Effect.flip(provider.createIntent(due(999)))
      assert.include(refused.message, "too many requests to it are under way")
      assert.strictEqual(emulator.requests().length, 2)
      yield* pass(12)
      const failures = yield* Fiber.joinAll(calls)
      for (const { _tag } of failures) assert.strictEqual(_tag, "PaymentProviderUnavailable")
      yield* emulator.clearFaults
      yield* provider.createIntent(due(500))
    })
  )
})
