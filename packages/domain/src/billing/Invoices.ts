/** The use cases of invoices (docs/api/invoices.md). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { PlanRepository } from "../business/PlanRepository.ts"
import { forReader, pageForReader } from "../business/CurrentRole.ts"
import { Conflict, InvalidInput, orNotFound, refuseIssues } from "../kernel/Errors.ts"
import type { InvoiceId } from "../kernel/Ids.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { makeBusinessTokens } from "../business/BusinessTokens.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { type TaxTerms, unspecifiedTaxTerms } from "../kernel/money/Taxes.ts"
import type { Trip } from "../trips/trip/Trip.ts"
import { makeLockCustomer } from "../trips/trip/CustomerReference.ts"
import {
  type Invoice,
  type InvoiceChanges,
  type InvoiceInput,
  invoiceRecord,
  type InvoiceRecord,
  isDraft,
  sealedAt
} from "./invoice/Invoice.ts"
import { makeInvoiceEndings } from "./InvoiceEndings.ts"
import { InvoicedTrips, inOrderOf } from "./invoice/InvoicedTrips.ts"
import { sumIssues, linesOf, tripsNamedBy, unknownTrips } from "./invoice/InvoiceLine.ts"
import { settled } from "./invoice/InvoiceSums.ts"
import { nothingSent, sentTaxIssues } from "./invoice/LineTaxes.ts"
import { invoiceEntry, invoiceTimelineRecord } from "./invoice/InvoiceTimeline.ts"
import { InvoiceTimelineRepository } from "./invoice/InvoiceTimelineRepository.ts"
import { InvoiceRepository } from "./invoice/InvoiceRepository.ts"
import { requireOpen, requireUnsealed, sealedFieldsOf } from "./invoice/InvoiceRules.ts"
import { InvoiceUnitOfWork } from "./invoice/InvoiceUnitOfWork.ts"
import { makeRequireWithinPlan, unpaidInvoice } from "./invoice/NewInvoices.ts"
import { dueDateOf, issueDayIssues } from "./invoice/PaymentTerms.ts"
import { daysOfTrips, sentDays, serviceDayIssues } from "./invoice/ServiceDays.ts"
import { untaxedAfter, untaxedIssues, untaxedOf } from "./invoice/Untaxed.ts"
import { lineTermsOf, ReminderRepository } from "./reminders/ReminderRepository.ts"
import { dayRangeIssues, dayRangeOf } from "../kernel/time/DayRange.ts"
import { localDay } from "../kernel/time/WallClock.ts"
import { traced } from "../kernel/TracedFunction.ts"
import type { InvoiceFilter } from "./invoice/InvoiceFilter.ts"

/** `force` confirms the deletion of a sent invoice; `precondition` checks the invoice before it is deleted. */
export interface InvoiceRemovalTerms {
  readonly force?: boolean
  readonly precondition?: Precondition<InvoiceRecord>
}

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

/** `NotFound` if the invoice is absent or another business's; `Conflict` if the precondition fails. */
export class Invoices extends Context.Service<Invoices>()("@livery/domain/Invoices", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const reminders = yield* ReminderRepository
    const plans = yield* PlanRepository
    const lockCustomer = yield* makeLockCustomer
    const invoices = yield* InvoiceRepository
    const invoicedTrips = yield* InvoicedTrips
    const unitOfWork = yield* InvoiceUnitOfWork
    const endings = yield* makeInvoiceEndings
    const timeline = yield* InvoiceTimelineRepository
    const requireWithinPlan = yield* makeRequireWithinPlan
    const { newToken } = yield* makeBusinessTokens

    /** The customer of trips, locked; null if they have none, or if it was deleted: then the trips say who is billed. */
    const customerOfTrips = Effect.fnUntraced(function* (acting: ActingBusiness, trips: ReadonlyArray<Trip>) {
      const customerId = yield* customerOf(trips)
      const { customer } = yield* lockCustomer(acting, customerId)
      return customer === null ? null : customerId
    })

    const recordOf = (acting: ActingBusiness, invoice: Invoice) =>
      Effect.map(DateTime.now, (now) => invoiceRecord(invoice, { now, timezone: acting.timezone }))

    const void_ = traced("Invoices.void")(function* (acting: ActingBusiness, invoiceId: InvoiceId) {
      return yield* atomically(transaction, function* () {
        const before = yield* endings.lock(acting, invoiceId)
        return yield* recordOf(acting, yield* endings.void(acting, before))
      })
    })

    return {
      /**
       * Raises an invoice under the business's next number, or without one as a draft, and sends `invoice.created`. Its lines are the items of
       * the input; without items, each trip gets a line. If the input names no customer, the invoice is for the customer of
       * the trips, unless it was deleted. `own` are the taxes of what the items charge, for an item and a request that name none. `InvalidInput` if the trips have several then, without items and trips, and for a customer or
       * a trip that the business does not have; `Conflict` for a trip that is on another invoice; `PlanLimitExceeded`
       * beyond the plan's invoices of the month on the business's clock.
       */
      create: traced("Invoices.create")(function* (
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
          const record = yield* recordOf(acting, {
            ...stored,
            trip_ids: trips.map(({ trip_id }) => trip_id)
          })
          yield* unitOfWork.emit(acting, "invoice.created", record)
          return record
        })
      }),

      /** The business's invoices, the newest first; with `overdue`, those due the longest. `InvalidInput` if the first day of a list is after the last one. */
      list: traced("Invoices.list")(function* (
        acting: ActingBusiness,
        filter: InvoiceFilter,
        page: PageRequest
      ) {
        yield* refuseIssues(dayRangeIssues(filter))
        const { customer_id: customerId, overdue, search = null, status } = filter
        const at = { now: yield* DateTime.now, timezone: acting.timezone }
        const query = {
          dueBefore: overdue === true ? localDay(at.now, acting.timezone) : undefined,
          status,
          customerId,
          number: search?.toUpperCase(),
          ...dayRangeOf(filter, acting.timezone)
        }
        const records = yield* invoices.list(acting.business_id, query, page)
        const items = records.items.map((invoice) => invoiceRecord(invoice, at))
        return yield* pageForReader("billing", { ...records, items })
      }),

      get: traced("Invoices.get")(function* (acting: ActingBusiness, invoiceId: InvoiceId) {
        const invoice = yield* invoices.find(acting.business_id, invoiceId)
        return yield* forReader("billing", yield* recordOf(acting, yield* orNotFound("invoice")(invoice)))
      }),

      /**
       * Changes the given fields. Without a reason, another `untaxed_as` takes that of the business. A sealed invoice takes
       * other `notes`, and a customer where it has none, which leaves its document as it is; `Conflict` for any other
       * change of it, and for items of a void invoice.
       */
      update: traced("Invoices.update")(function* (
        acting: ActingBusiness,
        invoiceId: InvoiceId,
        { items, ...changes }: InvoiceChanges,
        precondition: Precondition<InvoiceRecord> = unconditional
      ) {
        return yield* atomically(transaction, function* () {
          const missing = (yield* lockCustomer(acting, changes.customer_id)).issues
          const before = yield* unitOfWork.lock(acting, invoiceId)
          yield* precondition(yield* recordOf(acting, before))
          const terms = yield* reminders.termsOf(
            acting.business_id,
            changes.customer_id === undefined ? before.customer_id : changes.customer_id
          )
          const sent = linesOf(items ?? [], before.currency, lineTermsOf(terms, nothingSent))
          yield* refuseIssues([
            ...missing,
            ...(items?.length === 0 ? [{ field: "items", issue: "required" as const }] : []),
            ...sent.issues,
            // A trip that was deleted is still charged by its line.
            ...unknownTrips(sent.lines, [...before.trip_ids, ...tripsNamedBy(before.lines)])
          ])
          const usual = changes.untaxed_as === undefined ? before : terms
          const untaxed = untaxedAfter(before, changes, usual)
          const today = localDay(yield* DateTime.now, acting.timezone)
          yield* refuseIssues([
            ...untaxedIssues(untaxed),
            ...(changes.issued_on === undefined ? [] : issueDayIssues(changes.issued_on, today)),
            ...serviceDayIssues({ ...before, ...changes })
          ])
          const wanted = {
            ...before,
            ...changes,
            ...untaxed,
            lines: items === undefined ? before.lines : sent.lines
          }
          yield* requireUnsealed(before, sealedFieldsOf(before, wanted))
          if (items !== undefined && before.sealed_at === null) yield* requireOpen(before, "items")
          return yield* recordOf(acting, yield* unitOfWork.commit(acting, before, wanted))
        })
      }),

      /** Every change of the invoice, the oldest first. */
      timeline: traced("Invoices.timeline")(function* (
        { business_id }: ActingBusiness,
        invoiceId: InvoiceId,
        page: PageRequest
      ) {
        const entries = yield* orNotFound("invoice")(yield* timeline.list(business_id, invoiceId, page))
        return mapPage(entries, (entry) => invoiceTimelineRecord(entry))
      }),

      /**
       * Seals an invoice: from then on it does not change, and its PDF is kept. A draft gets the business's next number, and
       * its time of creation and its day of issue are those of now. No change if it is sealed. `Conflict` if it is void; `PlanLimitExceeded` for
       * a draft beyond the plan's invoices of the month.
       */
      issue: traced("Invoices.issue")(function* (acting: ActingBusiness, invoiceId: InvoiceId) {
        return yield* atomically(transaction, function* () {
          const plan = yield* plans.lock(acting.business_id)
          const before = yield* unitOfWork.lock(acting, invoiceId)
          if (before.status === "void" && before.sealed_at === null)
            return yield* new Conflict({ reason: `Invoice ${before.number} is void, and is not issued` })
          const now = yield* DateTime.now
          if (isDraft(before)) yield* requireWithinPlan(acting, plan, now)
          const numbered = isDraft(before)
            ? yield* invoices.drawNumber({ ...before, issued_on: localDay(now, acting.timezone) }, now)
            : before
          return yield* recordOf(acting, yield* unitOfWork.commit(acting, before, sealedAt(numbered, now)))
        })
      }),

      /**
       * Voids an unpaid invoice and detaches its trips. `IllegalTransition` for any other, `Conflict` for one with
       * credit notes.
       */
      void: void_,

      /**
       * Voids an invoice, which stays readable under its number, and returns the invoice as it was before. A draft is removed
       * with its timeline. No change if it is void. `Conflict` if it ever had a payment or a credit note; `ConfirmationRequired` if it is sealed, unless `force`
       * is true.
       */
      remove: traced("Invoices.remove")(function* (
        acting: ActingBusiness,
        invoiceId: InvoiceId,
        { force = false, precondition = unconditional }: InvoiceRemovalTerms = {}
      ) {
        return yield* atomically(transaction, function* () {
          const before = yield* endings.lock(acting, invoiceId)
          const record = yield* recordOf(acting, before)
          yield* precondition(record)
          yield* endings.remove(acting, before, force)
          return record
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Invoices, Invoices.make).pipe(Layer.provide(InvoiceUnitOfWork.layer))
}
