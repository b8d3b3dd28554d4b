import { assert, describe, it } from "@effect/vitest"
import type { CarId, CustomerId, DriverId, InvoiceId } from "@livery/domain"
import { Detaching } from "@livery/domain"
import { Effect } from "effect"
import { bookedTrip } from "../support/BookedTrip.ts"
import { acme, issuesIn, stakesIn, zephyr } from "../support/Dispatch.ts"

describe("the trip's end", () => {
  it.effect("cancelling stores the reason, the author and the fee, and cancels the live assignments", () =>
    Effect.gen(function* () {
      const { assignments, newEvents, update } = yield* bookedTrip
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
      const { update } = yield* bookedTrip
      assert.strictEqual((yield* update(1, { status: "cancelled" })).cancel_reason, "operator")
    })
  )

  it.effect("completing completes every live assignment", () =>
    Effect.gen(function* () {
      const { newEvents, report, update } = yield* bookedTrip
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
      const { create, update } = yield* bookedTrip
      yield* create()
      const refusal = yield* Effect.flip(update(2, { status: "in_progress" }))
      assert.strictEqual(
        refusal.message,
        "A trip that is confirmed cannot become in_progress; it may become completed, cancelled"
      )
      assert.strictEqual((yield* update(2, { status: "completed" })).driver_status, "unassigned")
    })
  )

  it.effect("an ended trip moves to no status, not even to its own", () =>
    Effect.gen(function* () {
      const { newEvents, update } = yield* bookedTrip
      yield* update(1, { status: "completed" })
      newEvents()
      for (const status of ["pending", "confirmed", "in_progress", "completed", "cancelled"])
        assert.strictEqual((yield* Effect.flip(update(1, { status })))._tag, "IllegalTransition", status)
      assert.deepStrictEqual(newEvents(), [])
    })
  )

  it.effect("the refusal of a new status of an ended trip names the request that reopens the trip", () =>
    Effect.gen(function* () {
      const { reopen, update } = yield* bookedTrip
      const refused = (status: string) =>
        Effect.map(Effect.flip(update(1, { status })), ({ message }) => message)
      yield* update(1, { status: "completed" })
      assert.strictEqual(
        yield* refused("confirmed"),
        "A trip that is completed cannot become confirmed. Reopen it with POST /trips/{id}/reopen"
      )
      assert.strictEqual(
        yield* refused("cancelled"),
        "A trip that is completed cannot become cancelled. Reopen it first, with POST /trips/{id}/reopen"
      )
      assert.strictEqual(
        yield* refused("completed"),
        "A trip that is completed cannot become completed: it is final"
      )
      yield* reopen(1)
      assert.strictEqual(
        (yield* Effect.flip(reopen(1))).message,
        "Only a trip that has ended can be reopened; this one is confirmed"
      )
    })
  )

  it.effect("only notes and amounts of a trip that has ended can change", () =>
    Effect.gen(function* () {
      const { newEvents, update } = yield* bookedTrip
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

describe("the refusal of a field", () => {
  it.effect(
    "of a trip that has ended says that it has ended, what can still change, and how to reopen it",
    () =>
      Effect.gen(function* () {
        const { reopen, update } = yield* bookedTrip
        const refused = Effect.map(Effect.flip(update(1, { customer_name: "Bob" })), ({ message }) => message)
        yield* update(1, { status: "completed" })
        assert.strictEqual(
          yield* refused,
          "The input is not valid: customer_name invalid. The trip is completed: only total_amount, currency, " +
            "notes, po_number, cost_center, internal_notes, taxes, tax_included, waiting_minutes, tolls_amount can still change. POST /trips/{id}/reopen reopens it"
        )
        yield* reopen(1)
        yield* update(1, { status: "cancelled" })
        assert.strictEqual(
          yield* refused,
          "The input is not valid: customer_name invalid. The trip is cancelled: only total_amount, currency, " +
            "notes, po_number, cost_center, internal_notes, taxes, tax_included, waiting_minutes, tolls_amount, cancellation_fee can still change. " +
            "POST /trips/{id}/reopen reopens it"
        )
        yield* update(1, { cancellation_fee: 5 })
      })
  )

  it.effect("of a cancellation says that it belongs to a cancellation, if the trip is not cancelled", () =>
    Effect.gen(function* () {
      const { update } = yield* bookedTrip
      const refused = (change: object) => Effect.map(Effect.flip(update(1, change)), ({ message }) => message)
      const fee =
        "cancellation_fee is accepted together with the status cancelled, or once the trip is cancelled"
      const reason = "cancel_reason is accepted only together with the status cancelled"
      assert.strictEqual(
        yield* refused({ cancellation_fee: 1 }),
        `The input is not valid: cancellation_fee invalid. ${fee}`
      )
      assert.strictEqual(
        yield* refused({ cancel_reason: "other", cancellation_fee: 1 }),
        `The input is not valid: cancel_reason invalid, cancellation_fee invalid. ${reason}. ${fee}`
      )
      yield* update(1, { status: "completed" })
      assert.strictEqual(
        yield* refused({ cancellation_fee: 1 }),
        `The input is not valid: cancellation_fee invalid. ${fee}`
      )
    })
  )
})

describe("deleting", () => {
  it.effect("needs a confirmation while it has live assignments or is on an invoice", () =>
    Effect.gen(function* () {
      const { changeTrip, get, remove } = yield* bookedTrip
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

  it.effect("cancels an open trip, and makes it absent for every reader", () =>
    Effect.gen(function* () {
      const { assign, assignments, duplicate, get, newEvents, remove, reportFor, timeline, update } =
        yield* bookedTrip
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

  it.effect("of an ended trip sends nothing", () =>
    Effect.gen(function* () {
      const { lines, newEvents, remove, update } = yield* bookedTrip
      yield* update(1, { status: "completed" })
      newEvents()
      yield* remove(1)
      assert.deepStrictEqual([newEvents(), lines().at(-1)?.change], [[], "deleted"])
    })
  )

  it.effect("another business's trip is absent", () =>
    Effect.gen(function* () {
      const { duplicate, remove, timeline, update } = yield* bookedTrip
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

describe("a record that trips refer to is deleted", () => {
  it.effect("a car: open trips lose it, ended ones keep it", () =>
    Effect.gen(function* () {
      const { create, get, newEvents, run, update } = yield* bookedTrip
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

  it.effect("a driver: live assignments are cancelled, completed ones stay", () =>
    Effect.gen(function* () {
      const { assign, create, get, newEvents, report, run } = yield* bookedTrip
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

  it.effect("a customer: open trips keep the name and lose the link", () =>
    Effect.gen(function* () {
      const { create, get, newEvents, run } = yield* bookedTrip
      yield* create({ customer_id: 7 })
      newEvents()
      yield* run(Detaching.use((it) => it.detachCustomer(acme, 7 as CustomerId)))
      assert.deepInclude<object>(yield* get(2), { customer_id: null, customer_name: "Zoë" })
      assert.deepStrictEqual(newEvents(), ["trip.updated"])
    })
  )
})
