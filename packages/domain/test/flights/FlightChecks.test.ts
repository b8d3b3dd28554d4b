import { assert, describe, it } from "@effect/vitest"
import {
  Cryptography,
  defaultFlightSettings,
  FlightChecks,
  type FlightQuery,
  type FlightReport,
  FlightSource,
  FlightsUnavailable,
  type FlightSettings,
  TripId,
  TripInput,
  Trips,
  unanswered
} from "@livery/domain"
import { DateTime, Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { decoded } from "../support/Decoding.ts"
import { business } from "../support/People.ts"
import { tripPorts } from "../support/TripPorts.ts"
import { onTheDay, type RecordedFlight, recordedDay } from "./RecordedDay.ts"

const acme = business(1)

const settings: FlightSettings = {
  ...defaultFlightSettings,
  enabled: true,
  max_earlier_minutes: 30,
  max_later_minutes: 240,
  check_minutes: 1
}

/** The service of the recorded day: what it says now of the flights with a number. */
const service = (day: ReadonlyArray<RecordedFlight>) => {
  const asked: Array<FlightQuery> = []
  const state = { isAway: false }
  const find = (query: FlightQuery) =>
    Effect.gen(function* () {
      asked.push(query)
      if (state.isAway) return yield* new FlightsUnavailable({ reason: "it is away" })
      const now = yield* DateTime.now
      return day.flatMap(({ number, reports, scheduled }): ReadonlyArray<FlightReport> => {
        if (number.replace(" ", "") !== query.flight || query.day !== "2026-11-20") return []
        const said = reports.findLast(({ from }) => DateTime.isLessThanOrEqualTo(from, now))
        const onTime = {
          state: "scheduled",
          scheduled,
          estimated: null,
          landed: null,
          terminal: null,
          gate: null
        }
        return [said?.report ?? (onTime as FlightReport)]
      })
    })
  return { asked, find, state }
}

/** The time between the scheduled arrival of a flight and its booked pickup. */
const wait = Duration.minutes(40)

const setUp = Effect.fnUntraced(function* (
  day: ReadonlyArray<RecordedFlight>,
  change: Partial<FlightSettings> = {}
) {
  const memory = tripPorts()
  const { asked, find, state } = service(day)
  yield* TestClock.setTime(DateTime.toEpochMillis(onTheDay("00:00")))
  const context = yield* Layer.build(
    Layer.merge(Trips.layer, FlightChecks.layer).pipe(
      Layer.provide(Layer.merge(memory.layer, Cryptography.layerWebCrypto))
    )
  ).pipe(Effect.provideService(FlightSource, find))
  const check = Effect.provide(
    FlightChecks.use(({ checkDue }) => checkDue({ acting: acme, settings: { ...settings, ...change } })),
    context
  )
  const tripsUse = <A, E>(use: (trips: Trips["Service"]) => Effect.Effect<A, E>) =>
    Effect.provide(Trips.use(use), context)
  const book = (flight_number: string, at: DateTime.Utc, more: object = {}) =>
    tripsUse(({ create }) =>
      create(
        acme,
        decoded(TripInput, {
          trip_date: DateTime.formatIso(at),
          pickup_address: "Airport",
          dropoff_address: "Hotel",
          customer_name: "Zoë",
          flight_number,
          ...more
        })
      )
    )
  const tripOf = (id: number) => {
    const trip = memory.store.trips.get(TripId.make(id))
    assert.isDefined(trip)
    return trip
  }
  const [counts, seen] = [new Map<number, number>(), { events: 0 }]
  /** The number of events about changes of the trip. */
  const moves = (id: number) => {
    for (const { body, type } of memory.events.slice(seen.events)) {
      if (type !== "trip.updated") continue
      const { trip_id } = (JSON.parse(body) as { readonly data: { readonly trip_id: number } }).data
      counts.set(trip_id, (counts.get(trip_id) ?? 0) + 1)
    }
    seen.events = memory.events.length
    return counts.get(id) ?? 0
  }
  /** Checks once a minute until that time. */
  const checkUntil = Effect.fnUntraced(function* (
    time: string,
    each: (now: DateTime.Utc) => void = () => {}
  ) {
    for (;;) {
      const now = yield* DateTime.now
      if (!DateTime.isLessThan(now, onTheDay(time))) return
      yield* check
      each(now)
      yield* TestClock.adjust("1 minute")
    }
  })
  return { ...memory, asked, book, check, checkUntil, moves, state, tripOf, update: tripsUse }
})

/** The pickup that a flight asks for at a time, by the rules: as late as it is, 30 minutes earlier at most, 240 later. */
const expectedPickup = ({ reports, scheduled }: RecordedFlight, now: DateTime.Utc) => {
  const booked = DateTime.addDuration(scheduled, wait)
  const begins = DateTime.subtract(booked, { hours: 3 })
  let pickup = booked
  for (const [index, { from, report }] of reports.entries()) {
    if (DateTime.isGreaterThan(from, now)) break
    const next = reports[index + 1]
    // Nobody asked before the next one replaced it.
    if (next !== undefined && DateTime.isLessThanOrEqualTo(next.from, begins)) continue
    const arrival = report.landed ?? report.estimated
    if (report.state === "cancelled" || report.state === "diverted" || arrival === null) continue
    const late = Math.round((arrival.epochMilliseconds - scheduled.epochMilliseconds) / 60_000)
    pickup = DateTime.add(booked, { minutes: Math.min(240, Math.max(-30, late)) })
  }
  return pickup
}

const flight = (
  number: string,
  scheduled: string,
  ...said: ReadonlyArray<readonly [string, Partial<FlightReport>]>
) => ({
  number,
  scheduled: onTheDay(scheduled),
  reports: said.map(([from, report]) => ({
    from: onTheDay(from),
    report: {
      state: "active" as const,
      scheduled: onTheDay(scheduled),
      estimated: null,
      landed: null,
      terminal: null,
      gate: null,
      ...report
    }
  }))
})

describe("the pickup of an arrival", () => {
  it.effect(
    "is right within a minute of each change of the flight, on a recorded day of 40 flights, with one event for each move",
    () =>
      Effect.gen(function* () {
        const { book, checkUntil, moves, tripOf } = yield* setUp(recordedDay)
        const booked = yield* Effect.forEach(recordedDay, (recorded) =>
          Effect.map(
            book(recorded.number, DateTime.addDuration(recorded.scheduled, wait)),
            ({ trip_id }) => ({
              id: trip_id,
              recorded,
              moves: 0,
              last: DateTime.addDuration(recorded.scheduled, wait)
            })
          )
        )
        assert.lengthOf(booked, 40)
        yield* checkUntil("27:00", (now) => {
          for (const one of booked) {
            const { id, recorded } = one
            const begins = DateTime.subtract(DateTime.addDuration(recorded.scheduled, wait), { hours: 3 })
            if (DateTime.isLessThan(now, begins)) continue
            const expected = expectedPickup(recorded, now)
            const at = `${recorded.number} at ${DateTime.formatIso(now)}`
            assert.strictEqual(DateTime.formatIso(tripOf(id).trip_date), DateTime.formatIso(expected), at)
            if (!DateTime.Equivalence(expected, one.last)) one.moves += 1
            one.last = expected
            assert.strictEqual(moves(id), one.moves, at)
          }
        })
        assert.isAbove(
          booked.reduce((sum, one) => sum + one.moves, 0),
          60
        )
        const states = booked.map(({ id }) => tripOf(id).flight_status?.state)
        assert.deepStrictEqual(
          ["landed", "cancelled", "diverted"].map((state) => states.filter((it) => it === state).length),
          [36, 2, 2]
        )
      }),
    120_000
  )

  it.effect("is moved once by several nodes that check at the same time", () =>
    Effect.gen(function* () {
      const { book, check, moves, tripOf } = yield* setUp([
        flight("LX 8", "12:00", ["00:00", { estimated: onTheDay("12:30") }])
      ])
      const { trip_id } = yield* book("LX 8", onTheDay("12:40"))
      yield* TestClock.setTime(DateTime.toEpochMillis(onTheDay("10:00")))
      yield* Effect.all([check, check, check], { concurrency: "unbounded" })
      assert.deepStrictEqual([tripOf(trip_id).trip_date, moves(trip_id)], [onTheDay("13:10"), 1])
    })
  )

  it.effect("stays as it was set by hand, and the trip says so", () =>
    Effect.gen(function* () {
      const { book, checkUntil, tripOf, update } = yield* setUp([
        flight(
          "LX 8",
          "12:00",
          ["10:00", { estimated: onTheDay("12:30") }],
          ["11:00", { estimated: onTheDay("12:50") }]
        )
      ])
      const { trip_id } = yield* book("LX 8", onTheDay("12:40"))
      yield* checkUntil("10:30")
      assert.deepStrictEqual(tripOf(trip_id).trip_date, onTheDay("13:10"))
      const changes = { trip_date: "2026-11-20T13:15:00Z" }
      yield* update((trips) => trips.update(acme, TripId.make(trip_id), changes))
      yield* checkUntil("11:30")
      const { flight_status, trip_date } = tripOf(trip_id)
      assert.deepStrictEqual(trip_date, onTheDay("13:15"))
      assert.deepInclude(flight_status, {
        pickup: "kept",
        estimated: "2026-11-20T12:50:00Z",
        booked_pickup: "2026-11-20T12:40:00Z",
        checked_at: "2026-11-20T11:00:00Z"
      })
    })
  )

  it.effect("does not move with a flight that is cancelled or diverted; the trip says so", () =>
    Effect.gen(function* () {
      const { book, checkUntil, moves, tripOf } = yield* setUp([
        flight("LX 8", "12:00", ["10:00", { state: "cancelled", estimated: onTheDay("14:00") }]),
        flight("LX 9", "12:00", ["10:00", { state: "diverted", estimated: onTheDay("14:00") }])
      ])
      const ids = [
        (yield* book("LX 8", onTheDay("12:40"))).trip_id,
        (yield* book("LX 9", onTheDay("12:40"))).trip_id
      ]
      yield* checkUntil("11:00")
      assert.deepStrictEqual(
        ids.map((id) => [tripOf(id).trip_date, tripOf(id).flight_status?.state, moves(id)]),
        [
          [onTheDay("12:40"), "cancelled", 0],
          [onTheDay("12:40"), "diverted", 0]
        ]
      )
    })
  )

  it.effect(
    "moves up to the limits of the business, and is never less than the buffer after the landing",
    () =>
      Effect.gen(function* () {
        const late = flight("LX 8", "12:00", ["10:00", { estimated: onTheDay("15:00") }])
        const early = flight("LX 9", "12:00", ["10:00", { estimated: onTheDay("11:20") }])
        const { book, checkUntil, tripOf } = yield* setUp([late, early], {
          max_later_minutes: 60,
          max_earlier_minutes: 15,
          buffer_minutes: 50
        })
        const [one, two] = [
          yield* book("LX 8", onTheDay("12:40")),
          yield* book("LX 9", onTheDay("12:40"), { customer_name: "Bob" })
        ]
        yield* checkUntil("09:45")
        assert.deepStrictEqual(tripOf(two.trip_id).trip_date, onTheDay("12:50"))
        yield* checkUntil("10:05")
        assert.deepStrictEqual(
          [one, two].map(({ trip_id }) => [tripOf(trip_id).trip_date, tripOf(trip_id).flight_status?.pickup]),
          [
            [onTheDay("13:40"), "limited"],
            [onTheDay("12:25"), "limited"]
          ]
        )
      })
  )

  it.effect("does not move onto another trip of its driver if the business enforces its clash policy", () =>
    Effect.gen(function* () {
      const { addDrivers, book, checkUntil, store, trips, tripOf } = yield* setUp([
        flight("LX 8", "12:00", ["10:00", { estimated: onTheDay("12:30") }])
      ])
      const { trip_id } = yield* book("LX 8", onTheDay("12:40"))
      const other = yield* book("BA 1", onTheDay("14:00"), { flight_number: null, duration_minutes: 60 })
      const [driver] = addDrivers(1, 11)
      assert.isDefined(driver)
      for (const trip of trips()) {
        const assignment_id = store.assignments.next()
        store.assignments.set(assignment_id as never, {
          assignment_id: assignment_id as never,
          business_id: trip.business_id,
          trip_id: trip.trip_id,
          driver_id: driver,
          status: "assigned",
          car_id: null,
          has_default_car: false,
          ...unanswered,
          milestones: [],
          window: {
            starts: trip.trip_date,
            ends: DateTime.add(trip.trip_date, { minutes: 60 })
          },
          tokenHash: null,
          endedTokenHash: null,
          cancelledBy: null,
          enRouteAt: null,
          completedAt: null,
          createdAt: trip.created_at,
          cancelledAt: null
        })
      }
      store.businesses.change(acme.business_id, { clash_policy: "enforce" })
      yield* checkUntil("10:05")
      assert.deepStrictEqual(tripOf(trip_id).trip_date, onTheDay("12:40"))
      assert.strictEqual(tripOf(trip_id).flight_status?.pickup, "clash")
      store.businesses.change(acme.business_id, { clash_policy: "warn" })
      yield* checkUntil("10:10")
      assert.deepStrictEqual(tripOf(trip_id).trip_date, onTheDay("13:10"))
      assert.deepStrictEqual(tripOf(other.trip_id).trip_date, onTheDay("14:00"))
    })
  )

  it.effect("is not looked up more often than set, and less often while the service is away", () =>
    Effect.gen(function* () {
      const { asked, book, checkUntil, state } = yield* setUp([flight("LX 8", "12:00")], { check_minutes: 5 })
      yield* book("LX 8", onTheDay("12:40"))
      yield* checkUntil("09:40")
      assert.lengthOf(asked, 0)
      yield* checkUntil("10:40")
      assert.lengthOf(asked, 12)
      state.isAway = true
      asked.splice(0)
      yield* checkUntil("12:40")
      // After 10, 20 and then each 30 minutes.
      assert.lengthOf(asked, 5)
    })
  )

  it.effect("follows the flight on, also once it moved more than 3 hours ahead", () =>
    Effect.gen(function* () {
      const { book, checkUntil, tripOf } = yield* setUp([
        flight(
          "LX 8",
          "12:00",
          ["09:50", { estimated: onTheDay("15:00") }],
          ["09:55", { estimated: onTheDay("12:10") }]
        )
      ])
      const { trip_id } = yield* book("LX 8", onTheDay("12:40"))
      yield* checkUntil("09:53")
      assert.deepStrictEqual(tripOf(trip_id).trip_date, onTheDay("15:40"))
      yield* checkUntil("09:57")
      assert.deepStrictEqual(tripOf(trip_id).trip_date, onTheDay("12:50"))
    })
  )

  it.effect("is not changed by the flight of a departing passenger, which lands hours later", () =>
    Effect.gen(function* () {
      const { book, checkUntil, tripOf } = yield* setUp([
        flight("LX 8", "12:00", ["00:00", { estimated: onTheDay("13:00") }])
      ])
      const { trip_id } = yield* book("LX 8", onTheDay("08:00"))
      yield* checkUntil("09:00")
      assert.deepStrictEqual(
        [tripOf(trip_id).trip_date, tripOf(trip_id).flight_status],
        [onTheDay("08:00"), null]
      )
    })
  )
})
