/** The use cases of invoices (docs/api/invoices.md). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { PlanRepository } from "../business/PlanRepository.ts"
import { forReader, pageForReader } from "../business/CurrentRole.ts"
import { Conflict, orNotFound, refuseIssues } from "../kernel/Errors.ts"
import type { InvoiceId } from "../kernel/Ids.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { makeLockCustomer } from "../trips/trip/CustomerReference.ts"
import {
  type Invoice,
  type InvoiceChanges,
  invoiceRecord,
  type InvoiceRecord,
  isDraft,
  sealedAt
} from "./invoice/Invoice.ts"
import { makeCreateInvoice } from "./InvoiceCreation.ts"
import { makeInvoiceEndings } from "./InvoiceEndings.ts"
import { linesOf, tripsNamedBy, unknownTrips } from "./invoice/InvoiceLine.ts"
import { nothingSent } from "./invoice/LineTaxes.ts"
import { invoiceTimelineRecord } from "./invoice/InvoiceTimeline.ts"
import { InvoiceTimelineRepository } from "./invoice/InvoiceTimelineRepository.ts"
import { InvoiceRepository } from "./invoice/InvoiceRepository.ts"
import { requireOpen, requireUnsealed, sealedFieldsOf } from "./invoice/InvoiceRules.ts"
import { InvoiceUnitOfWork } from "./invoice/InvoiceUnitOfWork.ts"
import { makeRequireWithinPlan } from "./invoice/NewInvoices.ts"
import { issueDayIssues } from "./invoice/PaymentTerms.ts"
import { serviceDayIssues } from "./invoice/ServiceDays.ts"
import { untaxedAfter, untaxedIssues } from "./invoice/Untaxed.ts"
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

/** `NotFound` if the invoice is absent or another business's; `Conflict` if the precondition fails. */
export class Invoices extends Context.Service<Invoices>()("@livery/domain/Invoices", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const reminders = yield* ReminderRepository
    const plans = yield* PlanRepository
    const lockCustomer = yield* makeLockCustomer
    const invoices = yield* InvoiceRepository
    const unitOfWork = yield* InvoiceUnitOfWork
    const endings = yield* makeInvoiceEndings
    const timeline = yield* InvoiceTimelineRepository
    const requireWithinPlan = yield* makeRequireWithinPlan

    const create = yield* makeCreateInvoice

    const recordOf = (acting: ActingBusiness, invoice: Invoice) =>
      Effect.map(DateTime.now, (now) => invoiceRecord(invoice, { now, timezone: acting.timezone }))

    const void_ = traced("Invoices.void")(function* (acting: ActingBusiness, invoiceId: InvoiceId) {
      return yield* atomically(transaction, function* () {
        const before = yield* unitOfWork.lock(acting, invoiceId)
        return yield* recordOf(acting, yield* endings.void(acting, before))
      })
    })

    return {
      /**
       * Raises an invoice under the business's next number, or without one as a draft, and sends `invoice.created`. Its lines are
       * the items of the input; without items, each trip gets a line. If the input names no customer, the invoice is for the
       * customer of the trips, unless it was deleted. `own` are the taxes of what the items charge, for an item and a request
       * that name none. `InvalidInput` if the trips then have several customers, without items and trips, and for a customer
       * or a trip that the business does not have; `Conflict` for a trip that is on another invoice; `PlanLimitExceeded`
       * beyond the plan's invoices of the month on the business's clock.
       */
      create,

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
          const before = yield* unitOfWork.lock(acting, invoiceId)
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
