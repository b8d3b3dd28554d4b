/** The contract of `AccountRepository`. */
import {
  AccountRepository,
  Currency,
  differencesOf,
  type InvoiceLine,
  InvoiceId,
  InvoiceRepository,
  type NewInvoice,
  type NewPayment,
  PaymentRepository,
  type TripId
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
      yield* changeTrip(one, trip_id, { invoice_id, payment_status: "partial", currency })
      assert.isAtLeast(yield* accounts.count, 4)
      const page = yield* accounts.page([one, before.invoice_id], 2)
      assert.deepStrictEqual(
        page.map(({ entries, invoice, trips }) => [invoice.invoice_id, entries, trips]),
        [
          [invoice_id, [entry], [{ trip_id, payment_status: "partial", currency }]],
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

  it.effect("have the entries of other invoices that use their credit, or whose credit they use", () =>
    Effect.gen(function* () {
      const accounts = yield* AccountRepository
      const invoices = yield* InvoiceRepository
      const payments = yield* PaymentRepository
      const business = yield* newBusiness
      const [source, target] = [
        yield* invoices.insert(invoiceDraft(business), now),
        yield* invoices.insert(invoiceDraft(business), now)
      ]
      const enter = (
        { invoice_id }: typeof source,
        kind: NewPayment["kind"],
        refunded?: { readonly payment_id: NewPayment["refund_of"] }
      ) =>
        payments.append(
          {
            business_id: business,
            invoice_id,
            kind,
            amount_minor: 100,
            currency,
            method: "cash",
            received_at: now,
            reference: null,
            refund_of: refunded?.payment_id ?? null,
            provider_id: null
          },
          now
        )
      const used = yield* enter(source, "credit_used", yield* enter(source, "excess"))
      const applied = yield* enter(target, "from_credit", used)
      yield* enter(target, "correction", applied)
      const returned = yield* enter(source, "credit_returned", used)
      const idsOf = (entries: ReadonlyArray<{ readonly payment_id: number }>) =>
        entries.map(({ payment_id }) => payment_id).toSorted((one, other) => one - other)
      const before = [business, InvoiceId.make(source.invoice_id - 1)] as const
      // Also if the other invoice is on another page.
      for (const size of [1, 2]) {
        const [first] = yield* accounts.page(before, size)
        assert.deepStrictEqual(idsOf(first?.linked ?? []), [applied.payment_id])
      }
      for (const [after, at] of [
        [before, 1],
        [[business, source.invoice_id] as const, 0]
      ] as const) {
        const account = (yield* accounts.page(after, 2))[at]
        assert.deepStrictEqual(idsOf(account?.linked ?? []), [used.payment_id, returned.payment_id])
      }
    })
  )

  it.effect("tell of each trip that a line names, also of a deleted one, on which invoice it is", () =>
    Effect.gen(function* () {
      const accounts = yield* AccountRepository
      const invoices = yield* InvoiceRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const [here, deleted, elsewhere, unbilled] = [
        yield* newTrip(business),
        yield* newTrip(business),
        yield* newTrip(business),
        yield* newTrip(business)
      ]
      const foreign = yield* newTrip(other)
      const lineOf = (trip_id: TripId | null): InvoiceLine => ({
        description: "Ride",
        quantity: 1,
        unit_price_minor: 100,
        tax_rate: 0,
        net_minor: 100,
        trip_id
      })
      const named = [unbilled, elsewhere, here, deleted, foreign, here].map(({ trip_id }) => lineOf(trip_id))
      const lines = [lineOf(null), ...named]
      const sums = { subtotal_minor: 700, total_minor: 700, currency }
      const before = yield* invoices.insert(invoiceDraft(business), now)
      const { invoice_id } = yield* invoices.insert(invoiceDraft(business, { lines, ...sums }), now)
      yield* changeTrip(business, here.trip_id, { invoice_id })
      yield* changeTrip(business, elsewhere.trip_id, { invoice_id: before.invoice_id })
      yield* changeTrip(business, deleted.trip_id, { invoice_id, deleted_at: now })
      const [account] = yield* accounts.page([business, before.invoice_id], 1)
      const charged = [
        { trip_id: here.trip_id, invoice_id },
        { trip_id: deleted.trip_id, invoice_id },
        { trip_id: elsewhere.trip_id, invoice_id: before.invoice_id },
        { trip_id: unbilled.trip_id, invoice_id: null }
      ]
      assert.deepStrictEqual(account?.charged, charged)
      assert.isDefined(account)
      assert.deepStrictEqual(
        differencesOf(account).map(({ computed, stored, what }) => [what, stored, computed]),
        [
          [`invoice of trip ${elsewhere.trip_id}, which a line charges`, before.invoice_id, invoice_id],
          [`invoice of trip ${unbilled.trip_id}, which a line charges`, "none", invoice_id]
        ]
      )
      const credited = { ...account.invoice, credited_minor: 700 }
      const ended = { ...account.invoice, status: "void" as const, voided_at: now }
      assert.deepStrictEqual(differencesOf({ ...account, invoice: ended }), [])
      assert.notInclude(
        differencesOf({ ...account, invoice: credited }).map(({ what }) => what.split(" of trip")[0]),
        "invoice"
      )
    })
  )
})
