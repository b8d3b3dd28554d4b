import { maxCountedBacklog } from "@livery/domain"
import type { BusinessId, EndpointId } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { rowsRead } from "./RowsRead.ts"
import { alone, claim, emit, newEndpoint, passTime, prepared } from "./Scenario.ts"

/** Writes deliveries that have been due for that many seconds, or will be for negative ones. */
const write = Effect.fnUntraced(function* (
  business: BusinessId,
  endpointId: EndpointId,
  count: number,
  dueSince: number
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    WITH event AS (
      INSERT INTO events (business_id, event_id, event_type, body)
      VALUES (${business}, 'evt_' || gen_random_uuid(), 'trip.created', '{}') RETURNING event_id
    )
    INSERT INTO webhook_deliveries (business_id, endpoint_id, event_id, event_type, next_attempt_at)
    SELECT ${business}::bigint, ${endpointId}::bigint, event_id, 'trip.created', clock_timestamp() - make_interval(secs => ${dueSince})
    FROM event, generate_series(1, ${count}::int)`
})

describe("the backlog", () => {
  it.live("counts the deliveries of a stopped dispatcher as due once their claims have expired", () =>
    Effect.gen(function* () {
      const { business, queue } = yield* prepared
      const sql = yield* SqlClient.SqlClient
      yield* emit(business, 3)
      yield* claim()
      assert.deepStrictEqual(yield* queue.backlog, { due: 0, oldestDueSeconds: 0 })
      yield* passTime
      yield* sql`UPDATE webhook_deliveries SET next_attempt_at = clock_timestamp() - interval '1 minute'
        WHERE delivery_id = (SELECT max(delivery_id) FROM webhook_deliveries)`
      yield* emit(business, 2)
      const { due, oldestDueSeconds } = yield* queue.backlog
      assert.strictEqual(due, 5)
      assert.approximately(oldestDueSeconds, 60, 5)
    }).pipe(alone)
  )

  it.live("has the oldest of all endpoints, also beyond the counted number", () =>
    Effect.gen(function* () {
      const { business, endpoint, queue } = yield* prepared
      const [second, third] = [yield* newEndpoint(business), yield* newEndpoint(business)]
      yield* write(business, endpoint.endpoint_id, maxCountedBacklog, 10)
      yield* write(business, second.endpoint_id, 1, 3600)
      yield* write(business, third.endpoint_id, 5, 20)
      const { due, oldestDueSeconds } = yield* queue.backlog
      assert.strictEqual(due, maxCountedBacklog)
      assert.approximately(oldestDueSeconds, 3600, 10)
    }).pipe(alone)
  )

  it.live(
    "reads the due deliveries and the next of each endpoint, not those that wait for a later time",
    () =>
      Effect.gen(function* () {
        const { business, endpoint, queue } = yield* prepared
        const second = yield* newEndpoint(business)
        yield* write(business, endpoint.endpoint_id, 2_000, -600)
        yield* write(business, second.endpoint_id, 2_000, -600)
        yield* write(business, second.endpoint_id, 7, 30)
        const { answer, found, scanned } = yield* rowsRead(queue.backlog)
        assert.strictEqual(answer.due, 7)
        assert.isAtMost(found, 30)
        assert.strictEqual(scanned, 0)
      }).pipe(alone)
  )
})
