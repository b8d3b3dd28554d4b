import { assert, layer } from "@effect/vitest"
import {
  CarId,
  DriverTokenRepository,
  type DriverTripQuery,
  DriverTripRepository,
  TripId
} from "@livery/domain"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { at, TestPersistence, newBusiness, newCar, unique } from "../support/TestPersistence.ts"
import { newDriver, newJob, setJob } from "./StoredJobs.ts"

const page = { page: 1, perPage: 100 }
const now = at("10:00:00")
const soonest: DriverTripQuery = { now, order: "soonest" }

layer(TestPersistence)("a driver's jobs", (it) => {
  it.effect("are those with an assignment of the driver, soonest first, ties by assignment", () =>
    Effect.gen(function* () {
      const { list } = yield* DriverTripRepository
      const [business, foreign] = [yield* newBusiness(), yield* newBusiness()]
      const driverId = yield* newDriver(business)
      const job = (time: string, status: "assigned" | "en_route" | "completed" | "cancelled") =>
        newJob(business, { driverId, status, pickup: at(time) })
      const [noon, first, tie, early] = [
        yield* job("12:00:00", "assigned"),
        yield* job("11:00:00", "assigned"),
        yield* job("11:00:00", "cancelled"),
        yield* job("08:00:00", "completed")
      ]
      yield* newJob(business)
      yield* newJob(foreign)
      const found = yield* list(business, driverId, soonest, page)
      assert.deepStrictEqual(
        found.items.map(({ trip_id }) => trip_id),
        [early, first, tie, noon].map(({ tripId }) => tripId)
      )
      assert.deepStrictEqual([found.total, found.hasMore], [4, false])
      const second = yield* list(business, driverId, { ...soonest, order: "latest" }, { page: 2, perPage: 3 })
      assert.deepStrictEqual(
        [second.items.map(({ trip_id }) => trip_id), second.total, second.hasMore],
        [[early.tripId], 4, false]
      )
      assert.deepStrictEqual((yield* list(foreign, driverId, soonest, page)).items, [])
    })
  )

  it.effect("are upcoming while under way, or while assigned and not over; all others are previous", () =>
    Effect.gen(function* () {
      const { list } = yield* DriverTripRepository
      const business = yield* newBusiness()
      const driverId = yield* newDriver(business)
      const job = (time: string, status: "assigned" | "en_route" | "completed" | "cancelled") =>
        Effect.map(newJob(business, { driverId, status, pickup: at(time) }), ({ tripId }) => tripId)
      // Each trip takes an hour.
      const upcoming = [
        yield* job("05:00:00", "en_route"),
        yield* job("09:00:01", "assigned"),
        yield* job("12:00:00", "assigned")
      ]
      const previous = [
        yield* job("05:00:00", "assigned"),
        yield* job("09:00:00", "assigned"),
        yield* job("11:00:00", "completed"),
        yield* job("12:00:00", "cancelled")
      ]
      const of = (query: Partial<DriverTripQuery>) =>
        Effect.map(list(business, driverId, { ...soonest, ...query }, page), ({ items }) =>
          items.map(({ trip_id }) => trip_id)
        )
      assert.deepStrictEqual(yield* of({ filter: "upcoming" }), upcoming)
      assert.deepStrictEqual(yield* of({ filter: "previous", order: "latest" }), previous.toReversed())
      assert.deepStrictEqual(yield* of({ filter: "upcoming", status: "en_route" }), upcoming.slice(0, 1))
      assert.deepStrictEqual(yield* of({ status: "cancelled" }), previous.slice(3))
    })
  )

  it.effect("are found by trip; another's, another driver's and deleted ones are not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { find, list } = yield* DriverTripRepository
      const [business, foreign] = [yield* newBusiness(), yield* newBusiness()]
      const car = yield* newCar(business)
      const job = yield* newJob(business, { carId: car })
      yield* sql`
        INSERT INTO assignment_milestones (business_id, assignment_id, milestone, at, lat, lng)
        VALUES (${business}, ${job.assignmentId}, 'passenger_on_board', '2026-11-20T09:50:00Z', NULL, NULL),
               (${business}, ${job.assignmentId}, 'arrived_at_pickup', '2026-11-20T09:40:00.250Z', 47.5, 8.5)`
      const found = Option.getOrThrow(yield* find(business, job.driverId, job.tripId))
      assert.deepInclude(found, { trip_status: "confirmed", status: "en_route", customer_name: "Ada" })
      assert.strictEqual(found.car?.car_id, CarId.make(car))
      assert.deepStrictEqual(
        found.milestones.map(({ at, lat, milestone }) => [milestone, DateTime.formatIso(at), lat]),
        [
          ["arrived_at_pickup", "2026-11-20T09:40:00.250Z", 47.5],
          ["passenger_on_board", "2026-11-20T09:50:00.000Z", null]
        ]
      )
      assert.isTrue(Option.isNone(yield* find(foreign, job.driverId, job.tripId)))
      assert.isTrue(Option.isNone(yield* find(business, yield* newDriver(business), job.tripId)))
      assert.isTrue(Option.isNone(yield* find(business, job.driverId, TripId.make(999_999_999))))
      yield* sql`UPDATE trips SET deleted_at = now() WHERE trip_id = ${job.tripId}`
      assert.isTrue(Option.isNone(yield* find(business, job.driverId, job.tripId)))
      assert.deepStrictEqual((yield* list(business, job.driverId, soonest, page)).items, [])
    })
  )

  it.effect("are read without a price, a payment or an email", () =>
    Effect.gen(function* () {
      const { find } = yield* DriverTripRepository
      const business = yield* newBusiness()
      const job = yield* newJob(business)
      const found = JSON.stringify(Option.getOrThrow(yield* find(business, job.driverId, job.tripId)))
      for (const secret of ["12950", "unpaid", "ada@example.com", "total", "currency", "payment", "email"])
        assert.notInclude(found, secret)
    })
  )
})

layer(TestPersistence)("a driver token", (it) => {
  it.effect("is found by its hash while the assignment is live, with the business it is for", () =>
    Effect.gen(function* () {
      const { find } = yield* DriverTokenRepository
      const business = yield* newBusiness({ status: "D" })
      const tokenHash = unique("hash")
      const job = yield* newJob(business, { status: "assigned", tokenHash })
      const held = Option.getOrThrow(yield* find(business, tokenHash))
      assert.deepInclude(held, {
        driver_id: job.driverId,
        trip_id: job.tripId,
        assignment_id: job.assignmentId
      })
      assert.deepInclude(held.business, { business_id: business, status: "D", timezone: "UTC" })
      assert.isTrue(Option.isNone(yield* find(business, unique("hash"))))
      assert.isTrue(Option.isNone(yield* find(yield* newBusiness(), tokenHash)))
      yield* setJob(job, "completed")
      assert.isTrue(Option.isNone(yield* find(business, tokenHash)))
    })
  )

  it.effect("is absent once its driver or its trip is deleted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { find } = yield* DriverTokenRepository
      const business = yield* newBusiness()
      const hashes = [unique("hash"), unique("hash")]
      const jobs = yield* Effect.forEach(hashes, (tokenHash) => newJob(business, { tokenHash }))
      yield* sql`UPDATE drivers SET deleted_at = now() WHERE driver_id = ${jobs[0]?.driverId ?? 0}`
      yield* sql`UPDATE trips SET deleted_at = now() WHERE trip_id = ${jobs[1]?.tripId ?? 0}`
      for (const hash of hashes) assert.isTrue(Option.isNone(yield* find(business, hash)))
    })
  )
})
