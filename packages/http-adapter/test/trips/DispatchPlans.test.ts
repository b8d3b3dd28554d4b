import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { company, wrong } from "../support/Fleet.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs, type TestServer } from "../support/TestServer.ts"

const zurich = { lat: 47.3769, lng: 8.5417 }
const airport = { lat: 47.458, lng: 8.555 }
const places = (pickup: typeof zurich, dropoff: typeof zurich) => ({
  pickup_lat: pickup.lat,
  pickup_lng: pickup.lng,
  dropoff_lat: dropoff.lat,
  dropoff_lng: dropoff.lng
})

interface Planned {
  readonly assignments: ReadonlyArray<{
    readonly trip_id: number
    readonly driver_ids: ReadonlyArray<number>
  }>
  readonly jobs: ReadonlyArray<{
    readonly trip_id: number
    readonly driver_id: number
    readonly driver_name: string
    readonly origin: string
    readonly empty_m: number
    readonly candidates: ReadonlyArray<{ readonly driver_id: number }>
  }>
  readonly unassigned: ReadonlyArray<{ readonly trip_id: number; readonly drivers: object }>
  readonly before: { readonly assigned: number; readonly unassigned: number }
  readonly after: { readonly assigned: number; readonly unassigned: number; readonly empty_m: number }
}

/** A business in that policy with a day of trips at these times of the 24th, back and forth between two places. */
const planning = Effect.fnUntraced(function* (server: TestServer, clash_policy = "warn") {
  const it = yield* company(server)
  record(yield* it.send("PATCH", "/settings/business", { clash_policy, timezone: "Europe/Zurich" }))
  const trip = (at: string, more: object = places(zurich, airport)) =>
    Effect.map(it.trip({ trip_date: `2026-12-24T${at}:00Z`, duration_minutes: 30, ...more }), ({ trip_id }) =>
      Number(trip_id)
    )
  const newDriver = (body: object = {}) => Effect.map(it.driver(body), ({ driver_id }) => Number(driver_id))
  const ask = (body: object = {}) =>
    it.send("POST", "/dispatch/plan", { date: "2026-12-24", budget_ms: 200, ...body })
  const plan = (body: object = {}) => Effect.map(ask(body), (answer) => record(answer) as unknown as Planned)
  const accept = (assignments: unknown) =>
    it.send("POST", "/dispatch/assignments?refuse_clashes=true", assignments)
  const driversOf = (tripId: number) =>
    Effect.map(it.send("GET", `/trips/${tripId}`), (answer) => record(answer)["driver_ids"])
  return { ...it, trip, newDriver, ask, plan, accept, driversOf }
})

layer(Ports)("a plan of assignments", (it) => {
  it.effect("proposes drivers for the trips of a day, stores nothing, and can be accepted as a batch", () =>
    Effect.gen(function* () {
      const { accept, driversOf, newDriver, plan, send, trip } = yield* planning(yield* openServer())
      const [dan, eve] = [yield* newDriver(), yield* newDriver({ name: "Eve" })]
      const first = yield* trip("08:00")
      const back = yield* trip("09:00", places(airport, zurich))
      const given = yield* trip("08:10")
      record(yield* send("POST", `/trips/${given}/drivers`, { driver_ids: [eve] }))
      const proposed = yield* plan()
      assert.deepInclude(proposed.before, { assigned: 0, unassigned: 2 })
      assert.deepInclude(proposed.after, { assigned: 2, unassigned: 0, empty_m: 0 })
      assert.deepStrictEqual(
        proposed.jobs.map(({ driver_name, trip_id }) => [trip_id, driver_name]),
        [
          [first, "Dan"],
          [back, proposed.jobs[1]?.driver_name]
        ]
      )
      const second = proposed.jobs[1]?.driver_id
      assert.include([dan, eve], second)
      assert.deepStrictEqual(
        proposed.jobs[1]?.candidates.map(({ driver_id }) => driver_id),
        [second === dan ? eve : dan]
      )
      assert.deepStrictEqual(yield* driversOf(first), [])
      assert.lengthOf(records(yield* accept(proposed.assignments)), 2)
      assert.deepStrictEqual([yield* driversOf(first), yield* driversOf(back)], [[dan], [second]])
      assert.deepStrictEqual((yield* plan()).assignments, [])
    })
  )

  it.effect("leaves out locked trips, and replaces drivers only with `reassign`", () =>
    Effect.gen(function* () {
      const { newDriver, plan, send, trip } = yield* planning(yield* openServer())
      const away = yield* newDriver({ name: "Far" })
      const near = yield* newDriver({ name: "Near" })
      const far = places({ lat: 46.2, lng: 6.15 }, { lat: 46.2, lng: 6.15 })
      const earlier = [yield* trip("06:00", far), yield* trip("06:00", places(zurich, zurich))]
      for (const [index, driver] of [away, near].entries())
        record(yield* send("POST", `/trips/${earlier[index]}/drivers`, { driver_ids: [driver] }))
      const given = yield* trip("12:00", places(zurich, zurich))
      record(yield* send("POST", `/trips/${given}/drivers`, { driver_ids: [away] }))
      assert.deepStrictEqual((yield* plan()).jobs, [])
      const moved = yield* plan({ reassign: true, locked: earlier })
      assert.deepStrictEqual(
        moved.assignments.map(({ driver_ids, trip_id }) => [trip_id, driver_ids]),
        [[given, [near]]]
      )
      assert.deepStrictEqual((yield* plan({ reassign: true, locked: [...earlier, given] })).jobs, [])
    })
  )

  it.effect("says what keeps drivers from a trip that gets none", () =>
    Effect.gen(function* () {
      const { newDriver, plan, send, trip } = yield* planning(yield* openServer())
      const absent = yield* newDriver()
      record(
        yield* send("POST", `/drivers/${absent}/absences`, {
          starts_at: "2026-12-24T00:00:00Z",
          ends_at: "2026-12-25T00:00:00Z"
        })
      )
      const lone = yield* trip("08:00")
      const { unassigned } = yield* plan()
      assert.deepStrictEqual<unknown>(unassigned, [
        { trip_id: lone, drivers: { vehicle_class: 0, seats: 0, license: 0, absent: 1, busy: 0, refused: 0 } }
      ])
    })
  )

  it.effect("is refused whole if a trip moved, or a driver was taken, before it is accepted", () =>
    Effect.gen(function* () {
      const { accept, driversOf, newDriver, plan, send, trip } = yield* planning(yield* openServer())
      const dan = yield* newDriver()
      const [one, other] = [yield* trip("08:00"), yield* trip("12:00")]
      const stale = yield* plan()
      assert.lengthOf(stale.assignments, 2)
      yield* TestClock.adjust("2 millis")
      record(yield* send("PATCH", `/trips/${other}`, { trip_date: "2026-12-24T13:00:00Z" }))
      const changed = yield* accept(stale.assignments)
      assert.deepStrictEqual<unknown>(refusedAs(changed, 409, "conflict"), [{ type: "trip", trip_id: other }])
      assert.deepStrictEqual([yield* driversOf(one), yield* driversOf(other)], [[], []])
      const fresh = yield* plan()
      const taken = yield* trip("08:10")
      record(yield* send("POST", `/trips/${taken}/drivers`, { driver_ids: [dan] }))
      const refused = refusedAs(yield* accept(fresh.assignments), 409, "confirmation_required")
      assert.deepInclude(refused?.[0], { type: "schedule_clash", driver_id: dan, trip_id: taken })
      assert.deepStrictEqual([yield* driversOf(one), yield* driversOf(other)], [[], []])
    })
  )

  it.effect("names the wrong fields of its request", () =>
    Effect.gen(function* () {
      const { ask } = yield* planning(yield* openServer())
      const refused = yield* ask({ from: "2026-12-24T00:00:00Z", weights: { empty_km: -1 }, budget_ms: 5 })
      assert.sameDeepMembers(
        [...(refusedAs(refused, 422, "invalid_request") ?? [])],
        wrong({ "weights.empty_km": "out_of_range", budget_ms: "out_of_range" })
      )
      const long = { date: null, from: "2026-12-24T00:00:00Z", to: "2026-12-28T00:00:00Z" }
      assert.deepStrictEqual(
        refusedAs(yield* ask(long), 422, "invalid_request"),
        wrong({ to: "out_of_range" })
      )
    })
  )
})

layer(Ports)("a plan that is accepted while its driver is taken", (it) => {
  it.effect("is refused whole, or the other assignment is", () =>
    Effect.gen(function* () {
      const { accept, driversOf, newDriver, plan, send, trip } = yield* planning(
        yield* openServer(),
        "enforce"
      )
      const dan = yield* newDriver()
      for (const hour of ["08", "10", "12", "14", "16"]) {
        const one = yield* trip(`${hour}:00`)
        const { assignments } = yield* plan()
        const rival = yield* trip(`${hour}:10`)
        const [accepted, taken] = yield* Effect.all(
          [accept(assignments), send("POST", `/trips/${rival}/drivers`, { driver_ids: [dan] })],
          { concurrency: 2 }
        )
        assert.sameMembers([accepted.status, taken.status], [200, 409])
        const drivers = [yield* driversOf(one), yield* driversOf(rival)]
        assert.deepStrictEqual(drivers, accepted.status === 200 ? [[dan], []] : [[], [dan]])
        const loser = accepted.status === 200 ? rival : one
        record(yield* send("PATCH", `/trips/${loser}`, { status: "cancelled" }))
      }
    })
  )
})
