import { assert, describe, it } from "@effect/vitest"
import {
  estimateFares,
  fareInClass,
  type Milestone,
  outcomeOf,
  finalInputs,
  type TripFacts
} from "@livery/domain"
import { DateTime, Result } from "effect"
import { linesOf, sedan, trip } from "./Tariffs.ts"

const at = (time: string) => DateTime.makeUnsafe(`2026-06-17T${time}Z`)
const timezone = "Europe/Zurich"

/** A trip at 10:00 UTC, 12:00 in Zurich, that was driven. */
const facts = (
  known: Partial<TripFacts> = {},
  ...milestones: ReadonlyArray<readonly [Milestone, string]>
): TripFacts => ({
  trip_date: at("10:00:00"),
  status: "completed",
  cancel_reason: null,
  cancelled_by: null,
  cancelled_at: null,
  completed_at: at("11:00:00"),
  tolls_minor: 0,
  waiting_minutes: 0,
  milestones: milestones.map(([milestone, time]) => ({ milestone, at: at(time) })),
  ...known
})

const waited = (...milestones: ReadonlyArray<readonly [Milestone, string]>) =>
  finalInputs(trip(), facts({}, ...milestones), timezone).waiting_minutes

describe("waiting", () => {
  it("lasts from the driver's arrival, at the earliest the pickup time, to the passenger's boarding, in whole minutes", () => {
    assert.strictEqual(waited(["arrived_at_pickup", "09:45:00"], ["passenger_on_board", "10:20:59"]), 20)
    assert.strictEqual(waited(["arrived_at_pickup", "10:10:00"], ["passenger_on_board", "10:20:00"]), 10)
    assert.strictEqual(waited(["arrived_at_pickup", "09:45:00"], ["passenger_on_board", "09:50:00"]), 0)
  })

  it("is not charged unless both are reported; the earliest report of several drivers counts", () => {
    assert.strictEqual(waited(["arrived_at_pickup", "09:45:00"]), 0)
    assert.strictEqual(waited(["passenger_on_board", "10:30:00"]), 0)
    const two = ["arrived_at_pickup", "passenger_on_board"] as const
    assert.strictEqual(
      waited([two[0], "10:05:00"], [two[0], "10:02:00"], [two[1], "10:40:00"], [two[1], "10:30:00"]),
      28
    )
  })

  it("is at least the waiting that was agreed with the customer or entered by the office", () => {
    const inputs = (waiting_minutes: number) =>
      finalInputs(
        trip(),
        facts({ waiting_minutes }, ["arrived_at_pickup", "10:00:00"], ["passenger_on_board", "10:20:00"]),
        timezone
      ).waiting_minutes
    assert.deepStrictEqual([inputs(15), inputs(45)], [20, 45])
  })

  it("is a line of the fare, as the paid tolls are", () => {
    const fees = sedan({ waiting: [{ free_minutes: 15, amount: 15, per_minutes: 15 }] })
    const driven = facts(
      { tolls_minor: 650 },
      ["arrived_at_pickup", "10:00:00"],
      ["passenger_on_board", "10:16:00"]
    )
    assert.deepStrictEqual(linesOf(fees, finalInputs(trip(), driven, timezone)), [
      "base distance:sedan 10000",
      "waiting waiting:1 1500",
      "tolls tolls:at_cost 650"
    ])
  })
})

describe("an hourly trip", () => {
  const booked = trip({ trip_type: "hourly", duration_minutes: 180 })
  const taken = (completed_at: string) =>
    finalInputs(
      booked,
      facts(
        { completed_at: at(completed_at) },
        ["arrived_at_pickup", "09:50:00"],
        ["passenger_on_board", "10:30:00"]
      ),
      timezone
    )
  it("lasts from the pickup time to its end and at least the booked time, and has no separate waiting", () => {
    assert.deepInclude(taken("12:30:00"), { duration_minutes: 180, waiting_minutes: 0 })
    assert.deepInclude(taken("13:00:01"), { duration_minutes: 181, waiting_minutes: 0 })
    assert.strictEqual(
      finalInputs(trip({ trip_type: "hourly", duration_minutes: null }), facts(), timezone).duration_minutes,
      60
    )
    assert.strictEqual(finalInputs(trip({ duration_minutes: 20 }), facts(), timezone).duration_minutes, 20)
  })
})

describe("how a trip ended", () => {
  const cancelled = (cancel_reason: TripFacts["cancel_reason"], cancelled_by: string) =>
    outcomeOf(facts({ status: "cancelled", cancel_reason, cancelled_by, completed_at: null }))

  it("a cancellation by the customer is charged, and one by the business is waived", () => {
    assert.strictEqual(cancelled("customer_request", "operator"), "cancelled")
    assert.strictEqual(cancelled("late_cancel", "operator"), "cancelled")
    assert.strictEqual(cancelled("other", "customer"), "cancelled")
    assert.strictEqual(cancelled(null, "customer"), "cancelled")
    assert.strictEqual(cancelled(null, "operator"), "waived")
    for (const reason of ["operator", "no_driver", "duplicate"] as const)
      assert.strictEqual(cancelled(reason, "customer"), "waived")
  })

  it("a trip is a no-show if it was cancelled as one, or if a driver reported one and no passenger boarded", () => {
    assert.strictEqual(cancelled("no_show", "operator"), "no_show")
    assert.strictEqual(
      outcomeOf(facts({}, ["arrived_at_pickup", "10:00:00"], ["no_show", "10:30:00"])),
      "no_show"
    )
    assert.strictEqual(
      outcomeOf(facts({}, ["no_show", "10:30:00"], ["passenger_on_board", "10:35:00"])),
      "ride"
    )
    assert.strictEqual(outcomeOf(facts({}, ["passenger_on_board", "10:05:00"])), "ride")
  })
})

describe("the cost of a trip that was not driven", () => {
  const fees = sedan({
    waiting: [{ free_minutes: 15, amount: 1 }],
    late_cancellation: [
      {
        steps: [
          { within_minutes: 120, percent: 50 },
          { within_days: 0, percent: 30 }
        ]
      }
    ]
  })
  const settled = (known: Partial<TripFacts>, ...milestones: ReadonlyArray<readonly [Milestone, string]>) =>
    finalInputs(trip(), facts({ status: "cancelled", completed_at: null, ...known }, ...milestones), timezone)

  it("depends on the notice, in minutes and in days of the business's calendar", () => {
    const cancelledAt = (moment: string) =>
      settled({ cancel_reason: "customer_request", cancelled_at: DateTime.makeUnsafe(moment) })
    assert.deepStrictEqual(cancelledAt("2026-06-17T08:30:30Z").notice, { minutes: 89, days: 0 })
    // 21:59 UTC is 23:59 of the day before in Zurich, 22:00 UTC is midnight.
    assert.deepStrictEqual(cancelledAt("2026-06-16T21:59:00Z").notice, { minutes: 721, days: 1 })
    assert.deepStrictEqual(cancelledAt("2026-06-16T22:00:00Z").notice, { minutes: 720, days: 0 })
    assert.deepStrictEqual(linesOf(fees, cancelledAt("2026-06-17T08:30:30Z")), [
      "late_cancellation late_cancellation:1 5000"
    ])
    assert.deepStrictEqual(linesOf(fees, cancelledAt("2026-06-16T22:00:00Z")), [
      "late_cancellation late_cancellation:1 3000"
    ])
    assert.deepStrictEqual(linesOf(fees, cancelledAt("2026-06-16T21:59:00Z")), [])
    assert.deepStrictEqual(linesOf(fees, cancelledAt("2026-06-17T10:30:00Z")), [
      "late_cancellation late_cancellation:1 5000"
    ])
  })

  it("is the ride and the waiting after a no-show", () => {
    const inputs = settled(
      { cancel_reason: "no_show", cancelled_at: at("10:50:00") },
      ["arrived_at_pickup", "09:55:00"],
      ["no_show", "10:45:00"]
    )
    assert.deepInclude(inputs, { waiting_minutes: 45, notice: null, outcome: "no_show" })
    assert.deepStrictEqual(linesOf(fees, inputs), [
      "waiting waiting:1 3000",
      "no_show no_show:whole_ride 10000"
    ])
  })

  it("is zero if the business cancelled", () => {
    assert.deepStrictEqual(
      linesOf(fees, settled({ cancel_reason: "no_driver", cancelled_at: at("09:59:00") })),
      []
    )
  })
})

it("one class has the same fare alone as among all classes, and a class that the tariff lacks has none", () => {
  const fees = sedan({ dates: [{ when: [{}], percent: 10 }] })
  assert.deepStrictEqual(
    Result.getOrThrow(fareInClass(fees, "sedan", trip())),
    estimateFares(fees, trip()).fares[0]
  )
  assert.deepStrictEqual(fareInClass(fees, "bus", trip()), Result.fail("no_price"))
})
