/** The contract of `DriverLocationRepository`. */
import {
  AdminBusinessRepository,
  type AssignmentId,
  clockToleranceSeconds,
  DriverLocationRepository,
  DriverRepository,
  type Position,
  Transaction
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Deferred, Effect } from "effect"
import { at, atOnce, contract, unique } from "./Contract.ts"
import { assign, changeTrip, newBusiness, newDriver, newTrip, now, setStatus, wholeList } from "./Given.ts"

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
  const { assignment_id, tokenHash } = yield* assign(trip, driver)
  yield* setStatus(business, assignment_id, "en_route", setOut)
  const reportOf = (
    positions: ReadonlyArray<Position>,
    assignmentId: AssignmentId | null = null,
    token_hash: string | null = null
  ) => ({
    reporter: { business_id: business, driver_id: driver, assignment_id: assignmentId, token_hash },
    positions
  })
  /** Reports a position with a token, alone and in one write with another report. Returns the number of stored ones. */
  const reportWith = Effect.fnUntraced(function* (token: string, second: number) {
    const report = reportOf([measured(second)], assignment_id, token)
    const results = [
      ...(yield* locations.record([report])),
      ...(yield* locations.record([report, reportOf([])]))
    ]
    return results.map(({ positions }) => positions)
  })
  const last = Effect.map(locations.ofBusiness(business, wholeList), ({ items }) => items)
  return { locations, business, driver, trip, assignment_id, tokenHash, reportOf, reportWith, last }
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

  it.effect("is stored while a transaction is open, whose work waits for that", () =>
    Effect.gen(function* () {
      const { last, locations, reportOf } = yield* underWay
      const transaction = yield* Transaction
      const [asked, stored] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      yield* Effect.forkScoped(
        Deferred.await(asked).pipe(
          Effect.andThen(locations.record([reportOf([measured(10)])])),
          Effect.andThen(Deferred.succeed(stored, undefined))
        )
      )
      yield* transaction.run(Effect.andThen(Deferred.succeed(asked, undefined), Deferred.await(stored)))
      assert.lengthOf(yield* last, 1)
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
          reporter: {
            business_id: yield* newBusiness,
            driver_id: driver,
            assignment_id: null,
            token_hash: null
          }
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

  it.effect("that is reported with a token is stored only with the token of the assignment", () =>
    Effect.gen(function* () {
      const { business, driver, last, reportWith, tokenHash } = yield* underWay
      const other = yield* assign(yield* newTrip(business), driver)
      yield* setStatus(business, other.assignment_id, "en_route", setOut)
      for (const wrong of [unique("token"), other.tokenHash, ""])
        assert.deepStrictEqual(yield* reportWith(wrong, 20), [0, 0, 0])
      assert.deepStrictEqual(yield* last, [])
      assert.deepStrictEqual(yield* reportWith(tokenHash, 10), [1, 1, 0])
      assert.deepStrictEqual(
        (yield* last).map(({ recorded_at }) => recorded_at),
        [measured(10).recorded_at]
      )
    })
  )

  it.effect(
    "that is reported with a token is not stored for an ended assignment or a suspended business",
    () =>
      Effect.gen(function* () {
        const businesses = yield* AdminBusinessRepository
        const { assignment_id, business, last, reportWith, tokenHash } = yield* underWay
        yield* businesses.setStatus(business, "D", now)
        assert.deepStrictEqual(yield* reportWith(tokenHash, 10), [0, 0, 0])
        yield* businesses.setStatus(business, "A", now)
        assert.deepStrictEqual(yield* reportWith(tokenHash, 20), [1, 1, 0])
        yield* setStatus(business, assignment_id, "cancelled")
        assert.deepStrictEqual(yield* reportWith(tokenHash, 30), [0, 0, 0])
        assert.deepStrictEqual(yield* last, [])
      })
  )

  it.effect("that is reported with a token is not stored for a deleted trip or a deleted driver", () =>
    Effect.gen(function* () {
      const drivers = yield* DriverRepository
      const one = yield* underWay
      yield* changeTrip(one.business, one.trip.trip_id, { deleted_at: now })
      assert.deepStrictEqual(yield* one.reportWith(one.tokenHash, 10), [0, 0, 0])
      const other = yield* underWay
      yield* drivers.remove(other.business, other.driver, now)
      assert.deepStrictEqual(yield* other.reportWith(other.tokenHash, 10), [0, 0, 0])
    })
  )
})
