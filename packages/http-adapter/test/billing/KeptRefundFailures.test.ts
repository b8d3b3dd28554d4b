import { PaymentProvider, Unavailable } from "@livery/domain"
import { assert } from "@effect/vitest"
import type { FaultKind } from "@livery/stripe-emulator"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { superAdmin } from "../support/People.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { assertStatuses, billing, billingPg } from "./Billing.ts"
import { cards, notify } from "./CardBusiness.ts"

/** An invoice of 100 that was paid by card, and how to refund it. */
const paidWith = Effect.fnUntraced(function* (card: string) {
  const it = yield* cards
  const { emulator, invoice, key, payByCard, send, server, succeeded } = it
  const made = yield* invoice()
  yield* payByCard(made, card)
  record(yield* succeeded)
  const path = `/invoices/${String(made["invoice_id"])}/payments`
  const [payment] = records(yield* send("GET", path))
  const refundPath = `${path}/${String(payment?.["payment_id"])}/refund`
  return {
    ...it,
    made,
    refundPath,
    refund: (amount: number, headers: Readonly<Record<string, string>> = {}) =>
      server.send("POST", refundPath, { credential: key, body: { amount }, headers }),
    fault: (kind: FaultKind, times: number) => emulator.fault({ operation: "refunds.create", kind, times }),
    /** What the customer got back, in cents. */
    returned: () => emulator.charges()[0]?.amount_refunded
  }
})

const paid = Effect.suspend(() => paidWith("pm_card_visa"))

const once = [
  ["payment", 100],
  ["refund", 40]
]

billing("failures of the provider while a refund is made", (it) => {
  for (const kind of ["error_500_kept", "error_500_after", "error_500", "lost_response"] as const)
    for (const times of [1, 3, 12])
      for (const headers of [{}, { "idempotency-key": "one" }])
        it.effect(
          `(${times} × ${kind}${"idempotency-key" in headers ? ", with an Idempotency-Key" : ""}) leave it possible, once`,
          () =>
            Effect.gen(function* () {
              const { fault, ledger, made, refund, returned } = yield* paid
              yield* fault(kind, times)
              let answer = yield* refund(40, headers)
              for (let call = 0; call < times && answer.status !== 201; call++) {
                refusedAs(answer, 503, "payment_provider_unavailable")
                answer = yield* refund(40, headers)
              }
              assert.strictEqual(answer.status, 201, answer.text)
              assert.strictEqual(returned(), 4000)
              assert.deepStrictEqual(yield* ledger(made), once)
            })
        )

  it.effect("make one refund, also if the request is repeated after the provider has forgotten its key", () =>
    Effect.gen(function* () {
      const { fault, ledger, made, refund, returned } = yield* paid
      yield* fault("lost_response", 3)
      refusedAs(yield* refund(40), 503, "payment_provider_unavailable")
      assert.strictEqual(returned(), 4000)
      yield* TestClock.adjust("25 hours")
      record(yield* refund(40))
      assert.strictEqual(returned(), 4000)
      assert.deepStrictEqual(yield* ledger(made), once)
    })
  )

  it.effect("do not make a request the repetition of one whose Idempotency-Key is free again", () =>
    Effect.gen(function* () {
      const { ledger, made, refund, returned } = yield* paid
      const keyed = { "idempotency-key": "monthly" }
      record(yield* refund(40, keyed))
      yield* TestClock.adjust("23 hours")
      record(yield* refund(40, keyed))
      refusedAs(yield* refund(30, keyed), 409, "conflict")
      assert.strictEqual(returned(), 4000)
      yield* TestClock.adjust("25 hours")
      for (let call = 0; call < 2; call++)
        assert.deepInclude(record(yield* refund(30, keyed)), { refunded_amount: 30 })
      assert.strictEqual(returned(), 7000)
      assert.deepStrictEqual(yield* ledger(made), [...once, ["refund", 30]])
    })
  )

  it.effect("make one refund if another request makes it after this one has read the refunds", () =>
    Effect.gen(function* () {
      const { fault, key, ledger, made, refund, refundPath, returned, withProvider } = yield* paid
      const provider = yield* withProvider(PaymentProvider)
      let reads = 0
      const slow = yield* openServer().pipe(
        Effect.provideService(PaymentProvider, {
          ...provider,
          refundsOf: (intentId) =>
            Effect.tap(provider.refundsOf(intentId), () =>
              reads++ === 0 ? Effect.orDie(refund(40)) : Effect.void
            )
        })
      )
      yield* fault("error_500_kept", 2)
      record(yield* slow.send("POST", refundPath, { credential: key, body: { amount: 40 } }))
      assert.strictEqual(returned(), 4000)
      assert.deepStrictEqual(yield* ledger(made), once)
    })
  )

  it.effect(
    "and a fault of the database after it, which does not say that nothing was changed, make one refund",
    () =>
      Effect.gen(function* () {
        const { key, ledger, made, refund, refundPath, returned, withProvider } = yield* paid
        const provider = yield* withProvider(PaymentProvider)
        const failing = yield* openServer().pipe(
          Effect.provideService(PaymentProvider, {
            ...provider,
            intent: () =>
              Effect.die(new Unavailable({ reason: "The database is not reachable", retryAfterSeconds: 5 }))
          })
        )
        const answer = yield* failing.send("POST", refundPath, { credential: key, body: { amount: 40 } })
        refusedAs(answer, 500, "server_error")
        assert.include(answer.text, "It is unknown whether the change was saved")
        assert.strictEqual(answer.headers.get("retry-after"), "5")
        assert.strictEqual(returned(), 4000)
        record(yield* refund(40))
        assert.strictEqual(returned(), 4000)
        assert.deepStrictEqual(yield* ledger(made), once)
      })
  )

  it.effect("permit the next refunds of the payment, also of the same amount", () =>
    Effect.gen(function* () {
      const { fault, ledger, made, refund, returned } = yield* paid
      for (const amount of [40, 40, 20]) {
        yield* fault("error_500_kept", 2)
        record(yield* refund(amount))
      }
      assert.strictEqual(returned(), 10_000)
      assert.deepStrictEqual(yield* ledger(made), [...once, ["refund", 40], ["refund", 20]])
      refusedAs(yield* refund(1), 422, "invalid_request")
    })
  )

  it.effect("permit the refund again after it has failed at the bank", () =>
    Effect.gen(function* () {
      const { emulator, fault, ledger, made, refund, server } = yield* paidWith("pm_card_refundFail")
      for (let round = 0; round < 3; round++) {
        yield* fault("error_500_kept", 2)
        record(yield* refund(40))
        yield* emulator.settle(emulator.refunds().at(-1)?.id ?? "none")
        record(yield* notify(server, emulator, "refund.failed"))
      }
      assert.lengthOf(emulator.refunds(), 3)
      const failed = [
        ["refund", 40],
        ["reversal", 40]
      ]
      assert.deepStrictEqual(yield* ledger(made), [["payment", 100], ...failed, ...failed, ...failed])
    })
  )

  // The last test, because the setting holds for all businesses.
  it.effect("make one refund as long as the platform keeps the Idempotency-Key", () =>
    Effect.gen(function* () {
      const { emulator, fault, ledger, made, refund, returned, server } = yield* paid
      const { token } = yield* superAdmin(server)
      const path = "/admin/settings/idempotency_retention_days"
      record(yield* server.send("PATCH", path, { credential: token, body: { value: 3 } }))
      const keyed = { "idempotency-key": "kept" }
      yield* fault("lost_response", 3)
      refusedAs(yield* refund(40, keyed), 503, "payment_provider_unavailable")
      record(yield* notify(server, emulator, "refund.created"))
      yield* TestClock.adjust("71 hours")
      record(yield* refund(40, keyed))
      assert.strictEqual(returned(), 4000)
      assert.deepStrictEqual(yield* ledger(made), once)
    })
  )
})

billingPg("failures of the provider while a refund is made", (it) => {
  it.effect("make one refund of several requests at once", () =>
    Effect.gen(function* () {
      for (const kind of ["error_500_kept", "error_500_after"] as const) {
        const { fault, ledger, made, refund, returned } = yield* paid
        yield* fault(kind, 2)
        const answers = yield* Effect.all(
          Array.from({ length: 6 }, () => refund(40)),
          { concurrency: "unbounded" }
        )
        assertStatuses(answers, [201, 201, 201, 201, 201, 201])
        assert.strictEqual(returned(), 4000)
        assert.deepStrictEqual(yield* ledger(made), once)
      }
    })
  )
})
