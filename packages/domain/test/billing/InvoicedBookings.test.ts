import {
  type Booking,
  BookingRepository,
  BusinessId,
  type Invoice,
  InvoicedTrips,
  InvoiceRepository,
  TripRepository
} from "@livery/domain"
import { Memory, Store } from "@livery/memory"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { businessWithProduct } from "../../../../test/contract/BookingRepository.ts"
import { changeTrip, newTrip, now } from "../../../../test/contract/Given.ts"
import { invoiceOf } from "../../../../test/contract/InvoiceRepository.ts"
import { InvoiceUnitOfWork } from "../../src/billing/invoice/InvoiceUnitOfWork.ts"
import { addBusiness } from "../support/Businesses.ts"
import { business } from "../support/People.ts"

/** A business whose bookings are paid with an unpaid invoice of 81.08. */
const given = Effect.gen(function* () {
  const invoices = yield* InvoiceRepository
  const bookings = yield* BookingRepository
  const { business: id, stored } = yield* businessWithProduct
  addBusiness(yield* Store, id)
  const acting = business(BusinessId.make(id))
  const invoice = yield* invoices.insert(invoiceOf(id, { status: "unpaid", paid_minor: 0 }), now)
  const { invoice_id } = invoice
  const own = yield* stored({ invoice_id })
  const trips = [yield* newTrip(id), yield* newTrip(id)]
  const ofTrips = yield* Effect.forEach(trips, ({ trip_id }) => stored({ trip_id, status: "confirmed" }))
  const unitOfWork = yield* InvoiceUnitOfWork
  const commit = Effect.fnUntraced(function* (change: Partial<Invoice>) {
    yield* unitOfWork.commit(acting, yield* unitOfWork.lock(acting, invoice_id), {
      ...(yield* unitOfWork.lock(acting, invoice_id)),
      ...change
    })
  })
  const payments = (...of: ReadonlyArray<Booking>) =>
    Effect.forEach(of, ({ booking_id }) =>
      Effect.map(bookings.find(id, booking_id), (found) => {
        const read = Option.getOrThrow(found)
        return `${read.payment_status} on ${read.invoice_id === invoice_id ? "it" : String(read.invoice_id)}`
      })
    )
  return { acting, commit, id, invoice, ofTrips, own, payments, trips, unitOfWork }
})

layer(Layer.provideMerge(InvoiceUnitOfWork.layer, Memory.layer))("a booking on an invoice", (it) => {
  it.effect("has the payment status of the invoice, and is unpaid and on none once that is void", () =>
    Effect.gen(function* () {
      const { commit, invoice, own, payments } = yield* given
      assert.deepStrictEqual(yield* payments(own), ["unpaid on it"])
      yield* commit({ paid_minor: 1 })
      assert.deepStrictEqual(yield* payments(own), ["partial on it"])
      yield* commit({ paid_minor: invoice.total_minor })
      assert.deepStrictEqual(yield* payments(own), ["paid on it"])
      yield* commit({ paid_minor: 0 })
      assert.deepStrictEqual(yield* payments(own), ["unpaid on it"])
      yield* commit({ voided_at: now })
      assert.deepStrictEqual(yield* payments(own), ["unpaid on null"])
    })
  )

  it.effect("stays on an invoice that was reduced to nothing, but not on one that was credited in full", () =>
    Effect.gen(function* () {
      const { commit, invoice, own, payments } = yield* given
      yield* commit({ lines: [] })
      assert.deepStrictEqual(yield* payments(own), ["unpaid on it"])
      yield* commit({ lines: invoice.lines, credited_minor: invoice.total_minor - 1 })
      assert.deepStrictEqual(yield* payments(own), ["unpaid on it"])
      yield* commit({ credited_minor: invoice.total_minor })
      assert.deepStrictEqual(yield* payments(own), ["unpaid on null"])
    })
  )

  it.effect(
    "is on the invoice of its trip as long as the trip is, and follows it after the trip was deleted",
    () =>
      Effect.gen(function* () {
        const { acting, commit, id, invoice, ofTrips, payments, trips, unitOfWork } = yield* given
        const { invoice_id } = invoice
        const repository = yield* TripRepository
        const invoicedTrips = yield* InvoicedTrips
        const ids = trips.map(({ trip_id }) => trip_id)
        const locked = yield* repository.lockAll(id, ids)
        yield* invoicedTrips.link(acting, locked, invoice_id, "unpaid")
        assert.deepStrictEqual(yield* payments(...ofTrips), ["unpaid on it", "unpaid on it"])
        const [kept, deleted] = ids
        assert.isDefined(kept)
        assert.isDefined(deleted)
        if (kept === undefined || deleted === undefined) return
        yield* changeTrip(id, deleted, { deleted_at: now })
        yield* commit({ paid_minor: invoice.total_minor })
        assert.deepStrictEqual(yield* payments(...ofTrips), ["paid on it", "paid on it"])
        yield* unitOfWork.detachTrips(acting, invoice_id, [kept])
        assert.deepStrictEqual(yield* payments(...ofTrips), ["unpaid on null", "paid on it"])
        yield* commit({ paid_minor: 0, voided_at: DateTime.makeUnsafe(0) })
        assert.deepStrictEqual(yield* payments(...ofTrips), ["unpaid on null", "unpaid on null"])
      })
  )
})
