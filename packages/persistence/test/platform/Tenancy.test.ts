import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { constraintOf } from "../../src/sql/statements/PgErrors.ts"
import { TestPersistence, newBusiness, newCar, unique } from "../support/TestPersistence.ts"

const idOf = Effect.fnUntraced(function* (statement: Statement.Statement<{ readonly id: number | string }>) {
  const [row] = yield* statement
  return row?.id ?? 0
})

/** A business with a record of each kind. */
const tenant = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const business = yield* newBusiness()
  const car = yield* newCar(business)
  const endpoint = yield* idOf(sql`
    INSERT INTO webhook_endpoints (business_id, url, events, sealed_secret, created_at, updated_at)
    VALUES (${business}, 'https://example.com', '{trip.created}', 'sealed', now(), now())
    RETURNING endpoint_id AS id`)
  const event = yield* idOf(sql`
    INSERT INTO events (business_id, event_id, event_type, body)
    VALUES (${business}, ${unique("evt")}, 'trip.created', '{}') RETURNING event_id AS id`)
  const delivery = yield* idOf(sql`
    INSERT INTO webhook_deliveries (business_id, endpoint_id, event_id, event_type)
    VALUES (${business}, ${endpoint}, ${event}, 'trip.created')
    RETURNING delivery_id AS id`)
  return { business, car, endpoint, event, delivery }
})

const book = (business: number, car: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
                         dropoff_address, customer_name, car_id, currency, created_at, updated_at)
      VALUES (${business}, ${unique("TR")}, 'confirmed', 'unpaid', 'transfer', now(), 'a', 'b', 'c', ${car}, 'USD',
              now(), now())`
  )

const refusedBy = (error: SqlError.SqlError) => [error.reason._tag, constraintOf(error)]

layer(TestPersistence)("a row of one business", (it) => {
  it.effect("cannot refer to another business's car, by insert or by update", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [one, other] = [yield* tenant, yield* tenant]
      const key = ["ConstraintError", "trips_business_id_car_id_fkey"]
      assert.deepStrictEqual(refusedBy(yield* Effect.flip(book(one.business, other.car))), key)
      yield* book(one.business, one.car)
      const moves = [
        sql`UPDATE trips SET car_id = ${other.car} WHERE business_id = ${one.business}`,
        sql`UPDATE trips SET business_id = ${other.business} WHERE business_id = ${one.business}`,
        sql`UPDATE cars SET business_id = ${other.business} WHERE car_id = ${one.car}`
      ]
      for (const move of moves) assert.deepStrictEqual(refusedBy(yield* Effect.flip(move)), key)
    })
  )

  it.effect("cannot deliver to another business's endpoint", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [one, other] = [yield* tenant, yield* tenant]
      const deliver = (endpoint: number | string, event: number | string) =>
        Effect.flip(sql`
          INSERT INTO webhook_deliveries (business_id, endpoint_id, event_id, event_type)
          VALUES (${one.business}, ${endpoint}, ${event}, 'trip.created')`)
      assert.deepStrictEqual(refusedBy(yield* deliver(other.endpoint, one.event)), [
        "ConstraintError",
        "webhook_deliveries_business_id_endpoint_id_fkey"
      ])
    })
  )

  it.effect("has its business in its key, and in every key between the tables of businesses", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const constraints = yield* sql<{
        readonly name: string
        readonly kind: string
        readonly target: string | null
        readonly leading: string
      }>`
        SELECT c.conrelid::regclass || ': ' || c.conname AS name, c.contype::text AS kind,
               nullif(c.confrelid, 0)::regclass::text AS target,
               (SELECT attname::text FROM pg_attribute WHERE attrelid = c.conrelid AND attnum = c.conkey[1]) AS leading
        FROM pg_constraint c
        WHERE c.contype IN ('p', 'f') AND EXISTS (
          SELECT FROM pg_attribute WHERE attrelid = c.conrelid AND attname = 'business_id' AND NOT attisdropped)
          AND c.conrelid <> ALL (ARRAY['businesses', 'audit_history', 'audit_log', 'saas_invoices', 'business_arrivals']::regclass[])`
      assert.isAbove(constraints.length, 10)
      const astray = constraints.filter(
        ({ leading, target }) => leading !== "business_id" && target !== "users"
      )
      assert.deepStrictEqual(astray, [])
    })
  )
})
