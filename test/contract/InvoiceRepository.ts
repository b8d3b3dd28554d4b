/** The contract of `InvoiceRepository`. */
import { type BusinessId, Currency, type CustomerId, type Invoice, InvoiceRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { contract, Records, unique } from "./Contract.ts"
import { changeTrip, newBusiness, newCustomer, newTrip, now, wholeList } from "./Given.ts"

const invoiceOf = (
  business_id: BusinessId,
  customer_id: CustomerId
): Omit<Invoice, "invoice_id" | "trip_ids"> => ({
  business_id,
  customer_id,
  number: unique("INV"),
  status: "partial",
  currency: Currency.make("CHF"),
  subtotal_minor: 10_000,
  tax_minor: 810,
  total_minor: 10_810,
  paid_minor: 5_000,
  due_date: "2026-12-20",
  notes: null,
  sent_at: now,
  viewed_at: null,
  created_at: now,
  updated_at: now
})

export const invoiceRepository = contract("invoices", (it) => {
  it.effect("of a customer are listed with their trips, the newest first", () =>
    Effect.gen(function* () {
      const invoices = yield* InvoiceRepository
      const records = yield* Records
      const business = yield* newBusiness
      const [customer, other] = [yield* newCustomer(business), yield* newCustomer(business)]
      const [first, second] = [invoiceOf(business, customer), invoiceOf(business, customer)]
      const [firstId, secondId] = [yield* records.addInvoice(first), yield* records.addInvoice(second)]
      yield* records.addInvoice(invoiceOf(business, other))
      const trips = [yield* newTrip(business), yield* newTrip(business), yield* newTrip(business)]
      const [one, deleted, two] = trips.map(({ trip_id }) => trip_id)
      if (one === undefined || deleted === undefined || two === undefined) return assert.fail("no trips")
      for (const tripId of [two, deleted, one]) yield* changeTrip(business, tripId, { invoice_id: firstId })
      yield* changeTrip(business, deleted, { deleted_at: now })
      const page = yield* invoices.ofCustomer(business, customer, wholeList)
      assert.deepStrictEqual(page, {
        items: [
          { ...second, invoice_id: secondId, trip_ids: [] },
          { ...first, invoice_id: firstId, trip_ids: [one, two] }
        ],
        total: 2,
        hasMore: false
      })
    })
  )

  it.effect("of another business's customer are none", () =>
    Effect.gen(function* () {
      const invoices = yield* InvoiceRepository
      const records = yield* Records
      const business = yield* newBusiness
      const customer = yield* newCustomer(business)
      yield* records.addInvoice(invoiceOf(business, customer))
      const page = yield* invoices.ofCustomer(yield* newBusiness, customer, wholeList)
      assert.deepStrictEqual(page, { items: [], total: 0, hasMore: false })
    })
  )
})
