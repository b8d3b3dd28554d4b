import {
  BookingChanges,
  BookingId,
  BookingInput,
  Bookings,
  Detaching,
  type InvalidInput,
  InvoiceTrips,
  ProductChanges,
  ProductId,
  ProductInput,
  Products,
  TripId,
  Trips
} from "@livery/domain"
import { Memory, Store } from "@livery/memory"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { departuresOn, type Schedule, scheduleIssues, seatsAt } from "../../src/sales/products/Departures.ts"
import { addBusiness } from "../support/Businesses.ts"
import { business } from "../support/People.ts"

const acting = business(1)

const tour = {
  name: "City tour",
  kind: "tour",
  price: 45,
  duration_minutes: 180,
  pickup_address: "Station",
  dropoff_address: "Station",
  departures: [
    { times: ["10:00", "14:30"], seats: 8 },
    { weekdays: ["sat"], times: ["20:00"], seats: 2 }
  ]
}

const UseCases = Layer.mergeAll(Bookings.layer, Products.layer).pipe(
  Layer.provideMerge(Layer.merge(Trips.layer, InvoiceTrips.layer)),
  Layer.provide(Detaching.layer),
  Layer.provideMerge(Memory.layer)
)

const inputOf = Schema.decodeSync(ProductInput)
const changesOf = Schema.decodeSync(ProductChanges)

/** A tour on Friday 2026-12-04 and the following days, and its bookings. */
const given = Effect.gen(function* () {
  yield* TestClock.setTime(Date.parse("2026-12-04T08:00:00Z"))
  const products = yield* Products
  const bookings = yield* Bookings
  const trips = yield* Trips
  const store = yield* Store
  addBusiness(store, 1)
  const { product_id } = yield* products.create(acting, inputOf(tour))
  const id = ProductId.make(product_id)
  const book = (participants_count: number, starts_at = "2026-12-04T10:00:00Z", more: object = {}) =>
    bookings.create(
      acting,
      Schema.decodeSync(BookingInput)({
        product_id,
        starts_at,
        participants_count,
        customer_name: "Ada",
        ...more
      })
    )
  const confirm = (booking: { readonly booking_id: number }) =>
    bookings.confirm(acting, BookingId.make(booking.booking_id), false)
  const cancel = (booking: { readonly booking_id: number }, force = false) =>
    bookings.cancel(acting, BookingId.make(booking.booking_id), force)
  const change = (booking: { readonly booking_id: number }, changes: object) =>
    bookings.update(acting, BookingId.make(booking.booking_id), Schema.decodeSync(BookingChanges)(changes))
  const tripOf = (booking: { readonly trip_id: number | null }) =>
    trips.get(acting, TripId.make(booking.trip_id ?? 0))
  const changeProduct = (changes: object) => products.update(acting, id, changesOf(changes))
  const days = (date_from: string, date_to = date_from) =>
    products.departures(acting, id, { date_from, date_to })
  const eventTypes = () => store.events.where().map(({ type }) => type)
  return { book, cancel, change, changeProduct, confirm, days, eventTypes, products, store, tripOf, trips }
})

const issuesOf = <A, R>(work: Effect.Effect<A, { readonly _tag: string }, R>) =>
  Effect.map(Effect.flip(work), (error) => {
    assert.strictEqual(error._tag, "InvalidInput")
    return (error as InvalidInput).issues.map(({ field, issue }) => `${field} ${issue}`)
  })

const reasonOf = <A, R>(work: Effect.Effect<A, { readonly _tag: string }, R>) =>
  Effect.map(Effect.flip(work), (error) =>
    "reason" in error ? `${error._tag}: ${String(error.reason)}` : error._tag
  )

describe("the departures of a tour", () => {
  it("are on the clock of the business, at times that it shows, and once each", () => {
    const schedule: Schedule = [
      { weekdays: [], times: ["12:00", "02:30"], seats: 8 },
      { weekdays: ["mon"], times: ["18:00"], seats: 4 }
    ]
    const on = (date_from: string, date_to: string) =>
      departuresOn(schedule, { date_from, date_to }, "Europe/Zurich").map(
        ({ seats, starts_at }) => `${DateTime.formatIso(starts_at).slice(0, 16)} ${seats}`
      )
    // The clocks skip 02:30 on 28 March 2027, and show it twice on 31 October 2027.
    assert.deepStrictEqual(on("2027-03-27", "2027-03-29"), [
      "2027-03-27T01:30 8",
      "2027-03-27T11:00 8",
      "2027-03-28T10:00 8",
      "2027-03-29T00:30 8",
      "2027-03-29T10:00 8",
      "2027-03-29T16:00 4"
    ])
    assert.deepStrictEqual(on("2027-10-31", "2027-10-31"), ["2027-10-31T01:30 8", "2027-10-31T11:00 8"])
    const seats = (at: string) => seatsAt(schedule, DateTime.makeUnsafe(at), "Europe/Zurich")
    assert.deepStrictEqual(
      ["2027-10-31T01:30:00Z", "2027-10-31T00:30:00Z", "2027-03-29T16:00:00Z", "2027-03-29T16:00:01Z"].map(
        seats
      ),
      [8, undefined, 4, undefined]
    )
  })

  it("are refused if two are at one time, or too many on one day", () => {
    const daily = { weekdays: [], times: ["10:00"], seats: 8 }
    const issues = (schedule: Schedule) => scheduleIssues(schedule).map(({ issue }) => issue)
    assert.deepStrictEqual(issues([daily, { ...daily, weekdays: ["sat"] }]), ["invalid"])
    assert.deepStrictEqual(issues([{ ...daily, times: ["10:00", "10:00"] }]), ["invalid"])
    assert.deepStrictEqual(issues([daily, { ...daily, times: ["10:30"] }]), [])
    const times = Array.from({ length: 49 }, (_, index) => `${10 + Math.floor(index / 6)}:${index % 6}0`)
    assert.deepStrictEqual(issues([{ ...daily, times }]), ["too_long"])
  })

  it.effect("need a tour with both of its addresses", () =>
    Effect.gen(function* () {
      const { changeProduct, products } = yield* given
      const made = (more: object) => products.create(acting, inputOf({ ...tour, ...more }))
      assert.deepStrictEqual(yield* issuesOf(made({ kind: "transfer" })), ["departures invalid"])
      assert.deepStrictEqual(yield* issuesOf(made({ dropoff_address: null, price: 1.234 })), [
        "price invalid",
        "dropoff_address required"
      ])
      assert.deepStrictEqual(yield* issuesOf(changeProduct({ kind: "other" })), ["departures invalid"])
      assert.deepInclude(yield* changeProduct({ kind: "other", departures: null }), { departures: [] })
    }).pipe(Effect.provide(UseCases))
  )
})

describe("bookings of one departure", () => {
  it.effect("share one trip, whose participants are those of the confirmed ones", () =>
    Effect.gen(function* () {
      const { book, cancel, confirm, days, eventTypes, tripOf } = yield* given
      const pending = yield* book(1)
      const [one, two] = [yield* confirm(yield* book(2)), yield* confirm(yield* book(3))]
      assert.deepInclude(one, { shares_trip: true, total_amount: 90, payment_status: "unpaid" })
      assert.strictEqual(one.trip_id, two.trip_id)
      assert.deepInclude(yield* tripOf(one), {
        customer_name: "City tour",
        customer_id: null,
        trip_type: "event",
        pickup_address: "Station",
        duration_minutes: 180,
        participants_count: 5,
        total_amount: null
      })
      const other = yield* confirm(yield* book(1, "2026-12-04T14:30:00Z"))
      assert.notStrictEqual(other.trip_id, one.trip_id)
      assert.lengthOf(
        eventTypes().filter((type) => type === "trip.created"),
        2
      )
      assert.deepStrictEqual(yield* days("2026-12-04"), [
        {
          starts_at: "2026-12-04T10:00:00Z",
          starts_local: "2026-12-04 10:00:00",
          ends_at: "2026-12-04T13:00:00Z",
          places_left: 2,
          seats: 8,
          places_taken: 6,
          trip_id: one.trip_id,
          cancelled: false
        },
        {
          starts_at: "2026-12-04T14:30:00Z",
          starts_local: "2026-12-04 14:30:00",
          ends_at: "2026-12-04T17:30:00Z",
          places_left: 7,
          seats: 8,
          places_taken: 1,
          trip_id: other.trip_id,
          cancelled: false
        }
      ])
      // The trip stays until the last confirmed booking is cancelled.
      yield* cancel(two)
      assert.deepInclude(yield* tripOf(one), { status: "confirmed", participants_count: 2 })
      yield* cancel(one)
      assert.deepInclude(yield* tripOf(one), { status: "cancelled", participants_count: 2 })
      assert.deepInclude((yield* days("2026-12-04"))[0], { places_left: 7, trip_id: null, cancelled: false })
      // Then the next booking gets another trip.
      const next = yield* confirm(pending)
      assert.notStrictEqual(next.trip_id, one.trip_id)
      assert.deepInclude(yield* tripOf(next), { status: "confirmed", participants_count: 1 })
    }).pipe(Effect.provide(UseCases))
  )

  it.effect("take no more places than it has seats, and only at its times", () =>
    Effect.gen(function* () {
      const { book, cancel, change, changeProduct, confirm } = yield* given
      const one = yield* book(5)
      const two = yield* book(2)
      assert.strictEqual(yield* reasonOf(book(2)), "Conflict: That departure has room for only 1")
      assert.strictEqual((yield* change(two, { participants_count: 3 })).participants_count, 3)
      assert.strictEqual(
        yield* reasonOf(change(two, { participants_count: 4 })),
        "Conflict: That departure has room for only 3"
      )
      for (const start of ["2026-12-04T10:00:01Z", "2026-12-04T11:00:00Z", "2026-12-04T20:00:00Z"]) {
        assert.deepStrictEqual(yield* issuesOf(book(1, start)), ["starts_at out_of_range"])
        assert.deepStrictEqual(yield* issuesOf(change(two, { starts_at: start })), ["starts_at out_of_range"])
      }
      yield* change(two, { starts_at: "2026-12-05T20:00:00Z", participants_count: 2 })
      yield* confirm(yield* book(3))
      assert.match(yield* reasonOf(book(1, "2026-12-05T20:00:00Z")), /full/u)
      // Seats that are taken stay, and a departure that ends keeps its bookings.
      const seats = (count: number) => ({ departures: [{ times: ["10:00"], seats: count }] })
      assert.strictEqual(
        yield* reasonOf(changeProduct(seats(7))),
        "Conflict: 8 places are booked at 2026-12-04 10:00"
      )
      yield* changeProduct(seats(8))
      assert.strictEqual((yield* change(two, { participants_count: 1 })).participants_count, 1)
      assert.match(yield* reasonOf(change(two, { participants_count: 2 })), /only 1/u)
      assert.isNotNull((yield* confirm(two)).trip_id)
      yield* cancel(one)
      yield* book(5)
      // Bookings that expired give their places back.
      yield* TestClock.setTime(Date.parse("2026-12-04T09:59:59Z"))
      assert.match(yield* reasonOf(book(1)), /full/u)
    }).pipe(Effect.provide(UseCases))
  )

  it.effect("are refused once the business cancelled the trip, until it reopens the trip", () =>
    Effect.gen(function* () {
      const { book, confirm, days, trips, tripOf } = yield* given
      const pending = yield* book(1)
      const one = yield* confirm(yield* book(2))
      const tripId = TripId.make(one.trip_id ?? 0)
      yield* trips.update(acting, tripId, { status: "cancelled" })
      for (const refused of [book(1), confirm(pending)])
        assert.strictEqual(yield* reasonOf<unknown, never>(refused), "Conflict: That departure was cancelled")
      assert.deepInclude((yield* days("2026-12-04"))[0], { places_left: 0, cancelled: true })
      yield* trips.reopen(acting, tripId, { reason: "The car was repaired", force: false })
      assert.strictEqual((yield* confirm(pending)).trip_id, one.trip_id)
      assert.deepInclude(yield* tripOf(one), { participants_count: 3 })
    }).pipe(Effect.provide(UseCases))
  )
})
