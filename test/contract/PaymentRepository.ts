/** The contract of `PaymentRepository`. */
import {
  Currency,
  InvoiceRepository,
  type NewPayment,
  type PaymentId,
  PaymentRepository
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { contract } from "./Contract.ts"
import { newBusiness, now, wholeList } from "./Given.ts"
import { invoiceDraft } from "./InvoiceDraft.ts"

const currency = Currency.make("CHF")

/** A new business with an invoice, and a function that adds an entry for it. */
const given = Effect.gen(function* () {
  const business = yield* newBusiness
  const invoices = yield* InvoiceRepository
  const payments = yield* PaymentRepository
  const { invoice_id } = yield* invoices.insert(
    invoiceDraft(business, { subtotal_minor: 1_000, total_minor: 1_000, currency }),
    now
  )
  const entry = (change: Partial<NewPayment> = {}): NewPayment => ({
    business_id: business,
    invoice_id,
    kind: "payment",
    amount_minor: 400,
    currency,
    method: "cash",
    received_at: now,
    reference: null,
    refund_of: null,
    provider_id: null,
    ...change
  })
  const append = (change: Partial<NewPayment> = {}) => payments.append(entry(change), now)
  return { append, business, entry, invoice_id, payments }
})

export const paymentRepository = contract("the ledger of payments", (it) => {
  it.effect("has the entries of an invoice in their order, in their own business only", () =>
    Effect.gen(function* () {
      const { append, business, entry, invoice_id, payments } = yield* given
      const first = yield* append({ reference: "R-1" })
      const second = yield* append({ kind: "refund", amount_minor: 100, refund_of: first.payment_id })
      const third = yield* append({ kind: "excess", method: "card", provider_id: "pi_1" })
      assert.deepStrictEqual(first, {
        ...entry({ reference: "R-1" }),
        payment_id: first.payment_id,
        created_at: now
      })
      const entries = [first, second, third]
      assert.deepStrictEqual(yield* payments.ofInvoice(business, invoice_id), entries)
      assert.deepStrictEqual(yield* payments.list(business, invoice_id, { page: 1, perPage: 2 }), {
        items: [first, second],
        total: 3,
        hasMore: true
      })
      assert.deepStrictEqual(yield* payments.find(business, second.payment_id), Option.some(second))
      const other = yield* newBusiness
      assert.deepStrictEqual(yield* payments.find(other, second.payment_id), Option.none())
      assert.deepStrictEqual(yield* payments.ofInvoice(other, invoice_id), [])
      assert.deepStrictEqual((yield* payments.list(other, invoice_id, wholeList)).items, [])
      const ids: ReadonlyArray<PaymentId> = entries.map(({ payment_id }) => payment_id)
      assert.lengthOf(new Set(ids), 3)
    })
  )
})
