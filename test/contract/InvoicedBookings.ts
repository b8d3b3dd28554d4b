/** The contract of `InvoicedBookings`. */
import { BookingRepository, InvoicedBookings, InvoiceRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { businessWithProduct } from "./BookingRepository.ts"
import { contract } from "./Contract.ts"
import { changeTrip, newBusiness, newTrip, now, wholeList } from "./Given.ts"
import { invoiceOf } from "./InvoiceRepository.ts"

export const invoicedBookings = contract("an invoiced booking", (it) => {
  it.effect("follows its invoice or its trip, and no invoice or trip of other bookings or businesses", () =>
    Effect.gen(function* () {
      const bookings = yield* BookingRepository
      const invoices = yield* InvoiceRepository
      const follower = yield* InvoicedBookings
      const { business, stored } = yield* businessWithProduct
      const other = yield* newBusiness
      const { invoice_id } = yield* invoices.insert(invoiceOf(business), now)
      const { trip_id } = yield* newTrip(business)
      const { trip_id: another } = yield* newTrip(business)
      const plain = yield* stored()
      const invoiced = yield* stored({ invoice_id })
      const ridden = yield* stored({ trip_id, status: "confirmed" })
      // The bookings of a departure are on invoices of their own, not on one of the trip that they share.
      const shared = yield* stored({ trip_id, status: "confirmed", shares_trip: true })
      const lists = Effect.all(
        (["unpaid", "partial", "paid"] as const).map((paymentStatus) =>
          Effect.map(bookings.list(business, { paymentStatus }, now, wholeList), ({ items }) =>
            items.map(({ booking_id, invoice_id: id, payment_status }) => {
              assert.strictEqual(payment_status, paymentStatus)
              return [booking_id, id]
            })
          )
        )
      )
      const [first, second, third, own] = [plain, invoiced, ridden, shared].map(
        ({ booking_id }) => booking_id
      )
      const before = [
        [
          [own, null],
          [third, null],
          [second, invoice_id],
          [first, null]
        ],
        [],
        []
      ]
      assert.deepStrictEqual<unknown>(yield* lists, before)
      const paid = { invoiceId: invoice_id, paymentStatus: "paid" as const }
      yield* follower.followInvoice(other, invoice_id, { invoiceId: null, paymentStatus: "paid" })
      yield* follower.followTrips(other, [trip_id], { invoiceId: null, paymentStatus: "paid" })
      yield* follower.followTrips(business, [another], paid)
      assert.deepStrictEqual<unknown>(yield* lists, before)
      yield* follower.followInvoice(business, invoice_id, { ...paid, paymentStatus: "partial" })
      yield* follower.followTrips(business, [trip_id, another], paid)
      assert.deepStrictEqual<unknown>(yield* lists, [
        [
          [own, null],
          [first, null]
        ],
        [[second, invoice_id]],
        [[third, invoice_id]]
      ])
      yield* changeTrip(business, trip_id, { deleted_at: now })
      yield* follower.followInvoice(business, invoice_id, { invoiceId: null, paymentStatus: "unpaid" })
      assert.deepStrictEqual<unknown>(yield* lists, [
        [
          [own, null],
          [third, null],
          [second, null],
          [first, null]
        ],
        [],
        []
      ])
    })
  )
})
