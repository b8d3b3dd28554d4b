import { PgClient } from "@effect/sql-pg"
import {
  BookingRepository,
  BusinessId,
  defaultFlightSettings,
  DeliveryId,
  EndpointId,
  FlightRepository,
  ImportRepository,
  MonthlyRunRepository,
  NoticeRepository,
  QuoteRepository,
  ReminderRepository,
  SeatSubscriptionRepository
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { isPerNode } from "../../../scripts/statements/Certification.ts"
import { nameOf, readRecord } from "../../../scripts/statements/Record.ts"
import { TestDatabase } from "../../../test/support/TestDatabase.ts"
import { tables } from "../src/migrations/Tables.ts"
import { makeClient, makePool } from "../src/sql/connections/ConnectionPool.ts"
import * as DueInPlace from "../src/DueInPlace.ts"
import { onShards, shardCompiler } from "../src/sql/places/ShardNames.ts"
import { contentStatement } from "../src/webhooks/ClaimContent.ts"
import { readBacklog } from "../src/webhooks/DeliveryQueuePg.ts"
import { readLag } from "../src/webhooks/EventPositionsPg.ts"
import { TestPersistence } from "./support/TestPersistence.ts"

/** The names of shards, as a node has them. */
const names = new Map(
  tables
    .filter(({ kind }) => kind !== "platform")
    .flatMap(({ history, name }) => [name, ...(history === undefined ? [] : [history])])
    .map((name, index) => [name, `${name}_${102_008 + index}`])
)

/** A compiler that adds the text of each statement to `written`. */
const writing = (compiler: Statement.Compiler, written: Array<string>): Statement.Compiler => ({
  dialect: compiler.dialect,
  compile: (statement, withoutTransform) => {
    const compiled = compiler.compile(statement, withoutTransform)
    written.push(compiled[0])
    return compiled
  },
  get withoutTransform() {
    return writing(compiler.withoutTransform, written)
  }
})

/**
 * The client of a place, on a database that has its tables under the names of shards and no other. It adds its statements to
 * `written`, with the plain names.
 */
const clientOfPlace = Effect.fnUntraced(function* (written: Array<string>) {
  const { url } = yield* TestDatabase.create
  const pool = yield* makePool({ url, acquireTimeout: "1 minute" })
  const plain = yield* makeClient(() => pool)
  for (const { history, name } of tables)
    for (const table of history === undefined ? [name] : [name, history])
      yield* plain.unsafe(`ALTER TABLE ${table} RENAME TO ${names.get(table) ?? `${table}_elsewhere`}`)
        .unprepared
  return yield* makeClient(
    () => pool,
    shardCompiler(writing(PgClient.makeCompiler(), written), () => names)
  )
})

const Due = Layer.mergeAll(
  DueInPlace.bookings,
  DueInPlace.flights,
  DueInPlace.imports,
  DueInPlace.monthlyRuns,
  DueInPlace.notices,
  DueInPlace.quotes,
  DueInPlace.reminders,
  DueInPlace.seats
)

layer(TestPersistence, { excludeTestServices: true })("what is due in a place", (it) => {
  it.effect("is read from the tables of its node alone, and the rest from the whole database", () =>
    Effect.gen(function* () {
      const written: Array<string> = []
      const place = yield* clientOfPlace(written)
      yield* place`INSERT INTO businesses
        (business_id, business_name, business_email, vendor_slug, subscription_plan_id, created_at, updated_at)
        OVERRIDING SYSTEM VALUE VALUES (7, 'Ada Cars', 'ada@example.org', 'ada', 1, now(), now())`
      yield* place`INSERT INTO flight_settings (business_id, enabled, settings) VALUES (7, true, ${JSON.stringify({ ...defaultFlightSettings, enabled: true })})`
      const now = yield* DateTime.now
      yield* Effect.gen(function* () {
        const flights = yield* FlightRepository
        const following = yield* flights.businesses(null, 10)
        assert.deepStrictEqual(
          following.map(({ acting }) => acting.business_id),
          [7]
        )
        const imports = yield* ImportRepository
        const runs = yield* MonthlyRunRepository
        const notices = yield* NoticeRepository
        const read = yield* Effect.all([
          (yield* BookingRepository).due(now, 10),
          imports.unfinished(10),
          runs.waiting("raise", null, 10),
          runs.waiting("send", null, 10),
          notices.due(now, 10),
          notices.dueReminders(now, 10),
          (yield* ReminderRepository).businesses(null, 10),
          (yield* SeatSubscriptionRepository).due(now, 10)
        ])
        assert.deepStrictEqual(read.flat(), [])
        yield* imports.removeLines(now)
        assert.deepStrictEqual(yield* readBacklog(place), { due: 0, oldestDueSeconds: 0 })
        assert.deepStrictEqual(yield* readLag(place), { events: 0, oldestSeconds: 0 })
        assert.strictEqual(yield* (yield* QuoteRepository).expireDue(now, 10), 0)
        // A method that is not about what is due.
        assert.isFalse(yield* notices.isStopped(BusinessId.make(7), "none"))
        const claimed = {
          kind: "claimed" as const,
          business_id: BusinessId.make(7),
          endpoint_id: EndpointId.make(1),
          delivery_id: DeliveryId.make(1),
          event_id: "none",
          attempt: 1,
          age_ms: 0
        }
        assert.deepStrictEqual(yield* contentStatement(place, [claimed]), [])
        // What is exempted from the certification because nodes run it, beside the statements that need the place of a row.
        const names = written.map((text) => nameOf(text.replaceAll(/\s+/gu, " ").trim()))
        const exempted = readRecord().filter((entry) => isPerNode(entry) && !/\bctid\b/u.test(entry.text))
        assert.includeMembers(
          names,
          exempted.map(({ name }) => name)
        )
      }).pipe(Effect.provide(Layer.fresh(Due).pipe(Layer.provide(Layer.succeed(SqlClient.SqlClient, place)))))
    }).pipe(Effect.scoped)
  )
})

layer(Layer.empty)("a statement for shards", (it) => {
  it.effect("has their names where it names a table, and nowhere else", () =>
    Effect.sync(() => {
      const shards = new Map([
        ["events", "events_102040"],
        ["trips", "trips_102041"]
      ])
      assert.strictEqual(
        onShards(
          "WITH events_before AS (SELECT e.events FROM events e JOIN\n  trips USING (business_id)) UPDATE events SET trips = 'events' " +
            "FROM events_before; INSERT INTO trips SELECT FROM users FOR UPDATE",
          shards
        ),
        "WITH events_before AS (SELECT e.events FROM events_102040 e JOIN\n  trips_102041 AS trips USING (business_id)) UPDATE events_102040 " +
          "SET trips = 'events' FROM events_before; INSERT INTO trips_102041 SELECT FROM users FOR UPDATE"
      )
    })
  )
})
