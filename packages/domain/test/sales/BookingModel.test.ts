import {
  ActingBusiness,
  BookingChanges,
  BookingId,
  BookingInput,
  bookingMachine,
  Bookings,
  BookingStatus,
  BusinessId,
  Currency,
  Detaching,
  InvoiceTrips,
  ProductInput,
  Products,
  Trips
} from "@livery/domain"
import { Memory, Store } from "@livery/memory"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Option, Result, Schema } from "effect"
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
import type { ModelAnswer } from "../../../../test/support/models/Model.ts"
import { addBusiness } from "../support/Businesses.ts"

const acting = ActingBusiness.make({
  business_id: BusinessId.make(1),
  business_name: "Business 1",
  status: "A",
  currency: Currency.make("USD"),
  timezone: "UTC"
})

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
        // Another text each time, so that each change makes a difference.
        notes += 1
        return bookings.update(acting, id, Schema.decodeSync(BookingChanges)({ notes: `Note ${notes}` }))
      case "remove":
        return bookings.remove(acting, id, { force: true })
      case "wait":
        return TestClock.setTime(86_400_000)
    }
  }
  /** Whether another booking may take that many places; it takes none. */
  const isFree = (count: number) =>
    Effect.flatMap(Effect.exit(bookings.create(acting, inputOf(count))), (exit) =>
      Exit.isSuccess(exit)
        ? Effect.as(
            Effect.orDie(bookings.remove(acting, BookingId.make(exit.value.booking_id), { force: true })),
            true
          )
        : Effect.succeed(false)
    )
  /** The booking as the model describes it, if others can take all places but `held`, and no more. */
  const read = Effect.fnUntraced(function* ({ held, isDue }: BookingModel) {
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
    const tripStatuses = store.trips.where().map(({ status }) => status)
    return { found, tripStatuses }
  })
  return { read, take }
})

const statuses: Readonly<Record<string, ModelAnswer>> = {
  NotFound: 404,
  Conflict: 409,
  IllegalTransition: 422,
  InvalidInput: 422
}

/** Takes the steps one after the other, and compares the booking and the free places with the model after each. */
const follow = (steps: ReadonlyArray<BookingStep>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(0)
    const { read, take } = yield* booked
    let model = pendingBooking
    for (const [index, step] of steps.entries()) {
      const cell = `${steps.slice(0, index).join(", ")}, then ${step}`
      const { after, answer } = takeBookingStep(model, step)
      const taken = yield* Effect.result(take(step))
      assert.strictEqual(
        Result.isSuccess(taken) ? "ok" : statuses[(taken.failure as { readonly _tag: string })._tag],
        answer,
        cell
      )
      model = after
      const { found, tripStatuses } = yield* read(model)
      assert.deepStrictEqual(found, model, cell)
      const tripStatus = model.held === 0 ? "cancelled" : "confirmed"
      assert.deepStrictEqual(tripStatuses, model.trips === 0 ? [] : [tripStatus], cell)
    }
  }).pipe(Effect.provide(Layer.fresh(layer)))

describe("a booking", () => {
  it("moves as its table says, of all 25 pairs", () => {
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
    "is what its model says after any steps, and holds its places until it is cancelled or expires",
    { steps: Schema.Array(Step).check(Schema.isMaxLength(12)) },
    ({ steps }) => follow(steps),
    { arbitrary: { runs: 200 } }
  )
})
