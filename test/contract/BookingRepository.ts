/** The contract of `BookingRepository`. */
import {
  type BookingStatus,
  type BusinessId,
  BookingRepository,
  InvoicedBookings,
  InvoiceRepository,
  Currency,
  type NewBooking,
  ProductRepository
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { at, contract, unique } from "./Contract.ts"
import { newBusiness, newCustomer, newTrip, now, wholeList } from "./Given.ts"
import { invoiceOf } from "./InvoiceRepository.ts"
import { productOf } from "./ProductRepository.ts"

/** A business with a product, and how to store bookings of it. */
export const businessWithProduct = Effect.gen(function* () {
  const bookings = yield* BookingRepository
  const products = yield* ProductRepository
  const business_id: BusinessId = yield* newBusiness
  const product = yield* products.insert(productOf(business_id))
  const bookingOf = (change: Partial<NewBooking> = {}): NewBooking => ({
    business_id,
    reference: unique("BK"),
    status: "pending",
    payment_status: "unpaid",
    product_id: product.product_id,
    starts_at: at("18:00:00"),
    ends_at: at("19:00:00"),
    participants_count: 2,
    customer_id: null,
    customer_name: "Ada",
    customer_email: null,
    customer_phone: null,
    pickup_address: null,
    dropoff_address: null,
    notes: null,
    total_minor: 9000,
    participant_minor: 4500,
    currency: Currency.make("USD"),
    trip_id: null,
    shares_trip: false,
    invoice_id: null,
    expires_at: at("17:00:00"),
    confirmed_at: null,
    cancelled_at: null,
    created_at: now,
    updated_at: now,
    ...change
  })
  const stored = (change: Partial<NewBooking> = {}) =>
    Effect.map(bookings.insert(bookingOf(change)), Option.getOrThrow)
  return { bookingOf, business: business_id, product, stored }
})

export const bookingRepository = contract("a booking", (it) => {
  it.effect("is returned as stored, to its own business alone", () =>
    Effect.gen(function* () {
      const bookings = yield* BookingRepository
      const { bookingOf, business, stored } = yield* businessWithProduct
      const other = yield* newBusiness
      const booking = yield* stored({ customer_id: yield* newCustomer(business) })
      assert.deepStrictEqual(
        yield* bookings.insert(bookingOf({ reference: booking.reference })),
        Option.none()
      )
      const { trip_id } = yield* newTrip(business)
      const changed = {
        ...booking,
        status: "confirmed" as const,
        participants_count: 3,
        participant_minor: null,
        expires_at: null,
        confirmed_at: now,
        trip_id
      }
      yield* bookings.update(changed)
      for (const read of [bookings.find, bookings.lock]) {
        assert.deepStrictEqual(yield* read(business, booking.booking_id), Option.some(changed))
        assert.deepStrictEqual(yield* read(other, booking.booking_id), Option.none())
      }
      assert.deepStrictEqual(
        [
          yield* bookings.hasTrip(business, trip_id),
          yield* bookings.hasTrip(other, trip_id),
          yield* bookings.hasTrip(business, (yield* newTrip(business)).trip_id)
        ],
        [true, false, false]
      )
      yield* bookings.remove(other, booking.booking_id, now)
      assert.isTrue(Option.isSome(yield* bookings.find(business, booking.booking_id)))
      yield* bookings.remove(business, booking.booking_id, now)
      for (const read of [bookings.find, bookings.lock])
        assert.deepStrictEqual(yield* read(business, booking.booking_id), Option.none())
      assert.isTrue(yield* bookings.hasTrip(business, trip_id))
    })
  )

  it.effect(
    "is paid with the invoice that it was given last, and a change of it leaves both as they are",
    () =>
      Effect.gen(function* () {
        const bookings = yield* BookingRepository
        const invoices = yield* InvoiceRepository
        const { business, stored } = yield* businessWithProduct
        const other = yield* newBusiness
        const [{ invoice_id: first }, { invoice_id: second }] = [
          yield* invoices.insert(invoiceOf(business), now),
          yield* invoices.insert(invoiceOf(business), now)
        ]
        const booking = yield* stored({ invoice_id: first, payment_status: "partial" })
        const read = Effect.map(bookings.find(business, booking.booking_id), (found) => {
          const { invoice_id: id, payment_status } = Option.getOrThrow(found)
          return [id, payment_status]
        })
        assert.deepStrictEqual(yield* read, [first, "partial"])
        yield* bookings.update({ ...booking, invoice_id: null, payment_status: "paid" })
        assert.deepStrictEqual(yield* read, [first, "partial"])
        yield* bookings.setInvoice(other, booking.booking_id, second)
        assert.deepStrictEqual(yield* read, [first, "partial"])
        yield* bookings.setInvoice(business, booking.booking_id, second)
        assert.deepStrictEqual(yield* read, [second, "unpaid"])
      })
  )

  it.effect(
    "is listed, the latest start first, by its product, customer, reference and start, and its status at the time",
    () =>
      Effect.gen(function* () {
        const bookings = yield* BookingRepository
        const products = yield* ProductRepository
        const { business, product, stored } = yield* businessWithProduct
        const { product_id } = yield* products.insert(productOf(business))
        const customer_id = yield* newCustomer(business)
        const one = yield* stored({ customer_id })
        const two = yield* stored({ status: "confirmed", starts_at: at("17:59:00") })
        const three = yield* stored({ product_id })
        const listed = (filter: Parameters<typeof bookings.list>[1], time = now) =>
          Effect.map(bookings.list(business, filter, time, wholeList), ({ items }) =>
            items.map(({ booking_id }) => booking_id)
          )
        const idsOf = (...found: ReadonlyArray<typeof one>) => found.map(({ booking_id }) => booking_id)
        assert.deepStrictEqual(yield* listed({}), idsOf(three, one, two))
        assert.deepStrictEqual(yield* listed({ customerId: customer_id }), idsOf(one))
        assert.deepStrictEqual(yield* listed({ reference: two.reference }), idsOf(two))
        assert.deepStrictEqual(yield* listed({ reference: two.reference, status: "pending" }), [])
        assert.deepStrictEqual(yield* listed({ from: at("17:59:00"), before: at("18:00:00") }), idsOf(two))
        assert.deepStrictEqual(yield* listed({ from: at("18:00:00") }), idsOf(three, one))
        assert.deepStrictEqual(yield* listed({ productId: product.product_id }), idsOf(one, two))
        assert.deepStrictEqual(yield* listed({ status: "pending" }), idsOf(three, one))
        assert.deepStrictEqual(yield* listed({ status: "pending" }, at("17:00:00")), [])
        assert.deepStrictEqual(yield* listed({ status: "expired" }, at("17:00:00")), idsOf(three, one))
        assert.deepStrictEqual(yield* listed({ status: "confirmed" }, at("17:00:00")), idsOf(two))
      })
  )

  it.effect(
    "is due once its time to be confirmed has passed, unless it was answered, paid for or deleted",
    () =>
      Effect.gen(function* () {
        const bookings = yield* BookingRepository
        const invoices = yield* InvoiceRepository
        const { business, product, stored } = yield* businessWithProduct
        const open = yield* stored()
        for (const status of [
          "confirmed",
          "completed",
          "cancelled",
          "expired"
        ] as ReadonlyArray<BookingStatus>)
          yield* stored({ status })
        yield* stored({ expires_at: at("17:00:01") })
        const { booking_id } = yield* stored()
        yield* bookings.remove(business, booking_id, now)
        // A payment, also of a part, holds the booking, unless its invoice is void.
        const invoice = yield* invoices.insert(invoiceOf(business), now)
        const paid = yield* stored({ invoice_id: invoice.invoice_id, payment_status: "partial" })
        const pendingAt = (time: string) =>
          Effect.map(bookings.list(business, { status: "pending" }, at(time), wholeList), ({ items }) =>
            items.map((listed) => listed.booking_id)
          )
        const dueAt = (time: string) => bookings.dueOfProduct(business, product.product_id, at(time))
        assert.deepStrictEqual(yield* dueAt("16:59:59"), [])
        const due = yield* dueAt("17:00:00")
        assert.deepStrictEqual(
          due.map((key) => key.booking_id),
          [open.booking_id]
        )
        assert.include(yield* pendingAt("17:00:00"), paid.booking_id)
        // Those of any business, also of the other tests.
        const ofAll = yield* bookings.due(at("17:00:00"), 1000)
        assert.deepStrictEqual(
          ofAll.filter((key) => key.business_id === business),
          due
        )
        assert.lengthOf(yield* bookings.due(at("17:00:00"), 1), 1)
        const follower = yield* InvoicedBookings
        const unpaid = { invoiceId: null, paymentStatus: "unpaid" as const }
        yield* follower.followInvoice(business, invoice.invoice_id, unpaid)
        assert.lengthOf(yield* dueAt("17:00:00"), 2)
        assert.notInclude(yield* pendingAt("17:00:00"), paid.booking_id)
      })
  )

  it.effect("is open to its product while it is pending or confirmed and has not ended", () =>
    Effect.gen(function* () {
      const products = yield* ProductRepository
      const { business, product, stored } = yield* businessWithProduct
      const pending = yield* stored()
      const confirmed = yield* stored({ status: "confirmed" })
      for (const status of ["completed", "cancelled", "expired"] as const) yield* stored({ status })
      const open = (time: string, limit: number) =>
        products.openBookings(business, product.product_id, at(time), limit)
      assert.deepStrictEqual(yield* open("18:59:59", 10), [pending.booking_id, confirmed.booking_id])
      assert.deepStrictEqual(yield* open("18:59:59", 1), [pending.booking_id])
      assert.deepStrictEqual(yield* open("19:00:00", 10), [])
    })
  )
})
