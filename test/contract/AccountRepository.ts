/** The contract of `AccountRepository`. */
import {
  AccountRepository,
  Currency,
  InvoiceRepository,
  type NewInvoice,
  PaymentRepository
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { contract } from "./Contract.ts"
import { changeTrip, newBusiness, newTrip, now } from "./Given.ts"
import { invoiceDraft } from "./InvoiceDraft.ts"

const currency = Currency.make("USD")

export const accountRepository = contract("accounts", (it) => {
  it.effect("are the invoices of all businesses with their entries and their trips, in pages", () =>
    Effect.gen(function* () {
      const accounts = yield* AccountRepository
      const invoices = yield* InvoiceRepository
      const payments = yield* PaymentRepository
      const [one, two] = [yield* newBusiness, yield* newBusiness]
      const draft = (business_id: typeof one): NewInvoice =>
        invoiceDraft(business_id, {
          status: "partial",
          subtotal_minor: 1_000,
          total_minor: 1_000,
          paid_minor: 400,
          currency
        })
      const before = yield* invoices.insert(draft(one), now)
      const [first, deleted, other] = [
        yield* invoices.insert(draft(one), now),
        yield* invoices.insert(draft(one), now),
        yield* invoices.insert(draft(two), now)
      ]
      yield* invoices.update({ ...deleted, deleted_at: now })
      const { invoice_id } = first
      const entry = yield* payments.append(
        {
          business_id: one,
          invoice_id,
          kind: "payment",
          amount_minor: 400,
          currency,
          method: "cash",
          received_at: now,
          reference: null,
          refund_of: null,
          provider_id: null
        },
        now
      )
      const { trip_id } = yield* newTrip(one)
      yield* changeTrip(one, trip_id, { invoice_id, payment_status: "partial" })
      assert.isAtLeast(yield* accounts.count, 4)
      const page = yield* accounts.page([one, before.invoice_id], 2)
      assert.deepStrictEqual(
        page.map(({ entries, invoice, trips }) => [invoice.invoice_id, entries, trips]),
        [
          [invoice_id, [entry], [{ trip_id, payment_status: "partial" }]],
          [deleted.invoice_id, [], []]
        ]
      )
      const next = yield* accounts.page([one, deleted.invoice_id], 10)
      assert.deepStrictEqual(
        next.map(({ invoice }) => invoice.invoice_id),
        [other.invoice_id]
      )
      assert.deepStrictEqual(yield* accounts.page([two, other.invoice_id], 10), [])
      assert.deepStrictEqual(yield* accounts.gaps, [])
    })
  )
})
