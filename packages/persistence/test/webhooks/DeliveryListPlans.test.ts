import { assert, it } from "@effect/vitest"
import { type DeliveryStatus, maxCount } from "@livery/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assertBounded } from "../sql/ListPlans.ts"
import { stepsOf } from "../trips/Plans.ts"
import { alone, prepared } from "./Scenario.ts"

/** How many deliveries have the rare statuses. They are the earliest ones. */
const rare = 30

it.live("deliveries of an endpoint by status are read without the others beyond 10,000", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { business, deliveries, endpoint } = yield* prepared
    const statusOf = (n: string) =>
      `CASE WHEN ${n} > ${rare} THEN 'delivered' WHEN ${n} % 3 = 0 THEN 'failed' ELSE 'pending' END`
    yield* sql.unsafe(`
      INSERT INTO webhook_deliveries (business_id, endpoint_id, event_id, event_type, status, next_attempt_at, claim_id)
      SELECT ${business}, ${endpoint.endpoint_id}, 'evt_' || n, 'trip.created', ${statusOf("n")},
        CASE WHEN n <= ${rare} AND n % 3 > 0 THEN now() END, CASE WHEN n <= ${rare} AND n % 3 = 1 THEN gen_random_uuid() END
      FROM generate_series(1, ${maxCount + 2000}) n ORDER BY n`)
    yield* sql`VACUUM ANALYZE webhook_deliveries`.unprepared
    const page = { page: 1, perPage: 20 }
    const list = (status?: DeliveryStatus) => deliveries.list(business, endpoint.endpoint_id, status, page)
    yield* assertBounded([
      ["pending", list("pending"), 20, 100, 200],
      ["delivered", list("delivered"), 20, 1100, 200],
      ["all", list(), 20, 1100, 200],
      ["failed", list("failed"), rare / 3, 100, 200]
    ])
    // The latest deliveries are read for this list only if more than 1,000 are pending.
    const steps = yield* sql.withTransaction(
      Effect.gen(function* () {
        for (const setting of ["parallel_setup_cost", "parallel_tuple_cost", "min_parallel_table_scan_size"])
          yield* sql`SELECT set_config(${setting}, '0', true)`
        return yield* stepsOf(list("pending"), "force_custom_plan")
      })
    )
    const started = steps.filter((step) => step["Node Type"].startsWith("Gather") && step["Actual Loops"] > 0)
    assert.deepStrictEqual(started, [], "processes that PostgreSQL started for the pending ones")
  }).pipe(alone)
)

it.live("are listed in the same order and counted, also if more than 1,000 of them are pending", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { business, deliveries, endpoint } = yield* prepared
    const listed = deliveries.list(business, endpoint.endpoint_id, "pending", { page: 2, perPage: 3 })
    const more = (count: number) => sql`
      INSERT INTO webhook_deliveries (business_id, endpoint_id, event_id, event_type, next_attempt_at, claim_id)
      SELECT ${business}, ${endpoint.endpoint_id}, 'evt_' || n, 'trip.created', now() - n * interval '1 second',
        CASE WHEN n % 4 = 0 THEN gen_random_uuid() END
      FROM generate_series(1, ${count}::int) n ORDER BY n`
    const latest = (skipped: number) => sql`
      SELECT delivery_id FROM webhook_deliveries ORDER BY delivery_id DESC LIMIT 3 OFFSET ${skipped}`
    for (const [count, total] of [
      [10, 10],
      [maxCount, undefined]
    ] as const) {
      yield* more(count)
      const { hasMore, items, total: counted } = yield* listed
      const expected = yield* latest(3)
      assert.deepStrictEqual(
        [items.map(({ delivery_id }) => delivery_id), counted, hasMore],
        [expected.map(({ delivery_id }) => delivery_id), total, true]
      )
    }
  }).pipe(alone)
)
