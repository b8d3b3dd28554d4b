/** Raising an invoice or a draft (docs/api/invoices.md). */
import { DateTime, Effect } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { makeBusinessTokens } from "../business/BusinessTokens.ts"
import { PlanRepository } from "../business/PlanRepository.ts"
import { InvalidInput, refuseIssues } from "../kernel/Errors.ts"
import { type TaxTerms, unspecifiedTaxTerms } from "../kernel/money/Taxes.ts"
import { localDay } from "../kernel/time/WallClock.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { makeLockCustomer } from "../trips/trip/CustomerReference.ts"
import type { Trip } from "../trips/trip/Trip.ts"
import { type InvoiceInput, invoiceRecord } from "./invoice/Invoice.ts"
import { InvoicedTrips, inOrderOf } from "./invoice/InvoicedTrips.ts"
import { linesOf, sumIssues, unknownTrips } from "./invoice/InvoiceLine.ts"
import { InvoiceRepository } from "./invoice/InvoiceRepository.ts"
import { settled } from "./invoice/InvoiceSums.ts"
import { invoiceEntry } from "./invoice/InvoiceTimeline.ts"
import { InvoiceUnitOfWork } from "./invoice/InvoiceUnitOfWork.ts"
import { sentTaxIssues } from "./invoice/LineTaxes.ts"
import { makeRequireWithinPlan, unpaidInvoice } from "./invoice/NewInvoices.ts"
import { dueDateOf, issueDayIssues } from "./invoice/PaymentTerms.ts"
import { daysOfTrips, sentDays, serviceDayIssues } from "./invoice/ServiceDays.ts"
import { untaxedIssues, untaxedOf } from "./invoice/Untaxed.ts"
import { lineTermsOf, ReminderRepository } from "./reminders/ReminderRepository.ts"

/** The customer of trips, null if they have none; `InvalidInput` if they have several. */
const customerOf = (trips: ReadonlyArray<Trip>) => {
  const [customer = null, ...others] = new Set(
    trips.flatMap(({ customer_id }) => (customer_id === null ? [] : [customer_id]))
  )
  return others.length === 0
    ? Effect.succeed(customer)
    : Effect.fail(
        new InvalidInput({
          issues: [{ field: "trip_ids", issue: "invalid" }],
          advice:
            "The trips are of several customers: name the one who pays (customer_id), or raise an invoice for each"
        })
      )
}

/** Makes `Invoices.create`. */
export const makeCreateInvoice = Effect.gen(function* () {
  const transaction = yield* Transaction
  const reminders = yield* ReminderRepository
  const plans = yield* PlanRepository
  const lockCustomer = yield* makeLockCustomer
  const invoices = yield* InvoiceRepository
  const invoicedTrips = yield* InvoicedTrips
  const unitOfWork = yield* InvoiceUnitOfWork
  const requireWithinPlan = yield* makeRequireWithinPlan
  const { newToken } = yield* makeBusinessTokens

  /** The customer of trips, locked; null if they have none, or if it was deleted: then the trips say who is billed. */
  const customerOfTrips = Effect.fnUntraced(function* (acting: ActingBusiness, trips: ReadonlyArray<Trip>) {
    const customerId = yield* customerOf(trips)
    const { customer } = yield* lockCustomer(acting, customerId)
    return customer === null ? null : customerId
  })

  return traced("Invoices.create")(function* (
    acting: ActingBusiness,
    input: InvoiceInput,
    own: TaxTerms = unspecifiedTaxTerms
  ) {
    const { business_id, timezone } = acting
    const currency = input.currency ?? acting.currency
    return yield* atomically(transaction, function* () {
      const plan = yield* plans.lock(business_id)
      // Read under the lock, so that the numbers have the order of the times.
      const now = yield* DateTime.now
      const usual = yield* reminders.termsOf(business_id, input.customer_id)
      const sent = linesOf(input.items, currency, lineTermsOf(usual, input), own)
      const today = localDay(now, timezone)
      const issued_on = input.issued_on ?? today
      const isEmpty = input.items.length === 0 && input.trip_ids.length === 0
      yield* refuseIssues([
        ...(isEmpty ? [{ field: "items", issue: "required" as const }] : []),
        ...sent.issues,
        ...sentTaxIssues(input),
        ...untaxedIssues(untaxedOf(input, usual, usual.customer)),
        ...issueDayIssues(issued_on, today),
        ...serviceDayIssues(input),
        ...(yield* lockCustomer(acting, input.customer_id)).issues
      ])
      const trips = yield* invoicedTrips.lockForInvoice(acting, null, input.trip_ids, currency)
      yield* refuseIssues(unknownTrips(sent.lines, input.trip_ids))
      const customer_id = input.customer_id ?? (yield* customerOfTrips(acting, trips))
      const terms =
        customer_id === input.customer_id ? usual : yield* reminders.termsOf(business_id, customer_id)
      const lineTerms = lineTermsOf(terms, input)
      const lines =
        input.items.length > 0
          ? linesOf(input.items, currency, lineTerms, own).lines
          : settled(
              yield* invoicedTrips.linesOf(acting, inOrderOf(input.trip_ids, trips), lineTerms),
              currency
            )
      const untaxed = untaxedOf(input, terms, terms.customer)
      yield* refuseIssues(untaxedIssues(untaxed))
      yield* refuseIssues(sumIssues(lines, currency, input.items.length > 0 ? "items" : "trip_ids"))
      if (input.draft !== true) yield* requireWithinPlan(acting, plan, now)
      const { token } = yield* newToken("invoice", business_id)
      const termsDays = yield* reminders.termsDaysOf(business_id, customer_id)
      const raised = unpaidInvoice({
        status: input.draft === true ? "draft" : "unpaid",
        business_id,
        customer_id,
        currency,
        lines,
        issued_on,
        due_date: input.due_date ?? dueDateOf(issued_on, termsDays),
        ...(daysOfTrips(trips, timezone) ?? sentDays(input)),
        buyer_reference: input.buyer_reference,
        notes: input.notes,
        payment_hash: token,
        ...untaxed
      })
      const stored = yield* invoices.insert(raised, now)
      yield* unitOfWork.record(acting, stored.invoice_id, [invoiceEntry("created")])
      yield* invoicedTrips.link(acting, trips, stored.invoice_id, "unpaid")
      const trip_ids = trips.map(({ trip_id }) => trip_id)
      const record = invoiceRecord({ ...stored, trip_ids }, { now, timezone })
      yield* unitOfWork.emit(acting, "invoice.created", record)
      return record
    })
  })
})
