/** Correcting an issued invoice: a credit note over the rest of it, and a new invoice (docs/api/invoices.md). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { makeBusinessTokens } from "../business/BusinessTokens.ts"
import { PlanRepository } from "../business/PlanRepository.ts"
import { Conflict, refuseIssues } from "../kernel/Errors.ts"
import type { InvoiceId } from "../kernel/Ids.ts"
import { localDay } from "../kernel/time/WallClock.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { makeLockCustomer } from "../trips/trip/CustomerReference.ts"
import { makeCrediting } from "./ledger/Crediting.ts"
import { Ledger, type PaymentPart } from "./ledger/Ledger.ts"
import { type Invoice, invoiceRecord, isInForce, nameOfInvoice } from "./invoice/Invoice.ts"
import type { InvoiceCorrection } from "./ledger/InvoiceCorrection.ts"
import { InvoicedBookings } from "./invoice/InvoicedBookings.ts"
import { InvoicedTrips } from "./invoice/InvoicedTrips.ts"
import { type InvoiceLine, linesOf, sumIssues, tripsNamedBy, unknownTrips } from "./invoice/InvoiceLine.ts"
import { nothingSent } from "./invoice/LineTaxes.ts"
import { InvoiceRepository } from "./invoice/InvoiceRepository.ts"
import { invoiceStatusOf, tripPaymentStatusOf } from "./invoice/InvoiceStatus.ts"
import { invoiceEntry } from "./invoice/InvoiceTimeline.ts"
import { InvoiceUnitOfWork } from "./invoice/InvoiceUnitOfWork.ts"
import { makeRequireWithinPlan, unpaidInvoice } from "./invoice/NewInvoices.ts"
import { issueDayIssues } from "./invoice/PaymentTerms.ts"
import { daysOfTrips, sentDays, serviceDayIssues } from "./invoice/ServiceDays.ts"
import { untaxedAfter, untaxedIssues } from "./invoice/Untaxed.ts"
import { lineTermsOf, ReminderRepository } from "./reminders/ReminderRepository.ts"

/** Fails unless the invoice was issued and charges for what it lists. */
const requireCorrectable = (invoice: Invoice): Effect.Effect<void, Conflict> => {
  const name = nameOfInvoice(invoice)
  if (invoice.sealed_at === null)
    return Effect.fail(new Conflict({ reason: `${name} was not issued: change it instead (PATCH)` }))
  return isInForce(invoice)
    ? Effect.void
    : Effect.fail(new Conflict({ reason: `${name} is void or was credited in full` }))
}

/** The lines of the new invoice. A trip that was deleted is on no invoice: its line no longer names it. */
const linesFor = (lines: ReadonlyArray<InvoiceLine>, { trip_ids }: Invoice): ReadonlyArray<InvoiceLine> =>
  lines.map((line) =>
    line.trip_id === null || trip_ids.includes(line.trip_id) ? line : { ...line, trip_id: null }
  )

/**
 * The parts of payments that the new invoice takes, the oldest payment first, up to its total. Card payments stay where they
 * are: the provider refunds them by the invoice that they were made for.
 */
const partsFor = (parts: ReadonlyArray<PaymentPart>, totalMinor: number): ReadonlyArray<PaymentPart> => {
  let left = totalMinor
  return parts.toReversed().flatMap(({ amount_minor, payment }) => {
    const taken = payment.provider_id === null ? Math.min(left, amount_minor) : 0
    left -= taken
    return taken > 0 ? [{ payment, amount_minor: taken }] : []
  })
}

export class InvoiceCorrections extends Context.Service<InvoiceCorrections>()(
  "@livery/domain/InvoiceCorrections",
  {
    make: Effect.gen(function* () {
      const transaction = yield* Transaction
      const plans = yield* PlanRepository
      const reminders = yield* ReminderRepository
      const invoices = yield* InvoiceRepository
      const bookings = yield* InvoicedBookings
      const invoicedTrips = yield* InvoicedTrips
      const unitOfWork = yield* InvoiceUnitOfWork
      const ledger = yield* Ledger
      const credit = yield* makeCrediting
      const lockCustomer = yield* makeLockCustomer
      const requireWithinPlan = yield* makeRequireWithinPlan
      const { newToken } = yield* makeBusinessTokens

      return {
        /**
         * Credits all that is left of an issued invoice, and issues a new one with the changed fields, which it returns. The
         * trips and the bookings of the old invoice are on the new one from then on, and so are payments that were not made by
         * card, up to the new total; the rest of what was paid is to be refunded on the old invoice. `NotFound` if the invoice
         * is absent or another business's; `Conflict` if it was not issued, is void or was credited in full;
         * `PlanLimitExceeded` as for a new invoice.
         */
        correct: traced("InvoiceCorrections.correct")(function* (
          acting: ActingBusiness,
          invoiceId: InvoiceId,
          { items, reason, ...changes }: InvoiceCorrection
        ) {
          const { business_id, timezone } = acting
          return yield* atomically(transaction, function* () {
            const plan = yield* plans.lock(business_id)
            const missing = (yield* lockCustomer(acting, changes.customer_id)).issues
            // The new invoice refers to the customer of the old one, which is locked before the invoice.
            const seen = yield* invoices.find(business_id, invoiceId)
            if (changes.customer_id === undefined && Option.isSome(seen))
              yield* lockCustomer(acting, seen.value.customer_id)
            const before = yield* unitOfWork.lock(acting, invoiceId)
            yield* requireCorrectable(before)
            const { currency } = before
            const terms = yield* reminders.termsOf(
              business_id,
              changes.customer_id === undefined ? before.customer_id : changes.customer_id
            )
            const sent = linesOf(items ?? [], currency, lineTermsOf(terms, nothingSent))
            const usual = changes.untaxed_as === undefined ? before : terms
            const untaxed = untaxedAfter(before, changes, usual)
            yield* refuseIssues([
              ...missing,
              ...(items?.length === 0 ? [{ field: "items", issue: "required" as const }] : []),
              ...sent.issues,
              ...untaxedIssues(untaxed),
              ...unknownTrips(sent.lines, [...before.trip_ids, ...tripsNamedBy(before.lines)])
            ])
            const lines = linesFor(items === undefined ? before.lines : sent.lines, before)
            yield* refuseIssues(sumIssues(lines, currency, "items"))
            const trips = yield* invoicedTrips.lockForInvoice(acting, invoiceId, before.trip_ids, currency)
            // Read under the lock of the business, so that the numbers have the order of the times.
            const now = yield* DateTime.now
            yield* requireWithinPlan(acting, plan, now)
            const today = localDay(now, timezone)
            const wanted = { ...before, issued_on: today, ...changes }
            yield* refuseIssues([...issueDayIssues(wanted.issued_on, today), ...serviceDayIssues(wanted)])
            const { token } = yield* newToken("invoice", business_id)
            const raised = unpaidInvoice({
              business_id,
              customer_id: wanted.customer_id,
              currency,
              lines,
              issued_on: wanted.issued_on,
              due_date: wanted.due_date,
              ...(daysOfTrips(trips, timezone) ?? sentDays(wanted)),
              buyer_reference: wanted.buyer_reference,
              notes: wanted.notes,
              payment_hash: token,
              corrects_invoice_id: invoiceId,
              ...untaxed
            })
            const stored = yield* invoices.insert(raised, now)
            const { invoice_id } = stored
            // Before the credit, after which the old invoice has no bookings.
            yield* bookings.followInvoice(business_id, invoiceId, {
              invoiceId: invoice_id,
              paymentStatus: "unpaid"
            })
            const note = { items: null, reason, refund: false, notes: null }
            const credited = yield* credit(acting, before, note)
            const parts = partsFor(credited.parts, stored.total_minor)
            const net_minor = parts.reduce((sum, { amount_minor }) => sum + amount_minor, 0)
            const status = invoiceStatusOf({ total_minor: stored.total_minor, net_minor, voided: false })
            // The trips get their last payment status at once: a transaction updates a trip once (docs/lock-order.md).
            yield* invoicedTrips.link(acting, trips, invoice_id, tripPaymentStatusOf(status))
            yield* unitOfWork.record(acting, invoice_id, [
              invoiceEntry("created", { corrects_invoice_id: invoiceId })
            ])
            const created = { ...stored, trip_ids: before.trip_ids }
            yield* unitOfWork.emit(acting, "invoice.created", invoiceRecord(created, { now, timezone }))
            const old = yield* unitOfWork.lock(acting, invoiceId)
            const moved = yield* ledger.move(acting, old, stored, parts)
            yield* unitOfWork.commit(acting, moved.from, {
              ...moved.from,
              corrected_by_invoice_id: invoice_id
            })
            if (before.trip_ids.length > 0)
              yield* unitOfWork.emitTripChange(acting, invoiceId, "detached", before.trip_ids)
            return invoiceRecord({ ...moved.to, trip_ids: before.trip_ids }, { now, timezone })
          })
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(InvoiceCorrections, InvoiceCorrections.make).pipe(
    Layer.provide(Ledger.layer)
  )
}
