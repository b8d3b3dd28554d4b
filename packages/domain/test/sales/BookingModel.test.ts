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
import { Effect, Exit, Layer, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { addBusiness } from "../support/Businesses.ts"

const acting = ActingBusiness.make({
  business_id: BusinessId.make(1),
  business_name: "Business 1",
  status: "A",
  currency: Currency.make("USD"),
  timezone: "UTC"
})

const capacity = 5

const product = Schema.decodeSync(ProductInput)({
  name: "Tour",
  kind: "tour",
  price: 10,
  capacity,
  duration_minutes: 60,
  pickup_address: "Here",
  dropoff_address: "There"
})

const places = (count: number) => Schema.decodeSync(BookingChanges)({ participants_count: count })

/** The steps that callers take with a booking, and the passing of the time at which a pending one expires. */
const Step = Schema.Literals([
  "confirm",
  "cancel",
  "complete",
  "fewer",
  "more",
  "too many",
  "note",
  "remove",
  "wait"
])
type Step = typeof Step.Type

interface Model {
  readonly status: BookingStatus | "deleted"
  readonly count: number
  readonly trips: number
}

const start: Model = { status: "pending", count: 2, trips: 0 }

const changed = (model: Model, count: number): Model | undefined =>
  model.status === "pending" && count <= capacity ? { ...model, count } : undefined

/** What a step makes of a booking; undefined if it is refused. */
const expected = (model: Model, step: Step): Model | undefined => {
  const { status } = model
  if (status === "deleted") return step === "wait" ? model : undefined
  const moved = (to: BookingStatus) =>
    bookingMachine.can(status, to, "operator") ? { ...model, status: to } : undefined
  switch (step) {
    case "confirm":
      return Option.getOrUndefined(
        Option.map(Option.fromUndefinedOr(moved("confirmed")), (after) => ({ ...after, trips: 1 }))
      )
    case "cancel":
      return moved("cancelled")
    case "complete":
      return moved("completed")
    case "fewer":
      return changed(model, 1)
    case "more":
      return changed(model, capacity)
    case "too many":
      return changed(model, capacity + 1)
    case "note":
      return status === "pending" || status === "confirmed" ? model : undefined
    case "remove":
      return { ...model, status: "deleted" }
    case "wait":
      return status === "pending" ? { ...model, status: "expired" } : model
  }
}

/** How many places the booking holds. */
const held = ({ count, status }: Model, before: BookingStatus | "deleted") => {
  const last = status === "deleted" ? before : status
  return last === "pending" || last === "confirmed" || last === "completed" ? count : 0
}

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
  const id = BookingId.make((yield* bookings.create(acting, inputOf(start.count))).booking_id)
  let notes = 0

  const take = (step: Step): Effect.Effect<unknown, unknown> => {
    switch (step) {
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
  return {
    isFree,
    read: Effect.option(bookings.get(acting, id)),
    take,
    trips: () => store.trips.where(),
    created: () => store.events.where(({ type }) => type === "trip.created").length
  }
})

/** Takes the steps one after the other, and compares the booking and the free places with the model after each. */
const follow = (steps: ReadonlyArray<Step>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(0)
    const { created, isFree, read, take, trips } = yield* booked
    let model = start
    let last: BookingStatus | "deleted" = start.status
    for (const [index, step] of steps.entries()) {
      const cell = `${steps.slice(0, index).join(", ")}, then ${step}`
      const next = expected(model, step)
      const exit = yield* Effect.exit(take(step))
      assert.strictEqual(Exit.isSuccess(exit), next !== undefined, cell)
      assert.isFalse(Exit.hasDies(exit), cell)
      // Deleting an open booking cancels it.
      if (next?.status === "deleted" && model.status !== "deleted")
        last = bookingMachine.can(model.status, "cancelled") ? "cancelled" : model.status
      model = next ?? model
      const booking = Option.getOrUndefined(yield* read)
      assert.strictEqual(booking?.status ?? "deleted", model.status, cell)
      if (booking !== undefined) {
        assert.strictEqual(booking.participants_count, model.count, cell)
        assert.strictEqual(booking.total_amount, model.count * 10, cell)
        assert.strictEqual(booking.payment_status, "unpaid", cell)
        assert.strictEqual(booking.expires_at === null, model.status !== "pending", cell)
      }
      const free = capacity - held(model, last)
      if (free > 0) assert.isTrue(yield* isFree(free), `${cell}: ${free} places are free`)
      assert.isFalse(yield* isFree(free + 1), `${cell}: no more than ${free} places are free`)
      assert.strictEqual(created(), model.trips, cell)
      const isCancelled = model.status === "cancelled" || (model.status === "deleted" && last === "cancelled")
      for (const trip of trips())
        assert.strictEqual(trip.status, isCancelled ? "cancelled" : "confirmed", cell)
    }
  }).pipe(Effect.provide(Layer.fresh(layer)))

/** The shortest way to each status. */
const ways: Readonly<Record<BookingStatus, ReadonlyArray<Step>>> = {
  pending: [],
  confirmed: ["confirm"],
  completed: ["confirm", "complete"],
  cancelled: ["cancel"],
  expired: ["wait"]
}

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
      Effect.forEach(Step.literals, (step) => follow([...ways[status], step]), { discard: true })
    )

  it.effect.prop(
    "is what its model says after any steps, and holds its places until it is cancelled or expires",
    { steps: Schema.Array(Step).check(Schema.isMaxLength(12)) },
    ({ steps }) => follow(steps),
    { arbitrary: { runs: 200 } }
  )
})
