/** The contract of `InvoiceFactsRepository`. */
import {
  BusinessProfileRepository,
  Currency,
  InvoiceFactsRepository,
  InvoiceRepository,
  unspecifiedSeller
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { at, contract } from "./Contract.ts"
import { changeTrip, newBusiness, newCustomer, newTrip, now } from "./Given.ts"
import { invoiceDraft } from "./InvoiceDraft.ts"

export const invoiceFactsRepository = contract("the facts of an invoice", (it) => {
  it.effect("are the business, the customer and the trips of that invoice, the earliest trip first", () =>
    Effect.gen(function* () {
      const facts = yield* InvoiceFactsRepository
      const invoices = yield* InvoiceRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const customer = yield* newCustomer(business, { name: "Ada", company: "Engines", country: "GB" })
      const invoice = yield* invoices.insert(
        invoiceDraft(business, { customer_id: customer, currency: Currency.make("CHF") }),
        now
      )
      const { invoice_id } = invoice
      const later = yield* newTrip(business, {
        trip_date: at("12:00:00"),
        po_number: "4500",
        cost_center: "Sales"
      })
      const earlier = yield* newTrip(business, {
        trip_date: at("11:00:00"),
        customer_email: "ada@example.com"
      })
      yield* newTrip(business)
      for (const { trip_id } of [later, earlier]) yield* changeTrip(business, trip_id, { invoice_id })
      const found = yield* facts.of(invoice)
      assert.deepInclude(found.seller, { business_name: "Cars", ...unspecifiedSeller })
      assert.deepStrictEqual(found.buyer, {
        name: "Ada",
        email: found.buyer?.email ?? null,
        phone: null,
        company: "Engines",
        address: null,
        country: "GB",
        vat_number: null,
        language: null,
        buyer_reference: null
      })
      assert.deepStrictEqual(
        found.trips.map(({ cost_center, customer_email, po_number, trip_date }) => [
          trip_date,
          customer_email,
          po_number,
          cost_center
        ]),
        [
          [at("11:00:00"), "ada@example.com", null, null],
          [at("12:00:00"), null, "4500", "Sales"]
        ]
      )
      const elsewhere = yield* facts.of({ ...invoice, business_id: other })
      assert.deepStrictEqual([elsewhere.buyer, elsewhere.trips], [null, []])
      assert.isNull((yield* facts.of({ ...invoice, customer_id: null })).buyer)
    })
  )

  it.effect(
    "have the trips that its lines name, also if they are on no invoice any more or were deleted",
    () =>
      Effect.gen(function* () {
        const facts = yield* InvoiceFactsRepository
        const invoices = yield* InvoiceRepository
        const [business, other] = [yield* newBusiness, yield* newBusiness]
        const invoice = yield* invoices.insert(invoiceDraft(business), now)
        const { invoice_id } = invoice
        const detached = yield* newTrip(business)
        const deleted = yield* newTrip(business)
        yield* changeTrip(business, deleted.trip_id, { invoice_id, deleted_at: now })
        const attached = yield* newTrip(business)
        yield* changeTrip(business, attached.trip_id, { invoice_id })
        const lines = [detached, deleted, attached, yield* newTrip(other)].map(({ trip_id }) => ({
          description: "Ride",
          quantity: 1,
          unit_price_minor: 100,
          tax_rate: 0,
          net_minor: 100,
          trip_id
        }))
        const idsOf = (found: typeof invoice) =>
          Effect.map(facts.of(found), ({ trips }) => trips.map(({ trip_id }) => trip_id))
        assert.deepStrictEqual(yield* idsOf(invoice), [attached.trip_id])
        assert.deepStrictEqual(
          yield* idsOf({ ...invoice, lines }),
          [detached, deleted, attached].map(({ trip_id }) => trip_id)
        )
      })
  )

  it.effect("tell whether the business allows part payments", () =>
    Effect.gen(function* () {
      const facts = yield* InvoiceFactsRepository
      const profiles = yield* BusinessProfileRepository
      const business = yield* newBusiness
      assert.isFalse(yield* facts.allowsPartPayments(business))
      const profile = Option.getOrThrow(yield* profiles.find(business))
      yield* profiles.update(business, { ...profile, part_payments_allowed: true }, now)
      assert.isTrue(yield* facts.allowsPartPayments(business))
    })
  )
})
