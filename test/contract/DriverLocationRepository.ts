/** The contract of `DriverLocationRepository`. */
import {
  type AssignmentId,
  clockToleranceSeconds,
  DriverLocationRepository,
  type Position
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { at, atOnce, contract } from "./Contract.ts"
import { assign, newBusiness, newDriver, newTrip, setStatus, wholeList } from "./Given.ts"

const setOut = at("17:00:00")

/** A position that was measured so many seconds after the drivers set out. */
const measured = (second: number, lat = second / 1000): Position => ({
  lat,
  lng: 8.5,
  accuracy: 5,
  heading: null,
  speed: 13.5,
  recorded_at: DateTime.add(setOut, { seconds: second })
})

/** A driver who is on the way. */
const underWay = Effect.gen(function* () {
  const locations = yield* DriverLocationRepository
  const business = yield* newBusiness
  const driver = yield* newDriver(business, { name: "Dan" })
  const trip = yield* newTrip(business)
  const { assignment_id } = yield* assign(trip, driver)
  yield* setStatus(business, assignment_id, "en_route", setOut)
  const reportOf = (positions: ReadonlyArray<Position>, assignmentId: AssignmentId | null = null) => ({
    reporter: { business_id: business, driver_id: driver, assignment_id: assignmentId },
    positions
  })
  const last = Effect.map(locations.ofBusiness(business, wholeList), ({ items }) => items)
  return { locations, business, driver, trip, assignment_id, reportOf, last }
})

export const driverLocationRepository = contract("a driver's position", (it) => {
  it.effect("is stored for the trip that the driver is on the way to", () =>
    Effect.gen(function* () {
      const { assignment_id, driver, last, locations, reportOf, trip } = yield* underWay
      const { trip_id } = trip
      const stored = { positions: 1, trips: [trip_id] }
      assert.deepStrictEqual(yield* locations.record([reportOf([measured(10)])]), [stored])
      assert.deepStrictEqual(yield* locations.record([reportOf([measured(10)])]), [stored])
      assert.deepStrictEqual(yield* last, [
        { driver_id: driver, driver_name: "Dan", trip_id, assignment_id, ...measured(10) }
      ])
    })
  )

  it.effect("is that of the newest measurement, in whatever order reports arrive", () =>
    Effect.gen(function* () {
      const { last, locations, reportOf } = yield* underWay
      yield* atOnce(6, (index) => locations.record([reportOf([measured(60 - index * 10), measured(5)])]))
      assert.deepStrictEqual(
        (yield* last).map(({ recorded_at }) => recorded_at),
        [measured(60).recorded_at]
      )
      yield* locations.record([reportOf([measured(60, 1), measured(60, 2)])])
      assert.strictEqual((yield* last)[0]?.lat, 2)
    })
  )

  it.effect("from before the driver set out is not stored, apart from a tolerance", () =>
    Effect.gen(function* () {
      const { last, locations, reportOf } = yield* underWay
      const early = measured(-clockToleranceSeconds - 1)
      assert.deepStrictEqual(yield* locations.record([reportOf([early])]), [{ positions: 0, trips: [] }])
      assert.deepStrictEqual(yield* last, [])
      const [report] = yield* locations.record([reportOf([early, measured(-clockToleranceSeconds)])])
      assert.strictEqual(report?.positions, 1)
    })
  )

  it.effect("counts for all trips that the driver is on the way to, or for one assignment", () =>
    Effect.gen(function* () {
      const { assignment_id, business, driver, last, locations, reportOf, trip } = yield* underWay
      const second = yield* newTrip(business)
      const other = yield* assign(second, driver)
      yield* setStatus(business, other.assignment_id, "en_route", setOut)
      const third = yield* newTrip(business)
      yield* assign(third, driver)
      const results = yield* locations.record([
        reportOf([measured(10)]),
        reportOf([measured(20)], assignment_id),
        {
          ...reportOf([measured(30)]),
          reporter: { business_id: yield* newBusiness, driver_id: driver, assignment_id: null }
        }
      ])
      assert.deepStrictEqual(results, [
        { positions: 1, trips: [trip.trip_id, second.trip_id] },
        { positions: 1, trips: [trip.trip_id] },
        { positions: 0, trips: [] }
      ])
      assert.deepStrictEqual(
        (yield* last).map(({ assignment_id, recorded_at }) => [assignment_id, recorded_at]),
        [
          [assignment_id, measured(20).recorded_at],
          [other.assignment_id, measured(10).recorded_at]
        ]
      )
    })
  )

  it.effect("is shown until the driver has ended the trip", () =>
    Effect.gen(function* () {
      const { assignment_id, business, last, locations, reportOf } = yield* underWay
      yield* locations.record([reportOf([measured(10)])])
      yield* setStatus(business, assignment_id, "completed")
      assert.deepStrictEqual(yield* last, [])
      assert.deepStrictEqual(yield* locations.record([reportOf([measured(20)])]), [
        { positions: 0, trips: [] }
      ])
    })
  )
})
