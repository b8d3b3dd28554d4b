/** Attaching trips to invoices and detaching them (docs/api/invoices.md). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { refuseIssues } from "../kernel/Errors.ts"
import type { TripId } from "../kernel/Ids.ts"
import { type InvoiceId } from "../kernel/Ids.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { invoiceRecord, type InvoiceRecord, isInForce } from "./invoice/Invoice.ts"
import { InvoicedTrips } from "./invoice/InvoicedTrips.ts"
import { namingTrip, sumIssues } from "./invoice/InvoiceLine.ts"
import { settled } from "./invoice/InvoiceSums.ts"
import { sentTaxIssues } from "./invoice/LineTaxes.ts"
import { lineTermsOf, ReminderRepository } from "./reminders/ReminderRepository.ts"
import { InvoiceRepository } from "./invoice/InvoiceRepository.ts"
import { requireNamed, requireOpen } from "./invoice/InvoiceRules.ts"
import { tripPaymentStatusOf } from "./invoice/InvoiceStatus.ts"
import { InvoiceUnitOfWork } from "./invoice/InvoiceUnitOfWork.ts"
import { traced } from "../kernel/TracedFunction.ts"
import type { AttachedTrips, DetachedTrips } from "./invoice/AttachedTrips.ts"

/**
 * They send `invoice.updated` if a trip changed. `NotFound` if the invoice is absent or another business's; `Conflict`
 * if it is sealed or void, or if the precondition fails.
 */
export class InvoiceTrips extends Context.Service<InvoiceTrips>()("@livery/domain/InvoiceTrips", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const invoices = yield* InvoiceRepository
    const invoicedTrips = yield* InvoicedTrips
    const unitOfWork = yield* InvoiceUnitOfWork
    const reminders = yield* ReminderRepository

    return {
      /**
       * Puts trips on an invoice, each with a line at its price. Trips that are on it already do not change.
       * `InvalidInput` for a trip that the business does not have, or whose price is in another currency; `Conflict`
       * for one that is on another invoice.
       */
      attach: traced("InvoiceTrips.attach")(function* (
        acting: ActingBusiness,
        invoiceId: InvoiceId,
        input: AttachedTrips
      ) {
        const { timezone } = acting
        return yield* atomically(transaction, function* () {
          const now = yield* DateTime.now
          const before = yield* unitOfWork.lock(acting, invoiceId)
          yield* requireOpen(before, "trip_ids")
          const trips = yield* invoicedTrips.lockForInvoice(
            acting,
            invoiceId,
            input.trip_ids,
            before.currency
          )
          const added = trips.filter(({ invoice_id }) => invoice_id === null)
          if (added.length === 0) return invoiceRecord(before, { now, timezone })
          yield* refuseIssues(sentTaxIssues(input))
          const terms = lineTermsOf(yield* reminders.termsOf(acting.business_id, before.customer_id), input)
          const lines = settled(
            [...before.lines, ...(yield* invoicedTrips.linesOf(acting, added, terms))],
            before.currency
          )
          yield* refuseIssues(sumIssues(lines, before.currency, "trip_ids"))
          const after = yield* unitOfWork.commit(acting, before, { ...before, lines }, { isOfTrips: true })
          yield* invoicedTrips.link(acting, added, invoiceId, tripPaymentStatusOf(after.status))
          const ids = added.map(({ trip_id }) => trip_id)
          yield* unitOfWork.emitTripChange(acting, invoiceId, "attached", ids)
          const trip_ids = [...before.trip_ids, ...ids].toSorted((one, other) => one - other)
          return invoiceRecord({ ...after, trip_ids }, { now, timezone })
        })
      }),

      /**
       * Takes trips and their lines off an invoice, so that no amount of a trip remains there. `InvalidInput` for a
       * trip that is not on it; `Conflict` for a trip that no line names while lines that name no trip may charge
       * it.
       */
      detach: traced("InvoiceTrips.detach")(function* (
        acting: ActingBusiness,
        invoiceId: InvoiceId,
        input: DetachedTrips,
        precondition: Precondition<InvoiceRecord> = unconditional
      ) {
        const { timezone } = acting
        return yield* atomically(transaction, function* () {
          const now = yield* DateTime.now
          const before = yield* unitOfWork.lock(acting, invoiceId)
          yield* precondition(invoiceRecord(before, { now, timezone }))
          yield* requireOpen(before, "trip_ids")
          const issues = input.trip_ids.flatMap((tripId, index) =>
            before.trip_ids.includes(tripId)
              ? []
              : [{ field: `trip_ids.${index}`, issue: "not_found" as const }]
          )
          yield* refuseIssues(issues)
          const gone = new Set(input.trip_ids)
          yield* requireNamed(before, [...gone])
          const wanted = {
            ...before,
            lines: settled(
              before.lines.filter(({ trip_id }) => trip_id === null || !gone.has(trip_id)),
              before.currency
            ),
            trip_ids: before.trip_ids.filter((tripId) => !gone.has(tripId))
          }
          yield* refuseIssues(sumIssues(wanted.lines, before.currency, "trip_ids"))
          const after = yield* unitOfWork.commit(acting, before, wanted, { isOfTrips: true })
          const trip_ids = [...gone].toSorted((one, other) => one - other)
          yield* unitOfWork.detachTrips(acting, invoiceId, trip_ids)
          return invoiceRecord(after, { now, timezone })
        })
      }),

      /**
       * Puts a trip on an invoice that charges for it already, and returns the trip's payment status. The line that
       * charges it, if it is the only one that names no trip, names the trip from then on; the document of a sealed invoice stays as it is. No change if the invoice
       * charges for nothing any more. Call it in the transaction that books the trip.
       */
      attachWithoutLine: traced("InvoiceTrips.attachWithoutLine")(function* (
        acting: ActingBusiness,
        invoiceId: InvoiceId,
        tripId: TripId
      ) {
        const before = Option.getOrUndefined(yield* invoices.lock(acting.business_id, invoiceId))
        // It may have been voided, deleted or credited in full since the caller read it.
        if (before === undefined || !isInForce(before)) return "unpaid"
        const lines = namingTrip(before.lines, tripId)
        yield* unitOfWork.commit(acting, before, { ...before, lines }, { isOfTrips: true })
        const status = tripPaymentStatusOf(before.status)
        yield* invoicedTrips.lockAndLink(acting, [tripId], invoiceId, status)
        yield* unitOfWork.emitTripChange(acting, invoiceId, "attached", [tripId])
        return status
      })
    }
  })
}) {
  static readonly layer = Layer.effect(InvoiceTrips, InvoiceTrips.make).pipe(
    Layer.provide(InvoiceUnitOfWork.layer)
  )
}
