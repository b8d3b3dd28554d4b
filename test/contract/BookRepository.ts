/** The contract of `BookRepository`. */
import {
  type BookDays,
  type BookEntry,
  type BookEntryType,
  bookPositionOf,
  BookRepository,
  type BusinessId,
  BusinessProfileRepository,
  CreditNoteRepository,
  Currency,
  defaultAccounting,
  type InvoiceId,
  InvoiceRepository,
  type NewInvoice,
  type NewPayment,
  PaymentRepository
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { contract } from "./Contract.ts"
import { changeTrip, newBusiness, newCustomer, newTrip, now } from "./Given.ts"
import { invoiceDraft } from "./InvoiceDraft.ts"

const currency = Currency.make("USD")

const november: BookDays = { from: "2026-11-01", to: "2026-11-30", timezone: "Europe/Zurich" }

const insertInvoice = Effect.fnUntraced(function* (businessId: BusinessId, change: Partial<NewInvoice>) {
  const invoices = yield* InvoiceRepository
  return yield* invoices.insert(invoiceDraft(businessId, change), now)
})

const append = Effect.fnUntraced(function* (
  business_id: BusinessId,
  invoice_id: InvoiceId,
  change: Partial<NewPayment> = {}
) {
  const payments = yield* PaymentRepository
  return yield* payments.append(
    {
      business_id,
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
    },
    now
  )
})

/** All entries of a type, read in pages of two. */
const entries = Effect.fnUntraced(function* (businessId: BusinessId, type: BookEntryType, days = november) {
  const books = yield* BookRepository
  const read: Array<BookEntry> = []
  for (;;) {
    const last = read.at(-1)
    const after = last === undefined ? null : bookPositionOf(last, days.timezone)
    const page = yield* books.page(businessId, type, days, after, 2)
    read.push(...page)
    if (page.length < 2) return read
  }
})

const idsOf = (read: ReadonlyArray<BookEntry>) => read.map((entry) => bookPositionOf(entry, "UTC").id)

export const bookRepository = contract("books", (it) => {
  it.effect("have the invoices of the days of issue, the earliest first, in their own business only", () =>
    Effect.gen(function* () {
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const insert = (issued_on: string, owner = business) => insertInvoice(owner, { issued_on })
      const late = yield* insert("2026-11-30")
      const first = yield* insert("2026-11-01")
      const same = yield* insert("2026-11-01")
      const middle = yield* insert("2026-11-12")
      yield* insert("2026-10-31")
      yield* insert("2026-12-01")
      yield* insert("2026-11-12", other)
      const read = yield* entries(business, "invoice")
      assert.deepStrictEqual(
        idsOf(read),
        [first, same, middle, late].map(({ invoice_id }) => invoice_id)
      )
      const [entry] = read
      const { trip_ids: _trips, ...stored } = first
      assert.deepInclude(entry, { type: "invoice", invoice: stored })
    })
  )

  it.effect("have a voided invoice on the day of its voiding on the business's clock", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness
      const voided = (at: string) =>
        insertInvoice(business, {
          issued_on: "2026-10-01",
          status: "void",
          voided_at: DateTime.makeUnsafe(at)
        })
      yield* voided("2026-10-31T22:59:59Z")
      const last = yield* voided("2026-11-30T22:59:59Z")
      const first = yield* voided("2026-10-31T23:00:00Z")
      const same = yield* voided("2026-10-31T23:00:00Z")
      yield* voided("2026-11-30T23:00:00Z")
      assert.deepStrictEqual(
        idsOf(yield* entries(business, "void")),
        [first, same, last].map(({ invoice_id }) => invoice_id)
      )
    })
  )

  it.effect("have the payments by which money moved, and the credit notes, with their invoice", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness
      const notes = yield* CreditNoteRepository
      const invoice = yield* insertInvoice(business, { untaxed_as: "exempt", untaxed_reason: "Small" })
      const { invoice_id, number } = invoice
      const first = yield* append(business, invoice_id)
      const refund = yield* append(business, invoice_id, { kind: "refund", refund_of: first.payment_id })
      yield* append(business, invoice_id, { kind: "credit", refund_of: first.payment_id })
      const early = yield* append(business, invoice_id, {
        received_at: DateTime.makeUnsafe("2026-11-02T10:00:00Z")
      })
      yield* append(business, invoice_id, { received_at: DateTime.makeUnsafe("2026-12-02T10:00:00Z") })
      const read = yield* entries(business, "payment")
      assert.deepStrictEqual(
        idsOf(read),
        [early, first, refund].map(({ payment_id }) => payment_id)
      )
      const ofInvoice = { number, untaxed_as: "exempt" as const, untaxed_reason: "Small" }
      assert.deepNestedInclude(read[0], {
        "invoice.number": ofInvoice.number,
        payment: { ...early, refers_to: null }
      })
      assert.deepNestedInclude(read[2], { "payment.refers_to": "payment" })
      const note = yield* notes.insert(
        {
          business_id: business,
          invoice_id,
          reason: "price",
          currency,
          lines: [],
          taxes: [],
          subtotal_minor: -1,
          tax_minor: 0,
          total_minor: -1,
          refund_minor: 0,
          notes: null
        },
        now,
        "2026-11-20"
      )
      const [credited] = yield* entries(business, "credit_note")
      assert.deepNestedInclude(credited, { note, "invoice.untaxed_as": ofInvoice.untaxed_as })
    })
  )

  it.effect("name the customer of the invoice, and otherwise the first passenger", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness
      const customer_id = yield* newCustomer(business, {
        name: "Ada",
        company: "Engines",
        country: "de",
        account_number: "10042"
      })
      yield* insertInvoice(business, { customer_id })
      const { invoice_id } = yield* insertInvoice(business, {})
      const { trip_id } = yield* newTrip(business)
      yield* changeTrip(business, trip_id, { invoice_id })
      yield* insertInvoice(business, {})
      const nobody = {
        customer_id: null,
        name: "Ada",
        company: null,
        email: null,
        address: null,
        country: null,
        vat_number: null,
        account_number: null
      }
      assert.deepStrictEqual(
        (yield* entries(business, "invoice")).map(({ customer }) => customer),
        [
          { ...nobody, customer_id, company: "Engines", country: "DE", account_number: "10042" },
          nobody,
          { ...nobody, name: "" }
        ]
      )
    })
  )

  it.effect("have the accounts of the business", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness
      const books = yield* BookRepository
      assert.deepStrictEqual(yield* books.settingsOf(business), {
        accounting: defaultAccounting,
        country: null
      })
      const profiles = yield* BusinessProfileRepository
      const profile = Option.getOrThrow(yield* profiles.find(business))
      const accounting = { datev: { chart: "skr04", rates: [{ rate: 19, account: "4400" }] } } as const
      yield* profiles.update(business, { ...profile, accounting, country: "DE" }, now)
      assert.deepStrictEqual(yield* books.settingsOf(business), { accounting, country: "DE" })
    })
  )
})
