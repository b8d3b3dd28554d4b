import {
  BookingChanges,
  BookingId,
  BookingInput,
  bookingMachine,
  Bookings,
  BookingStatus,
  Detaching,
  InvoiceTrips,
  ProductInput,
  Products,
  Trips
} from "@livery/domain"
import { Memory, Store } from "@livery/memory"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import {
  type BookingModel,
  BookingStep,
  capacity,
  pendingBooking,
  placePrice,
  takeBookingStep,
  waysOfBooking
} from "../../../../test/support/models/BookingModel.ts"
import { addBusiness } from "../support/Businesses.ts"
import { followModel, type Modelled } from "../support/Modelled.ts"
import { business } from "../support/People.ts"

const acting = business(1)

const product = Schema.decodeSync(ProductInput)({
  name: "Tour",
  kind: "tour",
  price: placePrice,
  capacity,
  duration_minutes: 60,
  pickup_address: "Here",
  dropoff_address: "There"
})

const places = (count: number) => Schema.decodeSync(BookingChanges)({ participants_count: count })

/** The steps in memory; payments are taken over HTTP. */
const steps = BookingStep.literals.filter((step) => step !== "pay" && step !== "refund")
const Step = Schema.Literals(steps)

const layer = Layer.mergeAll(Bookings.layer, Products.layer).pipe(
  Layer.provide(Layer.merge(Trips.layer, InvoiceTrips.layer)),
  Layer.provide(Detaching.layer),
  Layer.provideMerge(Memory.layer)
)

const booked = Effect.gen(function* () {
  const bookings = yield* Bookings
  const products = yield* Products
  const store = yield* Store
  addBusiness(store, 1)
  const { product_id } = yield* products.create(acting, product)
  const inputOf = (count: number) =>
    Schema.decodeSync(BookingInput)({
      product_id,
      starts_at: "1970-02-01T00:00:00Z",
      participants_count: count,
      customer_name: "Ada"
    })
  const id = BookingId.make((yield* bookings.create(acting, inputOf(pendingBooking.count))).booking_id)
  let notes = 0

  const take = (step: BookingStep): Effect.Effect<unknown, unknown> => {
    switch (step) {
      case "pay":
      case "refund":
        return Effect.die("No payments are taken here")
      case "confirm":
        return bookings.confirm(acting, id, false)
      case "cancel":
        return bookings.cancel(acting, id, false)
      case "complete":
        return bookings.update(acting, id, Schema.decodeSync(BookingChanges)({ status: "completed" }))
      case "fewer":
        return bookings.update(acting, id, places(1))
      case "more":
        return bookings.update(acting, id, places(capacity))
      case "too many":
        return bookings.update(acting, id, places(capacity + 1))
      case "note":
        // A different text each time, so that each change changes the record.
        notes += 1
        return bookings.update(acting, id, Schema.decodeSync(BookingChanges)({ notes: `Note ${notes}` }))
      case "remove":
        return bookings.remove(acting, id, { force: true })
      case "wait":
        return TestClock.setTime(86_400_000)
    }
  }
  /** Whether another booking could take that many places. It keeps none. */
  const isFree = (count: number) =>
    Effect.flatMap(Effect.exit(bookings.create(acting, inputOf(count))), (exit) =>
      Exit.isSuccess(exit)
        ? Effect.as(
            Effect.orDie(bookings.remove(acting, BookingId.make(exit.value.booking_id), { force: true })),
            true
          )
        : Effect.succeed(false)
    )
  /** Compares the booking, its trip and the places that other bookings can take. */
  const compare = Effect.fnUntraced(function* (model: BookingModel, path: string) {
    const { held, isDue } = model
    const booking = Option.getOrUndefined(yield* Effect.option(bookings.get(acting, id)))
    const stored = store.bookings.get(id)
    const created = store.events.where(({ type }) => type === "trip.created").length
    const free = capacity - held
    if (free > 0) assert.isTrue(yield* isFree(free), `${free} places are free`)
    assert.isFalse(yield* isFree(free + 1), `no more than ${free} places are free`)
    if (booking !== undefined)
      assert.deepStrictEqual(
        [booking.total_amount, booking.payment_status, booking.expires_at === null],
        [booking.participants_count * placePrice, "unpaid", booking.status !== "pending"]
      )
    const found: BookingModel = {
      status: booking?.status ?? "deleted",
      count: stored?.participants_count ?? 0,
      held,
      trips: created,
      isDue,
      invoiced: null,
      paid: 0
    }
    assert.deepStrictEqual(found, model, path)
    const tripStatuses = store.trips.where().map(({ status }) => status)
    const tripStatus = model.held === 0 ? "cancelled" : "confirmed"
    assert.deepStrictEqual(tripStatuses, model.trips === 0 ? [] : [tripStatus], path)
  })
  const modelled: Modelled<BookingModel, BookingStep> = { take, compare }
  return modelled
})

/** Takes the steps one after the other, and compares the booking with its model after each. */
const follow = (steps: ReadonlyArray<BookingStep>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(0)
    yield* followModel(yield* booked, { start: pendingBooking, take: takeBookingStep }, steps)
  }).pipe(Effect.provide(Layer.fresh(layer)))

describe("a booking", () => {
  it("permits exactly the listed ones of all 25 moves", () => {
    const moves = BookingStatus.literals.flatMap((from) =>
      bookingMachine.next(from).map((to) => `${from} ${to}: ${String(bookingMachine.transitions[from][to])}`)
    )
    assert.deepStrictEqual(moves, [
      "pending confirmed: operator,payment",
      "pending cancelled: operator,customer",
      "pending expired: system",
      "confirmed completed: operator",
      "confirmed cancelled: operator,customer"
    ])
  })

  for (const status of BookingStatus.literals)
    it.effect(`that is ${status} takes the steps that its table permits, and no others`, () =>
      Effect.forEach(steps, (step) => follow([...waysOfBooking[status], step]), { discard: true })
    )

  it.effect.prop(
    "equals its model after any steps, and holds its places until it is cancelled or expires",
    { steps: Schema.Array(Step).check(Schema.isMaxLength(12)) },
    ({ steps }) => follow(steps),
    { arbitrary: { runs: 200 } }
  )
})
