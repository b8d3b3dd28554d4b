import {
  type ActingBusiness,
  type AssignmentBatch,
  BatchAssignments,
  type BusinessId,
  BusinessRepository,
  type DriverId,
  GroupChange,
  RateCounters,
  type TripId,
  TripGroups,
  UseCases
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { at } from "../../../../test/contract/Contract.ts"
import { newBusiness, newCar, newDriver, newTrip } from "../../../../test/contract/Given.ts"
import { Ports } from "../support/TestPorts.ts"

const TestTrips = UseCases.pipe(Layer.provide(RateCounters.layerMemory), Layer.provideMerge(Ports))

const group_id = "Wedding"
const move = Schema.decodeSync(GroupChange)({ group_id, move_minutes: 10 })
const cancellation = Schema.decodeSync(GroupChange)({ group_id, status: "cancelled" })

/** Runs an effect. Returns how many statements it sent, and how many of these write rows. */
const statementsOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const texts: Array<string> = []
  yield* Effect.provideService(effect, Statement.CurrentTransformer, (statement) =>
    Effect.sync(() => {
      texts.push(statement.compile()[0])
      return statement
    })
  )
  return {
    all: texts.length,
    writing: texts.filter((text) => /\b(?:INSERT INTO|UPDATE \w+)\b/u.test(text)).length
  }
})

/** Adds two endpoints that receive all changes of trips. */
const subscribe = Effect.fnUntraced(function* (business: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO webhook_endpoints (business_id, url, events, sealed_secret, created_at, updated_at)
    SELECT ${business}, 'https://' || n || '.example.com/', '{trip.updated,trip.cancelled,driver.assigned}', 'none', now(), now()
    FROM generate_series(1, 2) n`
}, Effect.orDie)

/** A business with a driver, a car and a group of so many trips, whose drivers, times and status then change. */
const changesOf = Effect.fnUntraced(function* (count: number, prepare: typeof subscribe = () => Effect.void) {
  const [batches, businesses, groups] = [
    yield* BatchAssignments,
    yield* BusinessRepository,
    yield* TripGroups
  ]
  const business: BusinessId = yield* newBusiness
  yield* prepare(business)
  const acting: ActingBusiness = Option.getOrThrow(yield* businesses.find(business))
  const driver: DriverId = yield* newDriver(business)
  const car_id = yield* newCar(business)
  const trips: ReadonlyArray<TripId> = yield* Effect.forEach(Array.from({ length: count }), (_, index) =>
    Effect.map(
      newTrip(business, { group_id, trip_date: at(`${String(index).padStart(2, "0")}:00:00`) }),
      ({ trip_id }) => trip_id
    )
  )
  const batch: AssignmentBatch = trips.map((trip_id) => ({ trip_id, driver_ids: [driver], car_id }))
  return {
    business,
    cars: yield* statementsOf(
      batches.assign(
        acting,
        trips.map((trip_id) => ({ trip_id, car_id }))
      )
    ),
    drivers: yield* statementsOf(batches.assign(acting, batch)),
    moved: yield* statementsOf(groups.change(acting, move)),
    cancelled: yield* statementsOf(groups.change(acting, cancellation))
  }
})

layer(TestTrips)("a change of many trips", (it) => {
  it.effect("takes as many statements that write as one of two trips, except for new assignments", () =>
    Effect.gen(function* () {
      const [two, twenty] = [yield* changesOf(2), yield* changesOf(20)]
      assert.strictEqual(twenty.cars.writing, two.cars.writing)
      assert.strictEqual(twenty.drivers.writing, two.drivers.writing + 18)
      assert.strictEqual(twenty.moved.writing, two.moved.writing)
      assert.strictEqual(twenty.cancelled.writing, two.cancelled.writing)
      // Each trip is compared with the schedules and with likely duplicates.
      assert.isAtMost(twenty.moved.all, two.moved.all + 2 * 18)
      assert.isAtMost(twenty.cancelled.all, two.cancelled.all + 18)
    })
  )

  it.effect("sends the events of each trip in their order, and delivers them in this order", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { business } = yield* changesOf(3, subscribe)
      const rows = yield* sql<{ endpoint: number; trip: number; type: string }>`
        SELECT d.endpoint_id AS endpoint, (e.body::jsonb->'data'->>'trip_id')::int AS trip, e.event_type AS type
        FROM webhook_deliveries d JOIN events e USING (business_id, event_id)
        WHERE business_id = ${business} ORDER BY delivery_id`
      const sequences = yield* sql<{ trip: number; type: string }>`
        SELECT (body::jsonb->'data'->>'trip_id')::int AS trip, event_type AS type FROM events
        WHERE business_id = ${business} AND event_type <> 'trip.created' ORDER BY sequence`
      const byEndpoint = [...Map.groupBy(rows, ({ endpoint }) => endpoint).values()]
      assert.lengthOf(byEndpoint, 2)
      for (const delivered of byEndpoint)
        assert.deepStrictEqual(
          delivered.map(({ trip, type }) => [trip, type]),
          sequences.map(({ trip, type }) => [trip, type])
        )
      const ofTrips = Map.groupBy(sequences, ({ trip }) => trip)
      assert.strictEqual(ofTrips.size, 3)
      for (const [, events] of ofTrips)
        assert.deepStrictEqual(
          events.map(({ type }) => type),
          [
            "trip.updated",
            "driver.assigned",
            "trip.updated",
            "trip.updated",
            "trip.cancelled",
            "driver.assigned"
          ]
        )
    })
  )
})
