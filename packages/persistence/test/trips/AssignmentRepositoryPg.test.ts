import {
  AssignmentId,
  AssignmentRepository,
  type BusinessId,
  CarId,
  CustomerId,
  DriverId,
  TimelineRepository,
  Transaction,
  TripId,
  TripReferences,
  TripRepository,
  windowOf
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { at, TestPersistence, newBusiness, newCar } from "../support/TestPersistence.ts"
import { insert, now } from "./StoredTrips.ts"

const newDriver = Effect.fnUntraced(function* (businessId: BusinessId, name = "Grace") {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ driver_id: number }>`
    INSERT INTO drivers (business_id, name, created_at, updated_at) VALUES (${businessId}, ${name}, now(), now())
    RETURNING driver_id`
  return DriverId.make(row?.driver_id ?? 0)
})

const newCustomer = Effect.fnUntraced(function* (businessId: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ customer_id: number }>`
    INSERT INTO customers (business_id, name, created_at, updated_at)
    VALUES (${businessId}, 'Ada', now(), now()) RETURNING customer_id`
  return CustomerId.make(row?.customer_id ?? 0)
})

const hash = (driver: number, trip: number) => `hash-${driver}-${trip}`

/** A trip with drivers. */
const dispatched = Effect.fnUntraced(function* (
  business: BusinessId,
  drivers: ReadonlyArray<DriverId>,
  change: Parameters<typeof insert>[1] = {}
) {
  const assignments = yield* AssignmentRepository
  const trip = yield* insert(business, change)
  const made = yield* assignments.insert(
    business,
    trip.trip_id,
    windowOf(trip),
    drivers.map((driver_id) => ({
      driver_id,
      car_id: null,
      has_default_car: false,
      tokenHash: hash(driver_id, trip.trip_id)
    })),
    now
  )
  return { trip, made }
})

layer(TestPersistence)("assignments", (it) => {
  it.effect(
    "are read with their trip, in the order in which they were made, without the cancelled ones",
    () =>
      Effect.gen(function* () {
        const [assignments, trips] = [yield* AssignmentRepository, yield* TripRepository]
        const business = yield* newBusiness()
        const [one, two] = [yield* newDriver(business, "Ü"), yield* newDriver(business, "B")]
        const { made, trip } = yield* dispatched(business, [two, one])
        assert.deepStrictEqual(
          made.map(({ driver_id, name, status }) => [driver_id, name, status]),
          [
            [two, "B", "assigned"],
            [one, "Ü", "assigned"]
          ]
        )
        const [first, second] = made.map(({ assignment_id }) => assignment_id)
        const ids = [first ?? AssignmentId.make(1), second ?? AssignmentId.make(1)] as const
        const milestone = {
          milestone: "arrived_at_pickup",
          at: DateTime.makeUnsafe("2026-11-20T17:55:00.123Z"),
          lat: 47.123456789012,
          lng: -0.1,
          stop_index: null
        } as const
        yield* assignments.insertMilestone(business, ids[1], milestone)
        // The first report of each milestone counts.
        yield* assignments.insertMilestone(business, ids[1], { ...milestone, lat: null, lng: null })
        yield* assignments.insertMilestone(business, ids[1], {
          ...milestone,
          milestone: "no_show",
          at: at("17:50:00")
        })
        yield* assignments.setStatus(business, [ids[0]], { status: "cancelled", by: "operator", now })
        yield* assignments.setStatus(business, [ids[1]], { status: "en_route", by: "driver", now })
        const stored = Option.getOrThrow(yield* trips.find(business, trip.trip_id))
        assert.deepStrictEqual<unknown>(stored.drivers, [
          {
            assignment_id: ids[1],
            driver_id: one,
            name: "Ü",
            status: "en_route",
            car_id: null,
            has_default_car: false,
            milestones: [{ ...milestone, milestone: "no_show", at: at("17:50:00") }, milestone]
          }
        ])
        const { assignment, trip_id } = Option.getOrThrow(yield* assignments.find(business, ids[0]))
        assert.deepStrictEqual([trip_id, assignment.status], [trip.trip_id, "cancelled"])
        assert.isTrue(Option.isNone(yield* assignments.find(yield* newBusiness(), ids[0])))
      })
  )

  it.effect("lose their token when they end, and record the author and the time", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const assignments = yield* AssignmentRepository
      const business = yield* newBusiness()
      const drivers = yield* Effect.forEach(Array.from({ length: 4 }), () => newDriver(business))
      const { made } = yield* dispatched(business, drivers)
      for (const [index, status] of (["en_route", "completed", "cancelled"] as const).entries()) {
        const id = made[index]?.assignment_id
        if (id !== undefined) yield* assignments.setStatus(business, [id], { status, by: "driver", now })
      }
      const rows = yield* sql`
        SELECT status, token_hash IS NOT NULL AS has_token, en_route_at, completed_at, cancelled_at, cancelled_by
        FROM assignments WHERE business_id = ${business} ORDER BY assignment_id`
      const none = { en_route_at: null, completed_at: null, cancelled_at: null, cancelled_by: null }
      const stamp = DateTime.toDateUtc(now)
      assert.deepStrictEqual<unknown>(rows, [
        { ...none, status: "en_route", has_token: true, en_route_at: stamp },
        { ...none, status: "completed", has_token: false, completed_at: stamp },
        { ...none, status: "cancelled", has_token: false, cancelled_at: stamp, cancelled_by: "driver" },
        { ...none, status: "assigned", has_token: true }
      ])
    })
  )

  it.effect("can be given to the business's own drivers who are active and not deleted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const assignments = yield* AssignmentRepository
      const [business, foreign] = [yield* newBusiness(), yield* newBusiness()]
      const [free, idle, gone] = [
        yield* newDriver(business),
        yield* newDriver(business),
        yield* newDriver(business)
      ]
      const stranger = yield* newDriver(foreign)
      yield* sql`UPDATE drivers SET active = false WHERE driver_id = ${idle}`
      yield* sql`UPDATE drivers SET deleted_at = now() WHERE driver_id = ${gone}`
      assert.deepStrictEqual(yield* assignments.lockDrivers(business, [gone, stranger, free, idle]), [
        { driver_id: free, default_car_id: null }
      ])
      assert.deepStrictEqual(yield* assignments.lockDrivers(business, []), [])
    })
  )

  it.effect("open trips are those that have not ended and are not deleted", () =>
    Effect.gen(function* () {
      const [assignments, trips] = [yield* AssignmentRepository, yield* TripRepository]
      const business = yield* newBusiness()
      const driver = yield* newDriver(business)
      const car_id = CarId.make(yield* newCar(business))
      const customer_id = yield* newCustomer(business)
      const change = { car_id, customer_id }
      const [open, ended, gone] = [
        yield* dispatched(business, [driver], change),
        yield* dispatched(business, [], { ...change, status: "cancelled" }),
        yield* dispatched(business, [], change)
      ]
      yield* trips.update({ ...gone.trip, deleted_at: now })
      const expected = [open.trip.trip_id]
      assert.deepStrictEqual(yield* assignments.openTrips(business, driver), expected)
      assert.deepStrictEqual(yield* trips.openTripsOfCar(business, car_id), expected)
      assert.deepStrictEqual(yield* trips.openTripsOfCustomer(business, customer_id), expected)
      assert.isTrue(Option.isNone(yield* trips.find(business, gone.trip.trip_id)))
      assert.isTrue(Option.isNone(yield* trips.lock(business, gone.trip.trip_id)))
      assert.isTrue(Option.isSome(yield* trips.lock(business, ended.trip.trip_id)))
      const references = yield* TripReferences
      assert.isTrue(Option.isSome(yield* references.lockCustomer(business, customer_id)))
      assert.isTrue(Option.isNone(yield* references.lockCustomer(yield* newBusiness(), customer_id)))
    })
  )

  it.effect("an update of a locked trip changes all changeable fields", () =>
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const business = yield* newBusiness()
      const trip = yield* insert(business)
      const changed = {
        ...trip,
        status: "cancelled",
        customer_name: "Bob",
        duration_minutes: 90,
        total_minor: 5,
        cancel_reason: "no_show",
        cancelled_by: "operator",
        cancellation_fee_minor: 7,
        cancelled_at: at("10:00:00"),
        updated_at: at("10:00:00")
      } as const
      yield* trips.update(changed)
      assert.deepStrictEqual<unknown>(yield* trips.find(business, trip.trip_id), Option.some(changed))
    })
  )

  it.effect(
    "locking a trip waits for the transaction that has locked it, and then returns the trip with its changes",
    () =>
      Effect.gen(function* () {
        const [assignments, trips, transaction] = [
          yield* AssignmentRepository,
          yield* TripRepository,
          yield* Transaction
        ]
        const business = yield* newBusiness()
        const driver = yield* newDriver(business)
        const { made, trip } = yield* dispatched(business, [driver])
        const ids = made.map(({ assignment_id }) => assignment_id)
        const context = yield* Effect.context()
        const second = yield* transaction.run(
          Effect.gen(function* () {
            yield* trips.lock(business, trip.trip_id)
            const second = Effect.runForkWith(context)(transaction.run(trips.lock(business, trip.trip_id)))
            yield* assignments.setStatus(business, ids, { status: "cancelled", by: "operator", now })
            return second
          })
        )
        const seen = yield* Fiber.join(second)
        assert.deepStrictEqual(
          Option.map(seen, ({ drivers }) => drivers.length),
          Option.some(0)
        )
      })
  )
})

layer(TestPersistence)("the timeline", (it) => {
  it.effect("has the oldest entry first, in pages, and begins with the booking", () =>
    Effect.gen(function* () {
      const timeline = yield* TimelineRepository
      const business = yield* newBusiness()
      const { trip_id } = yield* insert(business)
      const line = {
        change: "updated",
        driver_id: null,
        before: { notes: null },
        after: { notes: "é" }
      } as const
      yield* timeline.append(
        business,
        [{ tripId: trip_id, entries: [line, { ...line, change: "deleted", before: null, after: null }] }],
        now
      )
      const page = (page: number, perPage: number) =>
        Effect.map(timeline.list(business, trip_id, { page, perPage }), (found) =>
          Option.map(found, ({ hasMore, items, total }) => [
            items.map(({ change }) => change),
            hasMore,
            total
          ])
        )
      assert.deepStrictEqual<unknown>(yield* page(1, 2), Option.some([["created", "updated"], true, 3]))
      assert.deepStrictEqual<unknown>(yield* page(2, 2), Option.some([["deleted"], false, 3]))
      assert.deepStrictEqual<unknown>(yield* page(3, 2), Option.some([[], false, 3]))
      const all = Option.getOrThrow(yield* timeline.list(business, trip_id, { page: 1, perPage: 25 }))
      assert.deepInclude(all.items[1] ?? {}, {
        actor: "system",
        at: now,
        before: { notes: null },
        after: { notes: "é" }
      })
    })
  )

  it.effect("of another business's trip, or of a deleted one, is absent", () =>
    Effect.gen(function* () {
      const [timeline, trips] = [yield* TimelineRepository, yield* TripRepository]
      const business = yield* newBusiness()
      const trip = yield* insert(business)
      const { trip_id } = trip
      const request = { page: 1, perPage: 25 }
      assert.isTrue(Option.isNone(yield* timeline.list(yield* newBusiness(), trip_id, request)))
      assert.isTrue(Option.isNone(yield* timeline.list(business, TripId.make(999_999_999), request)))
      yield* trips.update({ ...trip, deleted_at: now })
      assert.isTrue(Option.isNone(yield* timeline.list(business, trip_id, request)))
    })
  )
})
