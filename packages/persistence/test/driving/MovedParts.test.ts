import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../src/migrations/index.ts"
import { migrate } from "../../src/sql/Migrations.ts"
import { client, Database } from "../sql/Database.ts"

const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0011"))

it.live("parts that stayed behind when their trip was moved follow it, and the others stay", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* migrate(before)
    yield* sql`
      WITH business AS (
        INSERT INTO businesses (business_name, business_email, vendor_slug, subscription_plan_id, created_at, updated_at)
        VALUES ('Ada Cars', 'ada@example.org', 'ada', 1, now(), now()) RETURNING business_id
      ), driver AS (
        INSERT INTO drivers (business_id, name, created_at, updated_at)
        SELECT business_id, 'Joan', now(), now() FROM business
      )
      INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, duration_minutes,
        pickup_address, dropoff_address, customer_name, currency, created_at, updated_at)
      SELECT business_id, 'TR-' || n, 'confirmed', 'unpaid', 'transfer', '2026-11-20T10:00:00Z', nullif(n, 1) * 45,
        'Here', 'There', 'Ada', 'USD', now(), now()
      FROM business, generate_series(1, 3) n`
    yield* sql`
      INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at)
      SELECT business_id, trip_id, driver_id, CASE trip_id WHEN 3 THEN 'assigned' ELSE 'cancelled' END,
        trip_date - make_interval(hours => CASE trip_id WHEN 1 THEN 5 ELSE 0 END),
        trip_date + make_interval(mins => CASE trip_id WHEN 1 THEN -240 WHEN 2 THEN 30 ELSE 135 END), now()
      FROM trips JOIN drivers USING (business_id)`
    const kept = yield* sql`SELECT xmin::text FROM assignments WHERE trip_id = 3`
    yield* migrate(migrations)
    const starts = new Date("2026-11-20T10:00:00Z")
    assert.deepStrictEqual(
      yield* sql`SELECT trip_id, trip_date, trip_ends_at FROM assignments ORDER BY trip_id`,
      [
        { trip_id: 1, trip_date: starts, trip_ends_at: new Date("2026-11-20T11:00:00Z") },
        { trip_id: 2, trip_date: starts, trip_ends_at: new Date("2026-11-20T11:30:00Z") },
        { trip_id: 3, trip_date: starts, trip_ends_at: new Date("2026-11-20T12:15:00Z") }
      ]
    )
    assert.deepStrictEqual(yield* sql`SELECT xmin::text FROM assignments WHERE trip_id = 3`, kept)
  }).pipe(Effect.provide(Layer.fresh(client().pipe(Layer.provideMerge(Database.layer)))))
)
