import { assert, describe, it } from "@effect/vitest"
import type { CarId, CustomerId, DriverId, InvoiceId } from "@livery/domain"
import { Detaching } from "@livery/domain"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, dispatch, issuesIn, stakesIn, zephyr } from "../support/Dispatch.ts"

/** Trip 1, with the drivers 11 and 12. */
const booked = Effect.gen(function* () {
  yield* TestClock.setTime(Date.parse("2026-11-20T08:00:00Z"))
  const world = yield* dispatch
  world.hire(1, 11, 12)
  world.addCar(1, 4)
  world.addCustomer(1, 7, "ada@example.com")
  yield* world.create({ total_amount: 129.5, car_id: 4 })
  yield* world.assign(1, [11, 12])
  world.newEvents()
  return world
})

describe("changing", () => {
  it.effect("changes the given fields, null clears a field, and other fields stay", () =>
    Effect.gen(function* () {
      const { get, update } = yield* booked
      const before = yield* get(1)
      yield* TestClock.adjust("1 minute")
      const change = { customer_name: " Ada ", notes: "VIP", car_id: null, trip_date: "2026-11-21 18:00:00" }
      const { warnings, ...after } = yield* update(1, change)
      assert.deepStrictEqual(warnings, [])
      assert.deepStrictEqual<unknown>(after, {
        ...before,
        customer_name: "Ada",
        notes: "VIP",
        car_id: null,
        trip_date: "2026-11-21T17:00:00Z",
        pickup_at: "2026-11-21 18:00:00",
        pickup_local: "2026-11-21 18:00:00",
        updated_at: "2026-11-20T08:01:00Z"
      })
      assert.deepStrictEqual(yield* get(1), after)
    })
  )

  it.effect("a change to the present values changes nothing, writes nothing and sends nothing", () =>
    Effect.gen(function* () {
      const { get, lines, newEvents, update } = yield* booked
      const [before, count] = [yield* get(1), lines().length]
      yield* TestClock.adjust("1 minute")
      const { warnings: _warnings, ...after } = yield* update(1, {
        total_amount: 129.5,
        status: "confirmed",
        customer_name: "Zoë",
        trip_date: "2026-11-20T08:30:00Z"
      })
      assert.deepStrictEqual([after, lines().length, newEvents()], [before, count, []])
    })
  )

  it.effect("a change of notes or amounts emits no event, any other change does; the timeline has both", () =>
    Effect.gen(function* () {
      const { lines, newEvents, update } = yield* booked
      yield* update(1, { notes: "x", total_amount: 10, currency: "EUR" })
      assert.deepStrictEqual(newEvents(), [])
      assert.deepStrictEqual<unknown>(lines().at(-1), {
        trip_id: 1,
        change: "updated",
        driver_id: null,
        before: { total_amount: 129.5, currency: "USD", notes: null },
        after: { total_amount: 10, currency: "EUR", notes: "x" }
      })
      for (const change of [{ flight_number: "LX 8" }, { duration_minutes: 90 }, { car_id: null }]) {
        yield* update(1, change)
        assert.deepStrictEqual(newEvents(), ["trip.updated"])
      }
    })
  )

  it.effect(
    "names all that cannot be had: amounts too fine for their currency, cars and customers not there",
    () =>
      Effect.gen(function* () {
        const { newEvents, update } = yield* booked
        const issues = issuesIn(yield* Effect.flip(update(1, { currency: "JPY", car_id: 5, customer_id: 8 })))
        assert.deepStrictEqual(issues, ["total_amount invalid", "car_id not_found", "customer_id not_found"])
        assert.deepStrictEqual(issuesIn(yield* Effect.flip(update(1, { total_amount: 0.001 }))), [
          "total_amount invalid"
        ])
        assert.deepStrictEqual(
          issuesIn(yield* Effect.flip(update(1, { cancel_reason: "other", cancellation_fee: 1 }))),
          ["cancel_reason invalid", "cancellation_fee invalid"]
        )
        assert.deepStrictEqual(newEvents(), [])
      })
  )

  it.effect("a car that can be booked no more stays where it is", () =>
    Effect.gen(function* () {
      const { retireCar, update } = yield* booked
      retireCar(4)
      assert.strictEqual((yield* update(1, { car_id: 4, notes: "x" })).car_id, 4)
      assert.deepStrictEqual(issuesIn(yield* Effect.flip(update(1, { car_id: 5 }))), ["car_id not_found"])
    })
  )

  it.effect("the email identifies the customer if no id is given", () =>
    Effect.gen(function* () {
      const { create, update } = yield* booked
      assert.strictEqual((yield* create({ customer_email: "ADA@example.com" })).customer_id, 7)
      assert.strictEqual((yield* create({ customer_email: "bob@example.com" })).customer_id, null)
      assert.strictEqual((yield* create({ customer_id: 7 })).customer_id, 7)
      assert.deepStrictEqual(issuesIn(yield* Effect.flip(create({ customer_id: 8 }))), [
        "customer_id not_found"
      ])
      assert.strictEqual((yield* update(1, { customer_email: "ada@example.com" })).customer_id, 7)
      assert.strictEqual((yield* update(1, { customer_email: "bob@example.com" })).customer_id, null)
      assert.strictEqual((yield* update(1, { customer_email: null, customer_id: 7 })).customer_id, 7)
    })
  )

  it.effect("holds the car and the customer before the trip", () =>
    Effect.gen(function* () {
      const { calls, update } = yield* booked
      calls.length = 0
      yield* update(1, { car_id: 4 })
      assert.deepStrictEqual(calls, ["car inside", "lock inside"])
    })
  )
})

describe("the trip's end", () => {
  it.effect("cancelling records why, by whom and for how much, and ends what drivers had to do", () =>
    Effect.gen(function* () {
      const { assignments, newEvents, update } = yield* booked
      const trip = yield* update(1, {
        status: "cancelled",
        cancel_reason: "late_cancel",
        cancellation_fee: 40.25
      })
      const expected: object = {
        status: "cancelled",
        driver_status: "unassigned",
        driver_ids: [],
        allowed_transitions: [],
        cancel_reason: "late_cancel",
        cancelled_by: "operator",
        cancellation_fee: 40.25,
        cancelled_at: "2026-11-20T08:00:00Z",
        completed_at: null
      }
      assert.deepInclude<object>(trip, expected)
      assert.deepStrictEqual(newEvents(), ["trip.updated", "trip.cancelled", "driver.assigned"])
      assert.deepStrictEqual(
        assignments().map(({ status, tokenHash }) => [status, tokenHash]),
        [
          ["cancelled", null],
          ["cancelled", null]
        ]
      )
    })
  )

  it.effect("a cancellation without a reason has the operator's default reason", () =>
    Effect.gen(function* () {
      const { update } = yield* booked
      assert.strictEqual((yield* update(1, { status: "cancelled" })).cancel_reason, "operator")
    })
  )

  it.effect("completing completes every part that was still to be done", () =>
    Effect.gen(function* () {
      const { newEvents, report, update } = yield* booked
      yield* report(1, { status: "en_route" })
      newEvents()
      const trip = yield* update(1, { status: "completed" })
      assert.deepStrictEqual<unknown>(
        [trip.status, trip.driver_status, trip.drivers.map(({ status }) => status)],
        ["completed", "completed", ["completed", "completed"]]
      )
      assert.deepStrictEqual(newEvents(), ["trip.updated", "trip.completed"])
    })
  )

  it.effect("an operator may complete a trip without drivers, but may not set it in progress", () =>
    Effect.gen(function* () {
      const { create, update } = yield* booked
      yield* create()
      const refusal = yield* Effect.flip(update(2, { status: "in_progress" }))
      assert.strictEqual(
        refusal.message,
        "A trip that is confirmed cannot become in_progress; it may become completed, cancelled"
      )
      assert.strictEqual((yield* update(2, { status: "completed" })).driver_status, "unassigned")
    })
  )

  it.effect("a trip that has ended moves to no status, not even to its own", () =>
    Effect.gen(function* () {
      const { newEvents, update } = yield* booked
      yield* update(1, { status: "completed" })
      newEvents()
      for (const status of ["pending", "confirmed", "in_progress", "completed", "cancelled"])
        assert.strictEqual((yield* Effect.flip(update(1, { status })))._tag, "IllegalTransition", status)
      assert.deepStrictEqual(newEvents(), [])
    })
  )

  it.effect("only notes and amounts of a trip that has ended can change", () =>
    Effect.gen(function* () {
      const { newEvents, update } = yield* booked
      yield* update(1, { status: "cancelled" })
      newEvents()
      const refusal = yield* Effect.flip(
        update(1, {
          customer_name: "Bob",
          trip_date: "2026-12-01T00:00:00Z",
          notes: "x",
          car_id: 5,
          cancel_reason: "other"
        })
      )
      assert.sameMembers(issuesIn(refusal), [
        "trip_date invalid",
        "customer_name invalid",
        "car_id invalid",
        "cancel_reason invalid"
      ])
      const trip = yield* update(1, {
        notes: "x",
        total_amount: 20,
        currency: "EUR",
        cancellation_fee: 5,
        customer_name: "Zoë"
      })
      assert.deepInclude<object>(trip, { notes: "x", total_amount: 20, currency: "EUR", cancellation_fee: 5 })
      assert.deepStrictEqual(newEvents(), [])
    })
  )
})

describe("deleting", () => {
  it.effect("asks first while drivers have it to do or it is on an invoice", () =>
    Effect.gen(function* () {
      const { changeTrip, get, remove } = yield* booked
      changeTrip(1, { invoice_id: 3 as InvoiceId })
      const refusal = yield* Effect.flip(remove(1))
      assert.deepStrictEqual(stakesIn(refusal), [
        { type: "assignment", driver_id: 11 },
        { type: "assignment", driver_id: 12 },
        { type: "invoice", invoice_id: 3 }
      ])
      assert.strictEqual((yield* get(1)).status, "confirmed")
    })
  )

  it.effect("cancels what has not ended, and is gone for everybody", () =>
    Effect.gen(function* () {
      const { assign, assignments, duplicate, get, newEvents, remove, reportFor, timeline, update } =
        yield* booked
      const before = yield* get(1)
      assert.deepStrictEqual(yield* remove(1, true), before)
      assert.deepStrictEqual(newEvents(), ["trip.updated", "trip.cancelled", "driver.assigned"])
      assert.isTrue(assignments().every(({ status }) => status === "cancelled"))
      const asked = [
        get(1),
        update(1, { notes: "x" }),
        remove(1, true),
        assign(1, []),
        duplicate(1),
        timeline(1)
      ]
      for (const ask of [...asked, reportFor(1, { status: "en_route" })])
        assert.strictEqual(
          (yield* Effect.flip(ask as Effect.Effect<unknown, { readonly _tag: string }>))._tag,
          "NotFound"
        )
    })
  )

  it.effect("of what has ended sends nothing", () =>
    Effect.gen(function* () {
      const { lines, newEvents, remove, update } = yield* booked
      yield* update(1, { status: "completed" })
      newEvents()
      yield* remove(1)
      assert.deepStrictEqual([newEvents(), lines().at(-1)?.change], [[], "deleted"])
    })
  )

  it.effect("another business's trip is as absent as one that never was", () =>
    Effect.gen(function* () {
      const { duplicate, remove, timeline, update } = yield* booked
      for (const ask of [
        remove(1, true, zephyr),
        update(1, { notes: "x" }, zephyr),
        duplicate(1, {}, zephyr),
        timeline(1, zephyr)
      ])
        assert.strictEqual(
          (yield* Effect.flip(ask as Effect.Effect<unknown, { readonly _tag: string }>))._tag,
          "NotFound"
        )
    })
  )
})

describe("booking the same again", () => {
  it.effect("copies the booking with the given changes, and nothing that happened afterwards", () =>
    Effect.gen(function* () {
      const { duplicate, get, newEvents, update } = yield* booked
      yield* update(1, { status: "cancelled", cancellation_fee: 5 })
      newEvents()
      const [source, copy] = [yield* get(1), yield* duplicate(1, { trip_date: "2026-11-27T09:30:00" })]
      assert.deepStrictEqual<unknown>(copy, {
        ...source,
        trip_id: 2,
        drivers: [],
        reference: copy.reference,
        status: "confirmed",
        allowed_transitions: ["completed", "cancelled"],
        trip_date: "2026-11-27T08:30:00Z",
        pickup_at: "2026-11-27 09:30:00",
        pickup_local: "2026-11-27 09:30:00",
        cancel_reason: null,
        cancelled_by: null,
        cancellation_fee: null,
        cancelled_at: null,
        warnings: []
      })
      assert.notStrictEqual(copy.reference, source.reference)
      assert.deepStrictEqual(newEvents(), ["trip.created"])
    })
  )

  it.effect("is refused as booking is, but for what it inherits and is no more: that is left out", () =>
    Effect.gen(function* () {
      const { duplicate, retireCar } = yield* booked
      retireCar(4)
      assert.deepStrictEqual(issuesIn(yield* Effect.flip(duplicate(1, { car_id: 4, currency: "JPY" }))), [
        "total_amount invalid",
        "car_id not_found"
      ])
      assert.strictEqual((yield* duplicate(1, { car_id: null })).car_id, null)
      assert.strictEqual((yield* duplicate(1, {})).car_id, null)
    })
  )
})

describe("a record that trips refer to is deleted", () => {
  it.effect("a car: open trips have none any more, ended ones keep theirs", () =>
    Effect.gen(function* () {
      const { create, get, newEvents, run, update } = yield* booked
      yield* create({ car_id: 4 })
      yield* update(2, { status: "completed" })
      newEvents()
      assert.deepStrictEqual<unknown>(
        yield* run(Detaching.use((it) => it.openTripsOfCar(acme.business_id, 4 as CarId))),
        [1]
      )
      yield* run(Detaching.use((it) => it.detachCar(acme, 4 as CarId)))
      assert.deepStrictEqual(
        [(yield* get(1)).car_id, (yield* get(2)).car_id, newEvents()],
        [null, 4, ["trip.updated"]]
      )
    })
  )

  it.effect("a driver: what they had to do is cancelled, what they have done is theirs", () =>
    Effect.gen(function* () {
      const { assign, create, get, newEvents, report, run } = yield* booked
      yield* create({ trip_date: "2026-11-21T09:30:00" })
      yield* assign(2, [11])
      yield* report(1, { status: "completed" }, "operator")
      newEvents()
      assert.deepStrictEqual<unknown>(
        yield* run(Detaching.use((it) => it.openTripsOfDriver(acme.business_id, 11 as DriverId))),
        [2]
      )
      yield* run(Detaching.use((it) => it.detachDriver(acme, 11 as DriverId)))
      assert.deepStrictEqual([(yield* get(1)).driver_ids, (yield* get(2)).driver_ids], [[11, 12], []])
      assert.deepStrictEqual(newEvents(), ["driver.assigned"])
    })
  )

  it.effect("a customer: open trips keep the name and are no customer's", () =>
    Effect.gen(function* () {
      const { create, get, newEvents, run } = yield* booked
      yield* create({ customer_id: 7 })
      newEvents()
      yield* run(Detaching.use((it) => it.detachCustomer(acme, 7 as CustomerId)))
      assert.deepInclude<object>(yield* get(2), { customer_id: null, customer_name: "Zoë" })
      assert.deepStrictEqual(newEvents(), ["trip.updated"])
    })
  )
})
