/**
 * The only path that changes an invoice. A use case locks the invoice, computes its new state, and commits that.
 * `commit` derives the sums and the status, writes the row, updates the payment status of the trips and the bookings, and sends
 * `invoice.paid` when the invoice becomes paid. It stores the snapshot of an invoice that becomes sealed. Each difference has an
 * entry in the timeline and an event, and the status is always the pure function of the number and the sums.
 */
import { Context, DateTime, Effect, Equal, Layer, Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { makeEvent } from "../../events/DomainEvent.ts"
import { type EventBody } from "../../events/EventBody.ts"
import { EventLog } from "../../events/EventLog.ts"
import type { EmittedEventType } from "../../events/EventType.ts"
import { orNotFound } from "../../kernel/Errors.ts"
import type { InvoiceId, TripId } from "../../kernel/Ids.ts"
import { Cryptography } from "../../kernel/security/Cryptography.ts"
import { type Invoice, restMinorOf } from "./Invoice.ts"
import { invoiceEntriesOf, invoiceEntry, type NewInvoiceTimelineEntry } from "./InvoiceTimeline.ts"
import { InvoiceTimelineRepository } from "./InvoiceTimelineRepository.ts"
import { bookingPaymentOf, InvoicedBookings, unpaidBooking } from "./InvoicedBookings.ts"
import { InvoicedTrips } from "./InvoicedTrips.ts"
import { InvoiceFactsRepository } from "./InvoiceFactsRepository.ts"
import { settled, sumsOf } from "./InvoiceSums.ts"
import { daysOfTrips } from "./ServiceDays.ts"
import { InvoiceRepository } from "./InvoiceRepository.ts"
import { snapshotOf } from "./InvoiceSnapshot.ts"
import { InvoiceSnapshotRepository } from "./InvoiceSnapshotRepository.ts"
import { invoiceStatusOf, tripPaymentStatusOf } from "./InvoiceStatus.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** The invoice with the sums of its lines, and the status that follows from them. */
const withDerivedSums = (invoice: Invoice): Invoice => {
  const lines = settled(invoice.lines, invoice.currency)
  const sums = sumsOf(lines, invoice.currency)
  const { credited_minor, number, paid_minor, voided_at } = invoice
  if (number === "") return { ...invoice, lines, ...sums, status: "draft" }
  const status = invoiceStatusOf({
    total_minor: restMinorOf({ ...sums, credited_minor }),
    net_minor: paid_minor,
    voided: voided_at !== null
  })
  return { ...invoice, lines, ...sums, status }
}

/** The changes that another event than `invoice.updated` is sent for. */
const withOwnEvent: ReadonlySet<string> = new Set(["created", "paid"])
/** Whether a trip is on an invoice, or a line of the invoice names it. */
const isChargedBy =
  ({ lines, trip_ids }: Invoice) =>
  ({ trip_id }: { readonly trip_id: TripId }) =>
    trip_ids.includes(trip_id) || lines.some((line) => line.trip_id === trip_id)

/** All of these run inside the caller's transaction. */
export class InvoiceUnitOfWork extends Context.Service<InvoiceUnitOfWork>()(
  "@livery/domain/InvoiceUnitOfWork",
  {
    make: Effect.gen(function* () {
      const invoices = yield* InvoiceRepository
      const trips = yield* InvoicedTrips
      const bookings = yield* InvoicedBookings
      const facts = yield* InvoiceFactsRepository
      const snapshots = yield* InvoiceSnapshotRepository
      const events = yield* EventLog
      const changes = yield* InvoiceTimelineRepository
      const cryptography = yield* Cryptography

      const emit = traced("InvoiceUnitOfWork.emit")(function* (
        { business_id }: ActingBusiness,
        type: EmittedEventType,
        data: EventBody["data"]
      ) {
        const event = makeEvent(business_id, type, data)
        yield* events.record(yield* Effect.provideService(event, Cryptography, cryptography))
      })

      const record = Effect.fnUntraced(function* (
        acting: ActingBusiness,
        invoice_id: InvoiceId,
        entries: ReadonlyArray<NewInvoiceTimelineEntry>,
        trip_ids: ReadonlyArray<TripId> = []
      ) {
        if (entries.length === 0) return
        yield* changes.append(acting.business_id, invoice_id, entries, yield* DateTime.now)
        for (const { change, fields } of entries)
          if (!withOwnEvent.has(change))
            yield* emit(acting, "invoice.updated", {
              invoice_id,
              change,
              trip_ids,
              ...(fields.length === 0 ? {} : { fields })
            })
      })

      const emitTripChange = (
        acting: ActingBusiness,
        invoiceId: InvoiceId,
        change: "attached" | "detached",
        tripIds: ReadonlyArray<TripId>
      ) => record(acting, invoiceId, [invoiceEntry(change, { trip_ids: tripIds })], tripIds)

      return {
        /** The acting business's invoice, locked; `NotFound` if it is absent or another business's. */
        lock: traced("InvoiceUnitOfWork.lock")(function* (
          { business_id }: ActingBusiness,
          invoiceId: InvoiceId
        ) {
          return yield* orNotFound("invoice")(yield* invoices.lock(business_id, invoiceId))
        }),

        /**
         * The invoices with these ids, locked in order of id, and then their trips. Those that are absent or another
         * business's are not in the result.
         */
        lockAll: traced("InvoiceUnitOfWork.lockAll")(function* (
          acting: ActingBusiness,
          invoiceIds: ReadonlyArray<InvoiceId>
        ) {
          const ids = [...new Set(invoiceIds)].toSorted((one, other) => one - other)
          const locked = yield* Effect.forEach(ids, (id) => invoices.lock(acting.business_id, id))
          const found = locked.flatMap((invoice) => (Option.isSome(invoice) ? [invoice.value] : []))
          const tripIds = found.flatMap(({ trip_ids }) => trip_ids)
          if (tripIds.length > 0) yield* trips.lock(acting, tripIds)
          return new Map(found.map((invoice) => [invoice.invoice_id, invoice]))
        }),

        /**
         * Stores the new state of a locked invoice and returns it. It attaches and detaches no trips; `InvoicedTrips`
         * does. With `isOfTrips`, the lines follow trips that are attached or detached, which have an entry of their own.
         */
        commit: traced("InvoiceUnitOfWork.commit")(function* (
          acting: ActingBusiness,
          before: Invoice,
          wanted: Invoice,
          { isOfTrips = false }: { readonly isOfTrips?: boolean } = {}
        ) {
          const unstamped = withDerivedSums(wanted)
          if (Equal.equals(unstamped, before)) return before
          const isSealing = before.sealed_at === null && unstamped.sealed_at !== null
          const isRaised = isSealing || !Equal.equals(unstamped.lines, before.lines)
          const known = before.sealed_at === null && isRaised ? yield* facts.of(unstamped) : undefined
          const after = {
            ...unstamped,
            ...(known && daysOfTrips(known.trips.filter(isChargedBy(unstamped)), acting.timezone)),
            updated_at: yield* DateTime.now
          }
          yield* invoices.update(after)
          if (known !== undefined && isSealing)
            yield* snapshots.insert(
              after.business_id,
              after.invoice_id,
              snapshotOf(after, known, acting.timezone)
            )
          const { invoice_id, status, trip_ids } = after
          if (status !== before.status)
            yield* trips.setPaymentStatus(acting, trip_ids, invoice_id, tripPaymentStatusOf(status))
          const payment = bookingPaymentOf(after)
          if (!Equal.equals(payment, bookingPaymentOf(before)))
            yield* bookings.followInvoice(acting.business_id, invoice_id, payment)
          yield* record(
            acting,
            invoice_id,
            invoiceEntriesOf(isOfTrips ? { ...before, lines: after.lines } : before, after)
          )
          if (status === "paid" && before.status !== "paid")
            yield* emit(acting, "invoice.paid", { invoice_id, status })
          return after
        }),

        /** Removes a locked draft and its timeline; its trips and bookings can be invoiced again. */
        discard: traced("InvoiceUnitOfWork.discard")(function* (
          acting: ActingBusiness,
          { business_id, invoice_id, trip_ids }: Invoice
        ) {
          if (trip_ids.length > 0) yield* trips.lockAndLink(acting, trip_ids, null, "unpaid")
          yield* bookings.followInvoice(business_id, invoice_id, unpaidBooking)
          yield* invoices.remove(business_id, invoice_id)
          yield* emit(acting, "invoice.updated", { invoice_id, change: "discarded", trip_ids })
        }),

        /** Records an event about an invoice. */
        emit,

        /** Records entries in the timeline of a locked invoice, and `invoice.updated` for each that has no event of its own. */
        record,

        /** The same for trips that were attached or detached. */
        emitTripChange,

        /**
         * Takes trips off a stored invoice, after which they are unpaid, and sends `invoice.updated`; no change without
         * trips. Their lines remain.
         */
        detachTrips: traced("InvoiceUnitOfWork.detachTrips")(function* (
          acting: ActingBusiness,
          invoiceId: InvoiceId,
          tripIds: ReadonlyArray<TripId>
        ) {
          if (tripIds.length === 0) return
          yield* trips.lockAndLink(acting, tripIds, null, "unpaid")
          yield* emitTripChange(acting, invoiceId, "detached", tripIds)
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(InvoiceUnitOfWork, InvoiceUnitOfWork.make).pipe(
    Layer.provideMerge(InvoicedTrips.layer)
  )
}
