import { assert, describe, it } from "@effect/vitest"
import type { AssignmentReport } from "@livery/domain"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, issuesIn, zephyr } from "../support/Dispatch.ts"
import { statusesOf, assignedTrip } from "../support/AssignedTrip.ts"

describe("reporting", () => {
  it.effect("the first driver under way starts the trip, the last completed assignment ends it", () =>
    Effect.gen(function* () {
      const { get, newEvents, report } = yield* assignedTrip
      const step = Effect.fnUntraced(function* (assignment: number, status: "en_route" | "completed") {
        yield* report(assignment, { status })
        const trip = yield* get(1)
        return [trip.status, trip.driver_status, ...newEvents()]
      })
      assert.deepStrictEqual(yield* step(1, "en_route"), ["in_progress", "en_route", "trip.updated"])
      assert.deepStrictEqual(yield* step(2, "en_route"), ["in_progress", "en_route"])
      assert.deepStrictEqual(yield* step(1, "completed"), ["in_progress", "en_route"])
      assert.deepStrictEqual(yield* step(2, "completed"), [
        "completed",
        "completed",
        "trip.updated",
        "trip.completed"
      ])
      assert.strictEqual((yield* get(1)).completed_at, "2026-11-20T08:00:00Z")
    })
  )

  it.effect("a driver's cancellation ends only that assignment: the trip needs a driver again", () =>
    Effect.gen(function* () {
      const { assign, get, newEvents, report } = yield* assignedTrip
      yield* assign(1, [11])
      yield* report(1, { status: "en_route" })
      newEvents()
      yield* report(1, { status: "cancelled" })
      assert.deepStrictEqual(statusesOf(yield* get(1)), [
        "confirmed",
        "unassigned",
        "11 cancelled",
        "12 cancelled"
      ])
      assert.deepStrictEqual(newEvents(), ["trip.updated", "driver.assigned"])
      // A driver who is assigned again gets a new assignment and a new token.
      assert.isNotNull((yield* assign(1, [11])).drivers[0]?.driver_token)
    })
  )

  it.effect("a repeated report changes nothing and sends nothing", () =>
    Effect.gen(function* () {
      const { get, lines, newEvents, report } = yield* assignedTrip
      yield* report(1, { status: "en_route", milestone: "arrived_at_pickup" })
      newEvents()
      const [before, count] = [yield* get(1), lines().length]
      yield* TestClock.adjust("5 minutes")
      yield* report(1, { status: "en_route" })
      yield* report(1, { milestone: "arrived_at_pickup", lat: 1, lng: 2 })
      assert.deepStrictEqual([yield* get(1), lines().length, newEvents()], [before, count, []])
    })
  )

  it.effect(
    "the first milestone of each kind is stored, with time and place, while the driver is under way",
    () =>
      Effect.gen(function* () {
        const { get, lines, newEvents, report } = yield* assignedTrip
        const early = yield* Effect.flip(report(1, { milestone: "no_show" }))
        assert.deepStrictEqual(issuesIn(early), ["milestone illegal_transition"])
        assert.match(
          early.message,
          /The status of the driver is assigned; milestones are reported while en_route, or with it$/u
        )
        yield* report(1, { status: "en_route" })
        newEvents()
        yield* report(1, { milestone: "arrived_at_pickup", at: "2026-11-20T07:59:00Z", lat: 47.4, lng: 8.5 })
        yield* report(1, { milestone: "passenger_on_board", status: "completed" })
        assert.deepStrictEqual((yield* get(1)).drivers[0]?.milestones, [
          {
            milestone: "arrived_at_pickup",
            at: "2026-11-20T07:59:00Z",
            lat: 47.4,
            lng: 8.5,
            stop_index: null
          },
          {
            milestone: "passenger_on_board",
            at: "2026-11-20T08:00:00Z",
            lat: null,
            lng: null,
            stop_index: null
          }
        ])
        assert.deepStrictEqual(newEvents(), [])
        assert.includeMembers(
          lines().map(({ change }) => change),
          ["milestone_reached", "driver_status_changed"]
        )
      })
  )

  it.effect(
    "in the timeline, a departure comes before the milestone of the same report, an end after it",
    () =>
      Effect.gen(function* () {
        const { lines, report } = yield* assignedTrip
        const linesOf = Effect.fnUntraced(function* (change: AssignmentReport) {
          const count = lines().length
          yield* report(1, change)
          return lines()
            .slice(count)
            .filter(({ driver_id }) => driver_id !== null)
            .map(({ after, change }) => [change, after?.["milestone"] ?? after?.["status"]])
        })
        assert.deepStrictEqual(yield* linesOf({ status: "en_route", milestone: "arrived_at_pickup" }), [
          ["driver_status_changed", "en_route"],
          ["milestone_reached", "arrived_at_pickup"]
        ])
        assert.deepStrictEqual(yield* linesOf({ status: "completed", milestone: "passenger_on_board" }), [
          ["milestone_reached", "passenger_on_board"],
          ["driver_status_changed", "completed"]
        ])
      })
  )

  it.effect("milestones are in order of their times, also if one is reported late", () =>
    Effect.gen(function* () {
      const { get, report } = yield* assignedTrip
      yield* report(1, { status: "en_route", milestone: "passenger_on_board" })
      const reported = yield* report(1, { milestone: "arrived_at_pickup", at: "2026-11-20T07:50:00Z" })
      const milestones = ["arrived_at_pickup", "passenger_on_board"]
      assert.deepStrictEqual<unknown>(
        reported.assignment.milestones.map(({ milestone }) => milestone),
        milestones
      )
      assert.strictEqual((yield* get(1)).drivers[0]?.milestones.length, 2)
    })
  )

  it.effect("an empty report, half a position and fields without a milestone are refused together", () =>
    Effect.gen(function* () {
      const { report } = yield* assignedTrip
      const wrong = { lng: 8, at: "2026-11-20T08:01:01Z" }
      const refused = (received: AssignmentReport) => Effect.map(Effect.flip(report(1, received)), issuesIn)
      assert.deepStrictEqual(yield* refused(wrong), ["status required", "lng invalid", "at invalid"])
      assert.deepStrictEqual(yield* refused({ ...wrong, milestone: "no_show" }), ["lat required"])
      yield* report(1, { status: "en_route", milestone: "arrived_at_pickup", at: "2026-11-20T08:01:00Z" })
    })
  )

  it.effect("a milestone of the future has the server's time, because a phone's clock may be wrong", () =>
    Effect.gen(function* () {
      const { report } = yield* assignedTrip
      const { assignment } = yield* report(1, {
        status: "en_route",
        milestone: "arrived_at_pickup",
        at: "2026-11-21T08:00:00Z"
      })
      assert.deepStrictEqual(
        assignment.milestones.map(({ at }) => DateTime.formatIso(at)),
        ["2026-11-20T08:00:00.000Z"]
      )
    })
  )

  it.effect("a driver may undo a start within two minutes, and an operator at any time", () =>
    Effect.gen(function* () {
      const { get, lines, newEvents, report, reportFor } = yield* assignedTrip
      yield* report(1, { status: "en_route" })
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual((yield* Effect.flip(report(1, { status: "assigned" })))._tag, "IllegalTransition")
      newEvents()
      yield* report(1, { undo: true })
      assert.deepStrictEqual(statusesOf(yield* get(1)), [
        "confirmed",
        "assigned",
        "11 assigned",
        "12 assigned"
      ])
      assert.deepStrictEqual(newEvents(), ["trip.updated"])
      const count = lines().length
      yield* report(1, { undo: true })
      assert.strictEqual(lines().length, count, "a repetition changes nothing")
      yield* report(1, { status: "en_route" })
      yield* TestClock.adjust("121 seconds")
      const refusal = yield* Effect.flip(report(1, { undo: true }))
      assert.strictEqual(refusal._tag, "IllegalTransition")
      assert.include(refusal.message, "within 2 minutes")
      yield* reportFor(1, { driver_id: 11, status: "assigned", reason: "Pressed by mistake" })
      assert.deepStrictEqual(statusesOf(yield* get(1)), [
        "confirmed",
        "assigned",
        "11 assigned",
        "12 assigned"
      ])
      assert.isTrue(
        lines().some(
          ({ after, change }) =>
            change === "driver_status_changed" && after?.["reason"] === "Pressed by mistake"
        )
      )
    })
  )

  it.effect("a driver may undo a start that a phone sent late, by the times of both taps", () =>
    Effect.gen(function* () {
      const { get, report } = yield* assignedTrip
      yield* TestClock.adjust("10 minutes")
      yield* report(1, { status: "en_route", at: "2026-11-20T08:00:00Z" })
      yield* report(1, { undo: true, at: "2026-11-20T08:01:00Z" })
      assert.include(statusesOf(yield* get(1)), "11 assigned")
      yield* report(1, { status: "en_route", at: "2026-11-20T08:00:00Z" })
      yield* TestClock.adjust("10 minutes")
      yield* report(1, { undo: true, at: "2026-11-20T08:02:00Z" })
      assert.include(statusesOf(yield* get(1)), "11 assigned")
      yield* report(1, { status: "en_route", at: "2026-11-20T08:00:00Z" })
      yield* TestClock.adjust("3 minutes")
      for (const at of ["2026-11-20T08:02:01Z", "2026-11-20T02:00:00Z", "2026-11-21T08:00:00Z"])
        assert.strictEqual((yield* Effect.flip(report(1, { undo: true, at })))._tag, "IllegalTransition")
    })
  )

  it.effect("a driver may undo a start within two minutes of the arrival of its report", () =>
    Effect.gen(function* () {
      const { get, report } = yield* assignedTrip
      yield* TestClock.adjust("10 minutes")
      yield* report(1, { status: "en_route", at: "2026-11-20T08:00:00Z" })
      yield* report(2, { status: "en_route", at: "2026-11-20T08:00:00Z" })
      yield* TestClock.adjust("2 minutes")
      yield* report(1, { undo: true, at: "2026-11-20T08:12:00Z" })
      assert.include(statusesOf(yield* get(1)), "11 assigned")
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Effect.flip(report(2, { undo: true })))._tag, "IllegalTransition")
    })
  )

  it.effect("an operator may remove a milestone with a reason, and then undo the start", () =>
    Effect.gen(function* () {
      const { get, lines, report, reportFor } = yield* assignedTrip
      yield* report(1, { status: "en_route", milestone: "no_show" })
      const undone = { driver_id: 11, milestone: "no_show", undo: true }
      const refused = (change: object) => Effect.map(Effect.flip(reportFor(1, change)), issuesIn)
      assert.deepStrictEqual(yield* refused({ driver_id: 11, status: "assigned" }), [
        "status illegal_transition"
      ])
      assert.deepStrictEqual(yield* refused(undone), ["reason required"])
      assert.deepStrictEqual(yield* refused({ ...undone, milestone: "arrived_at_pickup", reason: "Wrong" }), [
        "milestone not_found"
      ])
      const byDriver = { milestone: "no_show", undo: true, reason: "Wrong" } as const
      assert.deepStrictEqual(yield* Effect.map(Effect.flip(report(1, byDriver)), issuesIn), [
        "undo illegal_transition"
      ])
      yield* reportFor(1, { ...undone, reason: "The passenger came" })
      assert.deepStrictEqual((yield* get(1)).drivers[0]?.milestones, [])
      const removed = lines().filter(({ change }) => change === "milestone_removed")
      assert.deepStrictEqual(
        removed.map(({ after, before }) => [before?.["milestone"], after]),
        [["no_show", { reason: "The passenger came" }]]
      )
      yield* reportFor(1, { driver_id: 11, undo: true })
      assert.deepStrictEqual(statusesOf(yield* get(1)), [
        "confirmed",
        "assigned",
        "11 assigned",
        "12 assigned"
      ])
    })
  )

  it.effect("a driver's reason for giving a job back is kept in the timeline", () =>
    Effect.gen(function* () {
      const { lines, report } = yield* assignedTrip
      yield* report(1, { status: "cancelled", reason: "The car broke down" })
      assert.deepStrictEqual(
        lines().flatMap(({ after, change }) => (change === "driver_removed" ? [after] : [])),
        [{ status: "cancelled", declined_at: "2026-11-20T08:00:00Z", reason: "The car broke down" }]
      )
      const refusal = yield* Effect.flip(report(2, { status: "en_route", reason: "I go" }))
      assert.deepStrictEqual(issuesIn(refusal), ["reason invalid"])
    })
  )

  it.effect("a move that the table lacks is refused, also after the trip has ended", () =>
    Effect.gen(function* () {
      const { report, update } = yield* assignedTrip
      const refused = (assignment: number, status: "en_route" | "completed" | "cancelled") =>
        Effect.map(Effect.flip(report(assignment, { status })), ({ _tag }) => _tag)
      assert.strictEqual(yield* refused(1, "completed"), "IllegalTransition")
      yield* report(1, { status: "cancelled" })
      assert.strictEqual(yield* refused(1, "en_route"), "IllegalTransition")
      assert.strictEqual(yield* refused(3, "en_route"), "NotFound")
      yield* update(1, { status: "cancelled" })
      assert.strictEqual(yield* refused(2, "en_route"), "IllegalTransition")
    })
  )

  it.effect("an operator may complete an assignment that was only assigned, and names its driver", () =>
    Effect.gen(function* () {
      const { get, reportFor } = yield* assignedTrip
      assert.deepStrictEqual(issuesIn(yield* Effect.flip(reportFor(1, { status: "completed" }))), [
        "driver_id required"
      ])
      assert.deepStrictEqual(
        issuesIn(yield* Effect.flip(reportFor(1, { status: "completed", driver_id: 13 }))),
        ["driver_id not_found"]
      )
      yield* reportFor(1, { status: "completed", driver_id: 11 })
      // Only one live assignment is left.
      const trip = yield* reportFor(1, { status: "completed" })
      assert.deepStrictEqual(statusesOf(trip), ["completed", "completed", "11 completed", "12 completed"])
      assert.deepStrictEqual(yield* get(1), trip)
    })
  )

  it.effect("is NotFound for a driver and an operator of another business", () =>
    Effect.gen(function* () {
      const { report, reportFor } = yield* assignedTrip
      const status = "en_route"
      assert.strictEqual((yield* Effect.flip(report(1, { status }, "driver", zephyr)))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(reportFor(1, { status }, zephyr)))._tag, "NotFound")
      assert.strictEqual((yield* reportFor(1, { status, driver_id: 11 }, acme)).status, "in_progress")
    })
  )

  it.effect("a start that a phone sends late counts from its tap, unless the phone's clock is wrong", () =>
    Effect.gen(function* () {
      const { assign, assignments, report } = yield* assignedTrip
      const started = (at: string, id = 1) =>
        Effect.map(report(id, { status: "en_route", at }), () => {
          const row = assignments().find(({ assignment_id }) => assignment_id === id)
          return row?.enRouteAt && DateTime.formatIso(row.enRouteAt).replace(".000", "")
        })
      assert.strictEqual(yield* started("2026-11-20T07:40:00Z"), "2026-11-20T07:40:00Z")
      assert.strictEqual(yield* started("2026-11-20T07:50:00Z"), "2026-11-20T07:40:00Z")
      for (const wrong of ["1970-01-01T00:00:00Z", "2026-11-20T02:00:00Z", "2027-01-01T00:00:00Z"]) {
        yield* assign(1, [])
        const { drivers } = yield* assign(1, [11])
        assert.lengthOf(drivers, 1)
        const id = Math.max(...assignments().map(({ assignment_id }) => assignment_id))
        assert.strictEqual(yield* started(wrong, id), "2026-11-20T08:00:00Z")
      }
      for (const status of ["completed", "cancelled", "assigned"] as const)
        assert.deepStrictEqual(
          issuesIn(yield* Effect.flip(report(1, { status, at: "2026-11-20T07:40:00Z" }))),
          ["at invalid"]
        )
    })
  )
})
