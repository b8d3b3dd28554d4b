import {
  BusinessId,
  EndpointRepository,
  EventLog,
  RetryPolicy,
  SecretBox,
  WorkNotifier
} from "@livery/domain"
import { NodeCryptography } from "@livery/integrations"
import { Ports } from "@livery/persistence"
import { WebhookDispatcher, WebhookSender } from "@livery/webhooks"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, References, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { createServer, type RequestListener } from "node:http"
import { TestDatabase } from "../support/TestDatabase.ts"
import { extent, isFull } from "./support/Extent.ts"

const backlog = extent(10_000, 1_000)
const rate = 100
const seconds = extent(40, 4)

const secrets = Layer.succeed(
  SecretBox,
  SecretBox.of({ seal: (plain) => Effect.succeed(plain), open: (sealed) => Effect.succeed(sealed) })
)
// Each attempt that hangs logs a warning.
const quiet = Layer.succeed(References.MinimumLogLevel, "Error")
const Queues = Layer.mergeAll(Ports.DeliveryQueue, Ports.EventLog, Ports.EndpointRepository).pipe(
  Layer.provideMerge(WorkNotifier.layer),
  Layer.provideMerge(TestDatabase.layer)
)
const Dispatcher = WebhookDispatcher.layer({ grace: "100 millis" }).pipe(
  Layer.provide([WebhookSender.layer({ allowInsecure: true }), secrets, NodeCryptography.layer]),
  Layer.provideMerge(Queues),
  Layer.provideMerge(quiet)
)

const listening = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer(listener)
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        const close = () => {
          server.close()
          server.closeAllConnections()
        }
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}/`, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

const newBusiness = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ business_id: number }>`
    INSERT INTO businesses
      (business_name, business_email, vendor_slug, subscription_plan_id, created_at, updated_at)
    VALUES ('Ada Cars', 'ada@example.org', ${randomBytes(8).toString("hex")}, 1, now(), now())
    RETURNING business_id`
  return BusinessId.make(row?.business_id ?? 0)
})

const newEndpoint = (businessId: BusinessId, url: string) =>
  EndpointRepository.use((endpoints) =>
    endpoints.insert(businessId, { url, events: ["trip.created"], sealedSecret: "whsec_test" })
  )

/** A receiver that never responds, and one that always does and measures the delays from the commit of each event. */
const makeReceivers = Effect.gen(function* () {
  const committed = new Map<string, number>()
  const delays: Array<number> = []
  const counts = { hanging: 0 }
  const hanging = yield* listening((request) => {
    counts.hanging += 1
    request.resume()
  })
  const healthy = yield* listening((request, response) => {
    const at = committed.get(String(request.headers["x-service-delivery"]))
    delays.push(performance.now() - (at ?? Number.NaN))
    request.resume().on("end", () => response.writeHead(204).end())
  })
  // Under another name, because each host has a limit.
  return {
    committed,
    delays,
    counts,
    hangingUrl: hanging.url.replace("127.0.0.1", "localhost"),
    healthyUrl: healthy.url
  }
})

type Receivers = Effect.Success<typeof makeReceivers>

/** Adds events to the backlog of each endpoint of a business that is at the hanging receiver. */
const addBacklog = (businessId: BusinessId, events: number) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
      WITH made AS (
        INSERT INTO events (business_id, event_id, event_type, body)
        SELECT ${businessId}, 'evt_' || n, 'trip.created', '{}' FROM generate_series(1, ${events}::int) n
        RETURNING business_id, event_id
      )
      INSERT INTO webhook_deliveries (business_id, endpoint_id, event_id, event_type)
      SELECT e.business_id, e.endpoint_id, made.event_id, 'trip.created' FROM made
      JOIN webhook_endpoints e USING (business_id) WHERE e.host = 'localhost'`
  )

/** Emits events for these businesses in turn. Returns when each has arrived at a healthy endpoint, with the delays. */
const emitAndMeasure = Effect.fnUntraced(function* (
  businesses: ReadonlyArray<BusinessId>,
  { committed, counts, delays }: Receivers
) {
  const sql = yield* SqlClient.SqlClient
  const isHanging = Effect.suspend(() => (counts.hanging > 0 ? Effect.void : Effect.fail("not yet" as const)))
  yield* Effect.retry(isHanging, Schedule.spaced("10 millis").pipe(Schedule.upTo({ times: 3_000 })))
  const events = yield* EventLog
  const emit = Effect.fnUntraced(function* (index: number) {
    const businessId = businesses[index % businesses.length]
    if (businessId === undefined) return
    const eventId = `evt_${randomBytes(16).toString("hex")}`
    // Before the event's own notification, so that no delivery is quicker than this.
    yield* sql
      .afterCommit(Effect.sync(() => committed.set(eventId, performance.now())))
      .pipe(
        Effect.andThen(events.record({ eventId, businessId, type: "trip.created", body: "{}" })),
        sql.withTransaction
      )
  })
  const total = rate * seconds
  const started = performance.now()
  let sent = 0
  yield* Effect.suspend(() => {
    const due = Math.min(Math.floor(((performance.now() - started) / 1000) * rate), total)
    const batch = Array.from({ length: due - sent }, (_, index) => sent + index)
    sent = due
    return Effect.forEach(batch, emit, { concurrency: 4, discard: true })
  }).pipe(Effect.repeat({ schedule: Schedule.spaced("5 millis"), while: () => sent < total }))
  const haveArrived = Effect.suspend(() =>
    delays.length >= total ? Effect.void : Effect.fail("not yet" as const)
  )
  yield* Effect.retry(haveArrived, Schedule.spaced("10 millis").pipe(Schedule.upTo({ times: 6_000 })))

  const sorted = delays.toSorted((one, other) => one - other)
  const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN
  process.stdout.write(
    `healthy: ${sorted.length} deliveries, p50 ${sorted[sorted.length >> 1]?.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, most ${sorted.at(-1)?.toFixed(0)} ms\n`
  )
  assert.strictEqual(sorted.length, total, "each once")
  return { p99, seconds: (performance.now() - started) / 1000 }
})

/** The bound itself with full counts; else the time limit of an attempt, since all other tests run at the same time. */
const longestOf = (milliseconds: number) => (isFull ? milliseconds : RetryPolicy.maxAttemptSeconds * 1_000)

it.live(
  `one endpoint that hangs with ${backlog} behind it, 99 healthy ones at ${rate} events a second: healthy p99 under 1 s`,
  () =>
    Effect.gen(function* () {
      const receivers = yield* makeReceivers
      const began = performance.now()
      const stuck = yield* newBusiness
      yield* newEndpoint(stuck, receivers.hangingUrl)
      yield* addBacklog(stuck, backlog)
      const businesses = yield* Effect.forEach(Array.from({ length: 99 }), () =>
        Effect.tap(newBusiness, (id) => newEndpoint(id, receivers.healthyUrl))
      )
      const { p99 } = yield* emitAndMeasure(businesses, receivers)
      assert.isBelow(p99, longestOf(1_000))
      const passed = (performance.now() - began) / 1000
      assert.isAtMost(
        receivers.counts.hanging,
        20 * Math.ceil((passed + 1) / 15),
        "20 of the hanging one at a time"
      )
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ waiting: number }>`SELECT count(*)::int AS waiting FROM webhook_deliveries
        WHERE business_id = ${stuck} AND attempt = 0`
      assert.isAbove(row?.waiting ?? 0, backlog / 2, "and the backlog is still there")
    }).pipe(Effect.scoped, Effect.provide(Dispatcher)),
  200_000
)

it.live(
  `ten businesses with five endpoints each that hang with ${backlog / 50} behind them: p99 of their own and others' healthy endpoints under 2 s`,
  () =>
    Effect.gen(function* () {
      const receivers = yield* makeReceivers
      const businesses = yield* Effect.forEach(Array.from({ length: 20 }), () =>
        Effect.tap(newBusiness, (id) => newEndpoint(id, receivers.healthyUrl))
      )
      for (const business of businesses.slice(0, 10)) {
        for (let endpoint = 1; endpoint <= 5; endpoint++) yield* newEndpoint(business, receivers.hangingUrl)
        yield* addBacklog(business, backlog / 50)
      }
      const { p99 } = yield* emitAndMeasure(businesses, receivers)
      assert.isBelow(p99, longestOf(2_000))
      assert.isAbove(receivers.counts.hanging, 50)
    }).pipe(Effect.scoped, Effect.provide(Dispatcher)),
  200_000
)
