import {
  BusinessId,
  DeliveryQueue,
  DeliveryRepository,
  EndpointRepository,
  EventLog,
  WorkNotifier
} from "@livery/domain"
import type { AttemptResult, ClaimedDelivery, EmittedEventType, EventType } from "@livery/domain"
import { DateTime, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { layer as pgLayer } from "../../src/sql/connections/PgClient.ts"
import * as DeliveryQueuePg from "../../src/webhooks/DeliveryQueuePg.ts"
import * as DeliveryRepositoryPg from "../../src/webhooks/DeliveryRepositoryPg.ts"
import * as EndpointRepositoryPg from "../../src/webhooks/EndpointRepositoryPg.ts"
import * as EventHistoryPg from "../../src/webhooks/EventHistoryPg.ts"
import * as EventLogPg from "../../src/events/EventLogPg.ts"

const Adapters = Layer.mergeAll(
  DeliveryQueuePg.layer,
  DeliveryRepositoryPg.layer,
  EventHistoryPg.layer,
  EndpointRepositoryPg.layer,
  EventLogPg.layer
).pipe(Layer.provideMerge(WorkNotifier.layer))

/** The webhook adapters on a database of the test's own. */
export const Scenario = Layer.provideMerge(Adapters, TestDatabase.layer)

/** Gives a test a database of its own. */
export const alone = <A, E>(body: Effect.Effect<A, E, Layer.Success<typeof Scenario>>): Effect.Effect<A, E> =>
  Effect.provide(body, Layer.fresh(Scenario))

const Uncancelled = Layer.unwrap(
  Effect.map(TestDatabase.proxied, ({ proxy, url }) => {
    proxy.cancels = false
    return pgLayer({ url })
  })
).pipe(Layer.orDie)

/** Gives a test a database of its own, on which statements continue after the caller was interrupted. */
export const aloneAndUncancelled = <A, E>(
  body: Effect.Effect<A, E, Layer.Success<typeof Scenario>>
): Effect.Effect<A, E> => Effect.provide(body, Layer.fresh(Layer.provideMerge(Adapters, Uncancelled)))

export const newBusiness = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ business_id: number }>`
    INSERT INTO businesses
      (business_name, business_email, vendor_slug, subscription_plan_id, created_at, updated_at)
    VALUES ('Ada Cars', 'ada@example.org', ${randomBytes(8).toString("hex")}, 1, now(), now())
    RETURNING business_id`
  return BusinessId.make(row?.business_id ?? 0)
})

export const newEndpoint = Effect.fnUntraced(function* (
  businessId: BusinessId,
  events: ReadonlyArray<EventType> = ["trip.created"],
  url = "https://example.org/hook"
) {
  const endpoints = yield* EndpointRepository
  return yield* Effect.orDie(
    endpoints.insert(businessId, {
      url,
      events,
      sealedSecret: "sealed"
    })
  )
})

export const emit = Effect.fnUntraced(function* (
  businessId: BusinessId,
  times = 1,
  type: EmittedEventType = "trip.created"
) {
  const events = yield* EventLog
  yield* Effect.forEach(
    Array.from({ length: times }, () => `evt_${randomBytes(16).toString("hex")}`),
    (eventId) => events.record({ eventId, businessId, type, body: JSON.stringify({ id: eventId }) }),
    { concurrency: 4 }
  )
})

/** Claims, and once more if claims have expired, as a dispatcher does. Returns the deliveries of both claims. */
export const claimAll = Effect.fnUntraced(function* (limit = 100, perEndpoint = 10, perBusiness?: number) {
  const queue = yield* DeliveryQueue
  const first = yield* queue.claim({ limit, perEndpoint, perBusiness })
  const left = limit - first.claimed.length
  if (left <= 0 || !first.unreported.some(({ status }) => status === "pending")) return first
  const second = yield* queue.claim({ limit: left, perEndpoint, perBusiness })
  return {
    ...second,
    claimed: [...first.claimed, ...second.claimed],
    unreported: [...first.unreported, ...second.unreported],
    failed: first.failed + second.failed
  }
})

export const claim = Effect.fnUntraced(function* (limit = 100, perEndpoint = 10, perBusiness?: number) {
  return (yield* claimAll(limit, perEndpoint, perBusiness)).claimed
})

/** A business with an endpoint, and its listed deliveries. */
export const prepared = Effect.gen(function* () {
  const business = yield* newBusiness
  const endpoint = yield* newEndpoint(business)
  const queue = yield* DeliveryQueue
  const deliveries = yield* DeliveryRepository
  const listed = Effect.map(
    deliveries.list(business, endpoint.endpoint_id, undefined, { page: 1, perPage: 100 }),
    ({ items }) => items
  )
  return { business, endpoint, queue, deliveries, listed }
})

/** Claims the only due delivery. */
export const claimOne = Effect.gen(function* () {
  const [delivery, ...others] = yield* claim()
  if (delivery === undefined || others.length > 0) return yield* Effect.die(`${others.length + 1} claims`)
  return delivery
})

const result =
  (verdict: Pick<AttemptResult, "acknowledged" | "responseStatus" | "error" | "retryIn">) =>
  (delivery: ClaimedDelivery): AttemptResult => ({
    delivery,
    startedAt: DateTime.makeUnsafe("2026-11-20T09:30:00Z"),
    durationMs: 12,
    ...verdict
  })

export const acknowledged = result({ acknowledged: true, responseStatus: 200, error: null, retryIn: null })
export const refused = result({ acknowledged: false, responseStatus: 503, error: "http 503", retryIn: 60 })
export const abandoned = result({
  acknowledged: false,
  responseStatus: 503,
  error: "http 503",
  retryIn: null
})

/** Makes every delivery due, and ends every lease. */
export const passTime = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE webhook_deliveries SET next_attempt_at = clock_timestamp() - interval '1 second'
    WHERE status = 'pending'`
})

export const disable = Effect.fnUntraced(function* (endpointId: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE webhook_endpoints SET status = 'disabled' WHERE endpoint_id = ${endpointId}`
})

/** Waits until that many statements of other connections wait for a lock. */
export const waitingAre = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  const waiting = sql`SELECT 1 FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()`
  yield* Effect.flatMap(waiting, (rows) =>
    rows.length >= count ? Effect.void : Effect.fail("not yet")
  ).pipe(Effect.retry(Schedule.spaced("10 millis").pipe(Schedule.upTo({ times: 5_000 }))))
})
