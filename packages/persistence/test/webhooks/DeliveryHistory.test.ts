import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../src/migrations/index.ts"
import { migrate } from "../../src/sql/Migrations.ts"
import { client, Database } from "../sql/Database.ts"

const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0010"))

it.live("attempts that were kept in a table of their own stay with their deliveries, in their order", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* migrate(before)
    yield* sql`
      WITH business AS (
        INSERT INTO businesses (business_name, business_email, vendor_slug, subscription_plan_id, created_at, updated_at)
        VALUES ('Ada Cars', 'ada@example.org', 'ada', 1, now(), now()) RETURNING business_id
      )
      INSERT INTO webhook_endpoints (business_id, url, events, sealed_secret, created_at, updated_at)
      SELECT business_id, 'https://example.org', '{trip.created}', 'sealed', now(), now() FROM business`
    yield* sql`
      INSERT INTO events (business_id, event_id, event_type, body)
      SELECT business_id, 'evt_' || n, 'trip.created', '{}' FROM businesses, generate_series(1, 2) n`
    yield* sql`
      INSERT INTO webhook_deliveries (business_id, endpoint_id, event_id, attempt)
      SELECT business_id, endpoint_id, event_id, CASE event_id WHEN 'evt_1' THEN 2 ELSE 0 END
      FROM events JOIN webhook_endpoints USING (business_id)`
    yield* sql`
      INSERT INTO webhook_attempts (business_id, delivery_id, attempt, started_at, duration_ms, response_status, error)
      SELECT business_id, delivery_id, 3 - n, '2026-11-20T09:30:00.4Z'::timestamptz - make_interval(mins => n), 12,
        CASE n WHEN 1 THEN 503 END, CASE n WHEN 1 THEN 'http 503' ELSE 'timeout' END
      FROM webhook_deliveries, generate_series(1, 2) n WHERE event_id = 'evt_1'`
    yield* migrate(migrations)
    assert.deepStrictEqual(yield* sql`SELECT attempts FROM webhook_deliveries ORDER BY delivery_id`, [
      {
        attempts: [
          {
            attempt: 1,
            started_at: "2026-11-20T09:28:00Z",
            duration_ms: 12,
            response_status: null,
            error: "timeout"
          },
          {
            attempt: 2,
            started_at: "2026-11-20T09:29:00Z",
            duration_ms: 12,
            response_status: 503,
            error: "http 503"
          }
        ]
      },
      { attempts: [] }
    ])
  }).pipe(Effect.provide(Layer.fresh(client().pipe(Layer.provideMerge(Database.layer)))))
)
