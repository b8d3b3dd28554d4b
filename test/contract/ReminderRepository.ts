/** The contract of `ReminderRepository`. */
import {
  type BusinessId,
  type BusinessProfile,
  BusinessProfileRepository,
  CustomerInput,
  CustomerRepository,
  InvoiceRepository,
  type NewInvoice,
  ReminderRepository,
  taxedCustomer
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { contract } from "./Contract.ts"
import { newBusiness, now } from "./Given.ts"
import { invoiceOf } from "./InvoiceRepository.ts"

const dunning = { automatic: true, levels: [{ days: 3 }, { days: 10, fee: 5 }] }

const setTerms = Effect.fnUntraced(function* (businessId: BusinessId, terms: Partial<BusinessProfile>) {
  const profiles = yield* BusinessProfileRepository
  const profile = Option.getOrThrow(yield* profiles.find(businessId))
  yield* profiles.update(businessId, { ...profile, ...terms }, now)
})

export const reminderRepository = contract("reminders of invoices", (it) => {
  it.effect("follow the terms of the business", () =>
    Effect.gen(function* () {
      const reminders = yield* ReminderRepository
      const business = yield* newBusiness
      const terms = {
        payment_terms_days: null,
        untaxed_as: "zero_rated",
        untaxed_reason: null,
        default_taxes: [],
        prices_include_tax: false,
        customer: taxedCustomer
      } as const
      assert.deepStrictEqual(yield* reminders.termsOf(business, null), terms)
      yield* setTerms(business, { payment_terms_days: 14, dunning })
      assert.deepStrictEqual(yield* reminders.termsOf(business, null), { ...terms, payment_terms_days: 14 })
      const taxes = {
        default_taxes: [
          { name: "GST", rate: 5 },
          { name: null, rate: 9.975 }
        ],
        prices_include_tax: true
      }
      yield* setTerms(business, taxes)
      const customers = yield* CustomerRepository
      const untaxed = { untaxed_as: "exempt", untaxed_reason: "Art. 151" } as const
      const { customer_id } = yield* customers.insert(
        business,
        CustomerInput.make({ name: "Embassy", ...untaxed }),
        now
      )
      const usual = { ...terms, payment_terms_days: 14, ...taxes }
      assert.deepStrictEqual(yield* reminders.termsOf(business, customer_id), { ...usual, customer: untaxed })
      assert.deepStrictEqual(yield* reminders.termsOf(business, null), usual)
      assert.deepStrictEqual(yield* reminders.termsOf(yield* newBusiness, customer_id), terms)
      assert.deepInclude(yield* reminders.settingsOf(business), { dunning })
      // Without an email credit, nothing could be sent.
      const all = yield* reminders.businesses(null, 10_000)
      assert.isFalse(all.some(({ business_id }) => business_id === business))
    })
  )

  it.effect("are due for invoices that were sent, are open, are no fees, and reached the level before", () =>
    Effect.gen(function* () {
      const reminders = yield* ReminderRepository
      const invoices = yield* InvoiceRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const customers = yield* CustomerRepository
      const insertCustomer = (email: string | null) =>
        Effect.map(
          customers.insert(business, CustomerInput.make({ name: "Ada", email }), now),
          ({ customer_id }) => customer_id
        )
      const insert = (change: Partial<NewInvoice> = {}, owner = business) =>
        Effect.map(
          invoices.insert(invoiceOf(owner, { due_date: "2026-12-01", ...change }), now),
          ({ invoice_id }) => invoice_id
        )
      const late = yield* insert({ customer_id: yield* insertCustomer("ada@example.com") })
      const later = yield* insert({ due_date: "2026-11-01" })
      yield* insert({ customer_id: yield* insertCustomer(null) })
      yield* insert({ due_date: "2026-12-02" })
      yield* insert({ due_date: null })
      yield* insert({ sent_at: null })
      yield* insert({ status: "paid" })
      yield* insert({ status: "void" })
      yield* insert({ credited_minor: 3_108 })
      yield* insert({ total_minor: 0, paid_minor: 0, status: "unpaid" })
      yield* insert({}, other)
      const fee = yield* insert({ fee_of_invoice_id: late, total_minor: 500, paid_minor: 100 })
      yield* insert({ fee_of_invoice_id: late, status: "void", total_minor: 500, paid_minor: 0 })
      assert.deepStrictEqual(
        [yield* reminders.openFees(business, late), yield* reminders.openFees(business, fee)],
        [400, 0]
      )
      const query = { reached: 0, dueBy: "2026-12-01", remindedBefore: now }
      const due = (change: Partial<typeof query> = {}) =>
        Effect.map(reminders.due(business, { ...query, ...change }, null, 10), (found) =>
          found.map(({ invoice_id }) => invoice_id)
        )
      assert.deepStrictEqual(yield* due(), [later, late])
      const [first] = yield* reminders.due(business, query, null, 1)
      assert.deepStrictEqual(first, { invoice_id: later, due_date: "2026-11-01" })
      assert.deepStrictEqual(yield* reminders.due(business, query, first ?? null, 10), [
        { invoice_id: late, due_date: "2026-12-01" }
      ])
      const stored = Option.getOrThrow(yield* invoices.find(business, late))
      const last_reminder_at = DateTime.add(now, { days: 3 })
      yield* invoices.update({ ...stored, reminder_level: 1, last_reminder_at, reminder_fees_minor: 500 })
      assert.deepStrictEqual(yield* due(), [later])
      assert.deepStrictEqual(yield* due({ reached: 1, remindedBefore: last_reminder_at }), [])
      const remindedBefore = DateTime.add(now, { days: 4 })
      assert.deepStrictEqual(yield* due({ reached: 1, remindedBefore }), [late])
      const reminder = { business_id: business, invoice_id: late, due_date: "2026-12-01", days: 3 }
      yield* reminders.add(reminder, now)
      yield* reminders.add(reminder, now)
    })
  )
})
