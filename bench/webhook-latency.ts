/**
 * Measures the time from the commit of an event to the first byte that the receiver gets.
 *
 *     DATABASE_URL=postgresql://… node --conditions=@livery/source bench/webhook-latency.ts [events per second] [seconds]
 *
 * The database has to be empty. Sends one event at a time on an idle system, then a steady stream over 50
 * endpoints; also counts the statements of the stream if `pg_stat_statements` is loaded.
 */
import { BusinessId, EndpointRepository, EventLog, SecretBox, WorkNotifier } from "@livery/domain"
import { NodeCryptography } from "@livery/integrations"
import { migrate, migrations, PgClient, Ports } from "@livery/persistence"
import { WebhookDispatcher, WebhookSender } from "@livery/webhooks"
import { Console, Duration, Effect, Layer, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { createServer } from "node:http"

const [rate = 1_000, seconds = 15] = process.argv.slice(2).map(Number)
const endpointCount = 50

const committed = new Map<string, number>()
const delays: Array<number> = []

const receiver = Effect.acquireRelease(
  Effect.callback<number>((resume) => {
    const server = createServer((request, response) => {
      const id = String(request.headers["x-service-delivery"])
      delays.push(performance.now() - (committed.get(id) ?? Number.NaN))
      request.resume().on("end", () => response.writeHead(204).end())
    }).listen(0, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
    })
    server.unref()
  }),
  () => Effect.void
)

const quantile = (part: number) => {
  const sorted = [...delays].sort((a, b) => a - b)
  return `${(sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN).toFixed(1)} ms`
}
const report = (title: string) =>
  Console.log(
    `${title}: ${delays.length} deliveries, mean ${(delays.reduce((a, b) => a + b, 0) / delays.length).toFixed(1)} ms,`,
    `median ${quantile(0.5)}, p99 ${quantile(0.99)}, most ${quantile(1)}`
  )

const statements = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ calls: number }>`SELECT coalesce(sum(calls), 0)::float8 AS calls
    FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`
  return row?.calls ?? Number.NaN
}).pipe(Effect.orElseSucceed(() => Number.NaN))

const emit = Effect.fnUntraced(function* (businessId: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  const events = yield* EventLog
  const eventId = `evt_${randomBytes(16).toString("hex")}`
  const body = JSON.stringify({ id: eventId, type: "trip.created", data: { notes: "x".repeat(600) } })
  yield* Effect.andThen(
    // Before the event's own wake-up, so that no delivery is quicker than this.
    sql.afterCommit(Effect.sync(() => committed.set(eventId, performance.now()))),
    events.record({ eventId, businessId, type: "trip.created", body })
  ).pipe(sql.withTransaction)
})

const arrivals = (count: number) =>
  Effect.suspend(() => (delays.length >= count ? Effect.void : Effect.fail("not yet" as const))).pipe(
    Effect.retry(Schedule.spaced("10 millis").pipe(Schedule.upTo({ times: 6_000 })))
  )

const bench = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const endpoints = yield* EndpointRepository
  yield* Effect.ignore(sql`CREATE EXTENSION IF NOT EXISTS pg_stat_statements`)
  const port = yield* receiver
  const businesses = yield* Effect.forEach(
    Array.from({ length: endpointCount }, (_, index) => index),
    (index) =>
      Effect.gen(function* () {
        const [row] = yield* sql<{ business_id: number }>`INSERT INTO businesses
          (business_name, business_email, vendor_slug, subscription_plan_id, created_at, updated_at)
          VALUES ('Bench', 'bench@example.org', ${`bench-${index}`}, 1, now(), now()) RETURNING business_id`
        const businessId = BusinessId.make(row?.business_id ?? 0)
        yield* endpoints.insert(businessId, {
          url: `http://127.0.0.1:${port}/`,
          events: ["trip.created"],
          sealedSecret: "whsec_bench"
        })
        return businessId
      })
  )
  const nth = (index: number) => businesses[index % endpointCount] ?? BusinessId.make(1)

  for (let index = 0; index < 300; index++) {
    yield* emit(nth(index))
    yield* arrivals(index + 1)
  }
  delays.splice(0, 50)
  yield* report("one at a time")

  delays.length = 0
  const before = yield* statements
  const started = performance.now()
  let sent = 0
  yield* Effect.gen(function* () {
    const due = Math.min(Math.floor(((performance.now() - started) / 1000) * rate), rate * seconds)
    const batch = Array.from({ length: due - sent }, (_, index) => sent + index)
    sent = due
    yield* Effect.forEach(batch, (index) => emit(nth(index)), { concurrency: 8, discard: true })
  }).pipe(
    Effect.repeat({ schedule: Schedule.spaced("5 millis"), while: () => sent < rate * seconds }),
    Effect.andThen(arrivals(rate * seconds))
  )
  const took = (performance.now() - started) / 1000
  yield* report(`${rate} a second wanted, ${((rate * seconds) / took).toFixed(0)} done`)
  yield* Console.log(`statements an event: ${(((yield* statements) - before) / (rate * seconds)).toFixed(2)}`)
  const idleBefore = yield* statements
  yield* Effect.sleep(Duration.seconds(10))
  // Asking is a statement too.
  yield* Console.log(`statements a second, idle: ${(((yield* statements) - idleBefore - 1) / 10).toFixed(2)}`)
})

const database = Layer.effectDiscard(migrate(migrations)).pipe(
  Layer.provideMerge(PgClient.layer({ url: Redacted.make(process.env["DATABASE_URL"] ?? ""), max: 16 }))
)
const secrets = Layer.succeed(
  SecretBox,
  SecretBox.of({ seal: (plain) => Effect.succeed(plain), open: (sealed) => Effect.succeed(sealed) })
)
const queues = Layer.mergeAll(Ports.DeliveryQueue, Ports.EventLog, Ports.EndpointRepository).pipe(
  Layer.provideMerge(WorkNotifier.layer),
  Layer.provideMerge(database)
)
const dispatcher = WebhookDispatcher.layer().pipe(
  Layer.provide([WebhookSender.layer({ allowInsecure: true }), secrets, NodeCryptography.layer])
)

await Effect.runPromise(
  Effect.scoped(bench).pipe(Effect.provide(dispatcher.pipe(Layer.provideMerge(queues))))
)
