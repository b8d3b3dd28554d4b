import { EventHistory, TripChanges, type TripId, TripInput, Trips } from "@livery/domain"
import { NodeCryptography } from "@livery/integrations"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { acting } from "../support/Acting.ts"
import { TestPersistence, newBusiness, newCar } from "../support/TestPersistence.ts"
import { waitingAre } from "./Scenario.ts"

const Dispatch = Trips.layer.pipe(Layer.provide(NodeCryptography.layer), Layer.provideMerge(TestPersistence))

const Body = Schema.fromJsonString(
  Schema.Struct({
    type: Schema.String,
    data: Schema.Struct({ participants_count: Schema.NullOr(Schema.Int) })
  })
)

const input = Schema.decodeSync(TripInput)({
  trip_date: "2026-12-24T18:00:00Z",
  pickup_address: "Here",
  dropoff_address: "There",
  customer_name: "Ada"
})
const changesOf = Schema.decodeSync(TripChanges)

layer(Dispatch, { timeout: 60_000, excludeTestServices: true })("a trip's events", (it) => {
  it.effect("the last event has the trip's current state, also if another change began first", () =>
    Effect.gen(function* () {
      const [sql, trips, history] = [yield* SqlClient.SqlClient, yield* Trips, yield* EventHistory]
      const business_id = yield* newBusiness()
      const as = acting(business_id)
      const { trip_id } = yield* trips.create(as, input)
      const change = (changes: typeof TripChanges.Encoded) =>
        trips.update(as, trip_id as TripId, changesOf(changes))
      const car_id = yield* newCar(business_id)
      const [customer] = yield* sql<{ customer_id: number }>`
        INSERT INTO customers (business_id, name, created_at, updated_at)
        VALUES (${business_id}, 'Charles', now(), now()) RETURNING customer_id`
      const customer_id = customer?.customer_id ?? 0
      const [held, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* Effect.forkChild(
        Effect.gen(function* () {
          yield* sql`SELECT FROM customers WHERE business_id = ${business_id} AND customer_id = ${customer_id}
            FOR UPDATE`
          yield* Deferred.succeed(held, undefined)
          yield* Deferred.await(go)
        }).pipe(sql.withTransaction)
      )
      yield* Deferred.await(held)
      // It has locked the car, so its transaction has a number, when it waits for the customer.
      const early = yield* Effect.forkChild(change({ car_id, customer_id, participants_count: 9 }))
      yield* waitingAre(1)
      yield* change({ participants_count: 5 })
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(holder)
      yield* Fiber.join(early)
      const reported = yield* history.after(business_id, undefined, 100).pipe(
        Effect.flatMap(Effect.fromOption),
        Effect.map(({ bodies }) => bodies.map((body) => Schema.decodeSync(Body)(body))),
        Effect.filterOrFail(({ length }) => length === 3),
        Effect.retry(Schedule.spaced("5 millis").pipe(Schedule.upTo({ times: 1_000 })))
      )
      assert.deepStrictEqual(
        reported.map(({ data, type }) => [type, data.participants_count]),
        [
          ["trip.created", null],
          ["trip.updated", 5],
          ["trip.updated", 9]
        ]
      )
      assert.strictEqual((yield* trips.get(as, trip_id as TripId)).participants_count, 9)
    })
  )
})
