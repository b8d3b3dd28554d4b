import { assert, describe, it } from "@effect/vitest"
import {
  type AssignmentId,
  AssignmentStatus,
  type AbsenceId,
  type BoardCar,
  type BoardDriver,
  BoardFilter,
  type BoardJob,
  boardQueryOf,
  type TripWarning,
  type BusinessId,
  type CarId,
  ClashPolicy,
  type DriverId,
  storedTrip,
  type Trip,
  type TripId,
  TripStatus,
  unanswered,
  WallClock,
  warningsOf
} from "@livery/domain"
import { DateTime, Schema } from "effect"
import { tripOf } from "../../../../test/contract/Given.ts"
import { issuesOf } from "../support/Decoding.ts"

const now = DateTime.makeUnsafe("2026-11-20T12:00:00Z")

const trip = (change: Partial<Trip> = {}): Trip => {
  const booked = tripOf(1 as BusinessId, { reference: "TR-1", trip_date: DateTime.add(now, { hours: 1 }) })
  return { ...storedTrip(booked, 1 as TripId, now), ...change }
}

const driver = (change: Partial<BoardDriver> = {}): BoardDriver => ({
  assignment_id: 1 as AssignmentId,
  driver_id: 5 as DriverId,
  name: "Zoë",
  status: "assigned",
  car_id: null,
  has_default_car: false,
  ...unanswered,
  car: null,
  milestones: [],
  phone: null,
  active: true,
  clashes: [],
  neighbours: [],
  license_expires_on: null,
  absence_ids: [],
  position: null,
  ...change
})

const car = (change: Partial<BoardCar> = {}): BoardCar => ({
  car_id: 7 as CarId,
  name: "Black",
  plate_number: null,
  seats: 4,
  active: true,
  clashes: [],
  neighbours: [],
  vehicle_class: null,
  ...change
})

const job = (change: Partial<BoardJob> = {}): BoardJob => ({
  trip: trip(),
  drivers: [driver()],
  car: null,
  ...change
})

const by = (clashPolicy: ClashPolicy) => ({ clashPolicy, turnaroundMinutes: 15, timezone: "UTC" })

const warnings = (it: Partial<BoardJob>, policy: ClashPolicy = "warn") => warningsOf(job(it), now, by(policy))

describe("the warnings of a job", () => {
  it("are absent for a job without problems", () => {
    assert.deepStrictEqual(warnings({}), [])
    assert.deepStrictEqual(warnings({ car: car(), trip: trip({ participants_count: 4 }) }), [])
  })

  it("warn of a trip without drivers, unless it is not confirmed yet", () => {
    const unassigned = [{ type: "unassigned" }]
    assert.deepStrictEqual<unknown>(warnings({ drivers: [] }), unassigned)
    assert.deepStrictEqual<unknown>(warnings({ drivers: [driver({ status: "cancelled" })] }), unassigned)
    assert.deepStrictEqual(warnings({ drivers: [], trip: trip({ status: "pending" }) }), [])
  })

  it("warn of a trip whose pickup time has passed without a driver under way", () => {
    const past = { trip_date: DateTime.subtract(now, { seconds: 1 }) }
    assert.deepStrictEqual<unknown>(warnings({ trip: trip(past) }), [{ type: "late_start" }])
    assert.deepStrictEqual(warnings({ trip: trip({ trip_date: now }) }), [])
    assert.deepStrictEqual(warnings({ trip: trip({ ...past, status: "in_progress" }) }), [])
  })

  it("name the driver who is inactive, and the driver's other trips at that time", () => {
    assert.deepStrictEqual<unknown>(
      warnings({ drivers: [driver({ active: false, clashes: [8 as TripId, 9 as TripId] })] }),
      [
        { type: "driver_inactive", driver_id: 5 },
        { type: "schedule_clash", driver_id: 5, trip_id: 8 },
        { type: "schedule_clash", driver_id: 5, trip_id: 9 }
      ]
    )
    assert.deepStrictEqual(
      warnings({ drivers: [driver({ status: "completed", active: false }), driver()] }),
      []
    )
  })

  it("name the car that is too small, inactive, or on another trip", () => {
    assert.deepStrictEqual<unknown>(
      warnings({
        car: car({ active: false, clashes: [8 as TripId] }),
        trip: trip({ participants_count: 5 })
      }),
      [
        { type: "car_inactive", car_id: 7 },
        { type: "too_few_seats", car_id: 7 },
        { type: "car_clash", car_id: 7, trip_id: 8 }
      ]
    )
    assert.deepStrictEqual(
      warnings({ car: car({ seats: null }), trip: trip({ participants_count: 500 }) }),
      []
    )
  })

  it("include the warnings that a change of the trip has", () => {
    const neighbour = (trip_id: number, minutes: number) => ({
      trip_id: trip_id as TripId,
      starts: DateTime.add(now, { minutes }),
      ends: DateTime.add(now, { minutes: minutes + 30 }),
      pickup_lat: null,
      pickup_lng: null,
      dropoff_lat: null,
      dropoff_lng: null
    })
    const planned = {
      trip: trip({ trip_date: now, vehicle_class: "van" }),
      drivers: [
        driver({
          neighbours: [neighbour(8, -44), neighbour(9, 75)],
          license_expires_on: "2000-01-01",
          absence_ids: [3 as AbsenceId]
        })
      ],
      car: car({ vehicle_class: "bus", neighbours: [neighbour(9, 74)] })
    }
    assert.deepStrictEqual<unknown>(warnings(planned), [
      { type: "driver_absent", driver_id: 5, absence_id: 3 },
      { type: "no_time_to_drive", driver_id: 5, trip_id: 8 },
      { type: "license_expired", driver_id: 5 },
      { type: "other_vehicle_class", car_id: 7 },
      { type: "no_time_to_drive", car_id: 7, trip_id: 9 }
    ])
    assert.deepStrictEqual<unknown>(warnings(planned, "off"), [
      { type: "license_expired", driver_id: 5 },
      { type: "other_vehicle_class", car_id: 7 }
    ])
  })

  const Facts = {
    status: TripStatus,
    policy: ClashPolicy,
    minutes: Schema.Int.check(Schema.isBetween({ minimum: -120, maximum: 120 })),
    passengers: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))),
    drivers: Schema.Array(
      Schema.Struct({ status: AssignmentStatus, active: Schema.Boolean, clashes: Schema.Array(Schema.Int) })
    ).check(Schema.isMaxLength(3)),
    seats: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 })))
  }

  it.prop("follow the rules exactly for any job", Facts, (facts) => {
    const reported = warningsOf(
      {
        trip: trip({
          status: facts.status,
          trip_date: DateTime.add(now, { minutes: facts.minutes }),
          participants_count: facts.passengers
        }),
        drivers: facts.drivers.map((it, index) =>
          driver({ ...it, driver_id: index as DriverId, clashes: it.clashes.map((id) => id as TripId) })
        ),
        car: car({ seats: facts.seats })
      },
      now,
      by(facts.policy)
    )
    const count = (type: TripWarning["type"]) => reported.filter((warning) => warning.type === type).length
    const open = facts.status !== "completed" && facts.status !== "cancelled"
    const live = open
      ? facts.drivers.filter(({ status }) => status === "assigned" || status === "en_route")
      : []
    const expected = {
      unassigned: Number(facts.status === "confirmed" && live.length === 0),
      late_start: Number(open && facts.status !== "in_progress" && facts.minutes < 0),
      driver_inactive: live.filter(({ active }) => !active).length,
      schedule_clash: facts.policy === "off" ? 0 : live.reduce((sum, { clashes }) => sum + clashes.length, 0),
      too_few_seats: Number(open && facts.seats !== null && (facts.passengers ?? 0) > facts.seats),
      car_clash: 0,
      car_inactive: 0
    }
    for (const type of Object.keys(expected) as ReadonlyArray<keyof typeof expected>)
      assert.strictEqual(count(type), expected[type], type)
  })
})

describe("the day of a board", () => {
  const hours = (filter: BoardFilter, timezone: string, at = now) => {
    const { before, from } = boardQueryOf(filter, at, timezone)
    return [
      WallClock.rfc3339(from),
      (DateTime.toEpochMillis(before) - DateTime.toEpochMillis(from)) / 3_600_000
    ] as const
  }

  it("is one on the business's clock, with 23 or 25 hours where a clock changes", () => {
    assert.deepStrictEqual(hours({ date: "2026-11-20" }, "UTC"), ["2026-11-20T00:00:00Z", 24])
    assert.deepStrictEqual(hours({ date: "2026-11-20" }, "Pacific/Auckland"), ["2026-11-19T11:00:00Z", 24])
    assert.deepStrictEqual(hours({ date: "2026-11-01" }, "America/New_York"), ["2026-11-01T04:00:00Z", 25])
    assert.deepStrictEqual(hours({ date: "2027-03-14" }, "America/New_York"), ["2027-03-14T05:00:00Z", 23])
  })

  it("is by default today in the business's time zone", () => {
    const late = DateTime.makeUnsafe("2026-11-20T23:30:00Z")
    assert.deepStrictEqual(hours({}, "UTC", late), ["2026-11-20T00:00:00Z", 24])
    assert.deepStrictEqual(hours({}, "Europe/Zurich", late), ["2026-11-20T23:00:00Z", 24])
    assert.deepStrictEqual(hours({}, "America/New_York", late), ["2026-11-20T05:00:00Z", 24])
  })

  it("names each wrong filter", () => {
    assert.deepStrictEqual(issuesOf(BoardFilter, { date: "tomorrow", status: "assigned", driver_id: 0 }), [
      "date invalid",
      "status unknown_value",
      "driver_id out_of_range"
    ])
  })
})
