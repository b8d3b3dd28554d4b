import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { assignedTrip } from "../support/AssignedTrip.ts"
import { issuesIn } from "../support/Dispatch.ts"

/** The trip with the drivers 11 and 12 as the assignments 1 and 2, and what a test asks about it. */
const given = Effect.gen(function* () {
  const memory = yield* assignedTrip
  const { get, lines, newEvents, report } = memory
  const answers = Effect.map(get(1), ({ drivers }) =>
    drivers.map(({ accepted_at, declined_at, driver_id }) => [driver_id, accepted_at, declined_at])
  )
  const accept = (assignment: number, seen = {}) => report(assignment, { accepted: true, ...seen })
  const changes = () => lines().map(({ change }) => change)
  yield* accept(1)
  assert.deepStrictEqual(newEvents(), ["trip.updated"])
  return { ...memory, accept, answers, changes, pickup: (yield* get(1)).trip_date }
})

const later = (pickup: string, minutes: number) =>
  new Date(Date.parse(pickup) + minutes * 60_000).toISOString()

const acceptedFirst = [
  [11, "2026-11-20T08:00:00Z", null],
  [12, null, null]
]
const unansweredBoth = [
  [11, null, null],
  [12, null, null]
]

describe("an answer of a driver", () => {
  it.effect("accepts the own assignment alone, with an entry in the timeline", () =>
    Effect.gen(function* () {
      const { answers, lines } = yield* given
      assert.deepStrictEqual(yield* answers, acceptedFirst)
      const { after, before, change, driver_id } = lines().at(-1) ?? {}
      assert.deepStrictEqual(
        { after, before, change, driver_id },
        {
          change: "driver_accepted",
          driver_id: 11,
          before: { accepted_at: null },
          after: { accepted_at: "2026-11-20T08:00:00Z" }
        }
      )
    })
  )

  it.effect("changes nothing when it is repeated, and is taken back by false", () =>
    Effect.gen(function* () {
      const { accept, answers, changes, newEvents, report } = yield* given
      const count = changes().length
      yield* TestClock.adjust("5 minutes")
      yield* accept(1)
      assert.deepStrictEqual([yield* answers, changes().length, newEvents()], [acceptedFirst, count, []])
      yield* report(1, { accepted: false })
      yield* report(1, { accepted: false })
      assert.deepStrictEqual([yield* answers, newEvents()], [unansweredBoth, ["trip.updated"]])
      assert.deepStrictEqual(changes().slice(count), ["driver_acceptance_ended"])
    })
  )

  it.effect(
    "ends with another pickup place, and once the pickup is over 15 minutes from the accepted one",
    () =>
      Effect.gen(function* () {
        const { accept, answers, changes, pickup, update } = yield* given
        yield* update(1, { trip_date: later(pickup, 10) })
        yield* update(1, { notes: "By the gate" })
        assert.deepStrictEqual(yield* answers, acceptedFirst)
        yield* update(1, { trip_date: later(pickup, 20) })
        assert.deepStrictEqual(yield* answers, unansweredBoth)
        assert.include(changes(), "driver_acceptance_ended")
        yield* accept(1)
        assert.deepStrictEqual(yield* answers, acceptedFirst)
        yield* update(1, { pickup_address: "Another place" })
        assert.deepStrictEqual(yield* answers, unansweredBoth)
      })
  )

  it.effect("is refused if the driver saw another pickup", () =>
    Effect.gen(function* () {
      const { accept, answers, get, pickup, update } = yield* given
      yield* update(1, { trip_date: later(pickup, 60), pickup_address: "Another place" })
      const { pickup_address } = yield* get(1)
      for (const seen of [{ trip_date: pickup }, { pickup_address: "Here" }])
        assert.match(
          (yield* Effect.flip(accept(1, seen))).message,
          /The pickup has changed: .*Another place/u
        )
      assert.deepStrictEqual(yield* answers, unansweredBoth)
      yield* accept(1, { trip_date: later(pickup, 50), pickup_address })
      assert.deepStrictEqual(yield* answers, acceptedFirst)
    })
  )

  it.effect("a driver who is assigned again has to accept again", () =>
    Effect.gen(function* () {
      const { answers, assign } = yield* given
      yield* assign(1, [12])
      yield* assign(1, [11, 12])
      assert.deepStrictEqual((yield* answers).slice(1), [
        [12, null, null],
        [11, null, null]
      ])
    })
  )

  it.effect("changes nothing after the start, and is refused once the assignment or the trip has ended", () =>
    Effect.gen(function* () {
      const { accept, answers, newEvents, report, update } = yield* given
      yield* report(2, { status: "en_route" })
      newEvents()
      yield* accept(2)
      assert.deepStrictEqual([yield* answers, newEvents()], [acceptedFirst, []])
      yield* report(2, { status: "completed" })
      const ended = yield* Effect.flip(accept(2))
      assert.strictEqual(ended._tag, "IllegalTransition")
      yield* update(1, { status: "cancelled" })
      for (const assignment of [1, 2])
        assert.strictEqual((yield* Effect.flip(accept(assignment))).message.includes("cancelled"), true)
    })
  )

  it.effect("is sent alone, and what the driver saw only with it", () =>
    Effect.gen(function* () {
      const { report } = yield* given
      const issues = (change: object) => Effect.map(Effect.flip(report(1, change)), issuesIn)
      assert.deepStrictEqual(yield* issues({ accepted: true, status: "en_route" }), ["accepted invalid"])
      assert.deepStrictEqual(yield* issues({ accepted: true, milestone: "no_show" }), ["accepted invalid"])
      assert.deepStrictEqual(yield* issues({ status: "en_route", pickup_address: "Here" }), [
        "pickup_address invalid"
      ])
      assert.deepStrictEqual(yield* issues({ accepted: true, reason: "Fine" }), ["reason invalid"])
    })
  )

  it.effect(
    "declines by cancelling the own assignment: the reason stays with the trip, and the event names the driver",
    () =>
      Effect.gen(function* () {
        const { events, get, lines, newEvents, report } = yield* given
        yield* report(1, { status: "cancelled", reason: "The car is broken" })
        const [first] = (yield* get(1)).drivers
        assert.deepInclude(first, {
          driver_id: 11,
          status: "cancelled",
          declined_at: "2026-11-20T08:00:00Z",
          decline_reason: "The car is broken"
        })
        assert.deepInclude(JSON.parse(events.at(-1)?.body ?? "{}").data, {
          removed_driver_ids: [11],
          declined_driver_ids: [11]
        })
        assert.deepStrictEqual(newEvents(), ["driver.assigned"])
        assert.deepStrictEqual(
          lines().flatMap(({ after, change }) => (change === "driver_removed" ? [after] : [])),
          [{ status: "cancelled", declined_at: "2026-11-20T08:00:00Z", reason: "The car is broken" }]
        )
      })
  )

  it.effect("a driver who gives up after the start has not declined", () =>
    Effect.gen(function* () {
      const { get, report } = yield* given
      yield* report(1, { status: "en_route" })
      yield* report(1, { status: "cancelled", milestone: "no_show", reason: "Not there" })
      const [first] = (yield* get(1)).drivers
      assert.deepInclude(first, { status: "cancelled", declined_at: null, decline_reason: null })
      assert.deepStrictEqual(
        first?.milestones.map(({ milestone }) => milestone),
        ["no_show"]
      )
    })
  )

  it.effect("an assignment that the office cancels is not declined", () =>
    Effect.gen(function* () {
      const { answers, assign, events } = yield* given
      yield* assign(1, [12])
      assert.deepStrictEqual(yield* answers, acceptedFirst)
      assert.deepInclude(JSON.parse(events.at(-1)?.body ?? "{}").data, {
        removed_driver_ids: [11],
        declined_driver_ids: []
      })
    })
  )
})
