// A fault of the payment provider at any step of card payments and refunds leaves nothing behind: once the request is
// repeated, every amount was collected and returned once.
import {
  CreditNoteInput,
  CreditNotes,
  Invoices,
  PaymentId,
  PaymentInput,
  Payments,
  RefundInput
} from "@livery/domain"
import { Memory } from "@livery/memory"
import type { FaultKind, OperationName } from "@livery/stripe-emulator"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { billingWith, newInvoice } from "./support/Bookkeeping.ts"
import { isFull } from "./support/Extent.ts"

const operations: ReadonlyArray<OperationName> = [
  "payment_intents.create",
  "payment_intents.retrieve",
  "payment_intents.cancel",
  "refunds.create",
  "refunds.list"
]
/** Faults, each with the number of its consecutive occurrences. After three, the call fails. */
const usual: ReadonlyArray<readonly [FaultKind, number]> = [
  ["error_500", 3],
  ["error_500_after", 1],
  ["refusal", 1],
  ["no_answer_after", 1],
  ["lost_response", 3],
  ["duplicate", 1]
]
const others: ReadonlyArray<readonly [FaultKind, number]> = [
  ["error_500", 1],
  ["refusal", 3],
  ["no_answer", 1],
  ["no_answer", 3],
  ["no_answer_after", 3],
  ["lost_response", 1],
  ["duplicate", 3]
]

/** Repeats a request that the provider refused or did not answer. */
const repeated = <A, E extends { readonly _tag: string }>(request: Effect.Effect<A, E>) =>
  Effect.orDie(
    Effect.retry(request, {
      times: 20,
      while: ({ _tag }) => _tag === "PaymentProviderUnavailable" || _tag === "PaymentRefused"
    })
  )

const brief = { requestTimeout: "1 second", retryDelay: "5 millis", timeout: "8 seconds" } as const

layer(billingWith(brief).pipe(Layer.provideMerge(Memory.layer)), {
  timeout: 60_000,
  excludeTestServices: true
})("a fault of the payment provider", (it) => {
  for (const operation of operations)
    for (const [kind, times] of isFull ? [...usual, ...others] : usual)
      it.effect(`${kind} (${times}) during ${operation}, neither loses nor doubles an amount`, () =>
        Effect.gen(function* () {
          const [invoices, payments, notes] = [yield* Invoices, yield* Payments, yield* CreditNotes]
          const of = yield* newInvoice({ items: [{ description: "Ride", unit_price: 100 }] })
          const { acting, begin, emulator, invoiceId } = of
          yield* emulator.clearFaults
          yield* emulator.fault({ operation, kind, times })
          yield* repeated(begin)
          yield* of.recordByHand(yield* Schema.decodeEffect(PaymentInput)({ amount: 40, method: "cash" }))
          yield* repeated(begin)
          const open = of.intents().filter(({ status }) => status === "requires_payment_method")
          assert.deepStrictEqual(
            open.map(({ amount }) => amount),
            [6_000]
          )
          yield* emulator.pay(open[0]?.id ?? "none")
          yield* repeated(of.deliverAll)
          const [, card] = yield* of.entries
          const paymentId = PaymentId.make(card?.payment_id ?? 0)
          const refund = (amount: number) =>
            repeated(
              payments.refund(acting, invoiceId, paymentId, Schema.decodeSync(RefundInput)({ amount }))
            )
          yield* refund(10)
          const credit = { items: [{ description: "Delay", unit_price: 20 }] }
          yield* notes.create(acting, invoiceId, yield* Schema.decodeEffect(CreditNoteInput)(credit))
          const { amount_to_refund } = yield* invoices.get(acting, invoiceId)
          if (amount_to_refund > 0) yield* refund(amount_to_refund)
          yield* repeated(of.deliverAll)
          assert.deepInclude(yield* invoices.get(acting, invoiceId), {
            status: "paid",
            amount_paid: 80,
            amount_credited: 20,
            amount_due: 0,
            amount_to_refund: 0
          })
          const collected = of.intents().filter(({ status }) => status === "succeeded")
          assert.deepStrictEqual(
            collected.map(({ amount_received }) => amount_received),
            [6_000]
          )
          assert.deepStrictEqual(
            of.refunds().map(({ amount }) => amount),
            [1_000, 1_000]
          )
          assert.deepStrictEqual(["payment.succeeded", "invoice.paid"].map(of.countOf), [2, 2])
          yield* of.consistent
          yield* of.conserved
        })
      )
})
