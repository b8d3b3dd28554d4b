import {
  AssignmentRepository,
  type BusinessId,
  DriverId,
  Transaction,
  TripRepository,
  windowOf
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestPersistence, newBusiness } from "../support/TestPersistence.ts"
import { insert, now } from "./StoredTrips.ts"

const newDriver = Effect.fnUntraced(function* (businessId: BusinessId, name = "Grace") {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ driver_id: number }>`
    INSERT INTO drivers (business_id, name, created_at, updated_at) VALUES (${businessId}, ${name}, now(), now())
    RETURNING driver_id`
  return DriverId.make(row?.driver_id ?? 0)
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
