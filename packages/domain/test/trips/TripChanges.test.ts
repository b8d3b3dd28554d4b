import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { bookedTrip } from "../support/BookedTrip.ts"
import { issuesIn } from "../support/Dispatch.ts"

describe("changing", () => {
  it.effect("changes the given fields, null clears a field, and other fields stay", () =>
    Effect.gen(function* () {
      const { get, update } = yield* bookedTrip
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
      const { get, lines, newEvents, update } = yield* bookedTrip
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
      const { lines, newEvents, update } = yield* bookedTrip
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
    "names amounts with too many decimals, and cars and customers that do not exist, in one error",
    () =>
      Effect.gen(function* () {
        const { newEvents, update } = yield* bookedTrip
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

  it.effect("a car that has become inactive stays on its trip", () =>
    Effect.gen(function* () {
      const { deactivateCar, update } = yield* bookedTrip
      deactivateCar(4)
      assert.strictEqual((yield* update(1, { car_id: 4, notes: "x" })).car_id, 4)
      assert.deepStrictEqual(issuesIn(yield* Effect.flip(update(1, { car_id: 5 }))), ["car_id not_found"])
    })
  )

  it.effect("the email identifies the customer if no id is given", () =>
    Effect.gen(function* () {
      const { create, update } = yield* bookedTrip
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

  it.effect("locks the car and the customer before the trip", () =>
    Effect.gen(function* () {
      const { calls, update } = yield* bookedTrip
      calls.length = 0
      yield* update(1, { car_id: 4 })
      assert.deepStrictEqual(calls, ["car inside", "lock inside"])
    })
  )
})

describe("a copy of a trip", () => {
  it.effect("has the fields of the booking with the given changes, and no later state", () =>
    Effect.gen(function* () {
      const { duplicate, get, newEvents, update } = yield* bookedTrip
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

  it.effect("fails as booking does, but drops inherited references to records that no longer exist", () =>
    Effect.gen(function* () {
      const { duplicate, deactivateCar } = yield* bookedTrip
      deactivateCar(4)
      assert.deepStrictEqual(issuesIn(yield* Effect.flip(duplicate(1, { car_id: 4, currency: "JPY" }))), [
        "total_amount invalid",
        "car_id not_found"
      ])
      assert.strictEqual((yield* duplicate(1, { car_id: null })).car_id, null)
      assert.strictEqual((yield* duplicate(1, {})).car_id, null)
    })
  )
})
