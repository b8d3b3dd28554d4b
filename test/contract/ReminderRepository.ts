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
      yield* setTerms(business, { payment_terms_days: 14, reminder_days: [3, 10] })
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
      // Without an email credit, nothing could be sent.
      const all = yield* reminders.businesses(null, 10_000)
      assert.isFalse(all.some(({ business_id }) => business_id === business))
    })
  )

  it.effect(
    "are due for invoices that were sent, are open and have no reminder of the step or a later one",
    () =>
      Effect.gen(function* () {
        const reminders = yield* ReminderRepository
        const invoices = yield* InvoiceRepository
        const [business, other] = [yield* newBusiness, yield* newBusiness]
        const insert = (change: Partial<NewInvoice> = {}, owner = business) =>
          Effect.map(
            invoices.insert(invoiceOf(owner, { due_date: "2026-12-01", ...change }), now),
            ({ invoice_id }) => invoice_id
          )
        const late = yield* insert()
        const later = yield* insert({ due_date: "2026-11-01" })
        yield* insert({ due_date: "2026-12-02" })
        yield* insert({ due_date: null })
        yield* insert({ sent_at: null })
        yield* insert({ status: "paid" })
        yield* insert({ status: "void" })
        yield* insert({ credited_minor: 3_108 })
        yield* insert({ total_minor: 0, paid_minor: 0, status: "unpaid" })
        yield* insert({}, other)
        const due = (days: number, limit = 10) => reminders.due(business, "2026-12-01", days, limit)
        assert.deepStrictEqual(yield* due(3), [later, late])
        assert.deepStrictEqual(yield* due(3, 1), [later])
        const reminder = { business_id: business, invoice_id: late, due_date: "2026-12-01", days: 3 }
        assert.isTrue(yield* reminders.add(reminder, now))
        assert.isFalse(yield* reminders.add(reminder, DateTime.add(now, { days: 1 })))
        assert.isFalse(yield* reminders.add({ ...reminder, days: 0 }, now))
        assert.deepStrictEqual([yield* due(3), yield* due(0)], [[later], [later]])
        assert.deepStrictEqual(yield* due(10), [later, late])
        // Another due date begins anew.
        const stored = Option.getOrThrow(yield* invoices.find(business, late))
        yield* invoices.update({ ...stored, due_date: "2026-11-30" })
        assert.deepStrictEqual(yield* due(3), [later, late])
      })
  )
})
