import {
  AuditHistory,
  AuditLog,
  DeliveryId,
  DriverLocationRepository,
  EventHistory,
  EventLog,
  type BusinessId
} from "@livery/domain"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { makeAssign } from "../../src/webhooks/EventPositionsPg.ts"
import { makeBusinessTables } from "../../src/platform/BusinessTables.ts"
import { growingTables, sweepTable, type GrowingTable } from "../../src/platform/Generations.ts"
import { measured, newJob, report } from "../driving/StoredJobs.ts"
import { newBusiness as newBusinessOf, TestPersistence } from "../support/TestPersistence.ts"
import {
  abandoned,
  acknowledged,
  alone,
  claim,
  claimOne,
  emit,
  newBusiness,
  newEndpoint,
  passTime,
  prepared
} from "../webhooks/Scenario.ts"

const { audit, deliveries, events, positions } = growingTables

/** Lets a table's generations become older. */
const age = Effect.fnUntraced(function* ({ table }: GrowingTable, days: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    UPDATE table_generations SET started_at = started_at - make_interval(days => ${days}),
      ended_at = ended_at - make_interval(days => ${days}) WHERE table_name = ${table}`
})

/** Ends the current generation of a table, whose period is 30 days. */
const rotate = Effect.fnUntraced(function* (growing: GrowingTable) {
  yield* age(growing, 8)
  assert.strictEqual(yield* sweepTable(growing, 30), 0)
})

/** Lets the period of all ended generations pass, and drops them. */
const drop = Effect.fnUntraced(function* (growing: GrowingTable) {
  yield* age(growing, 31)
  return yield* sweepTable(growing, 30)
})

const countOf = Effect.fnUntraced(function* (table: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql.unsafe<{ generation: number }>(`SELECT generation FROM ${table}`)
  return rows.length
})

const emitOne = Effect.fnUntraced(function* (businessId: BusinessId, eventId: string) {
  const log = yield* EventLog
  yield* log.record({ eventId, businessId, type: "trip.created", body: JSON.stringify({ id: eventId }) })
})

const bodyOf = (eventId: string) => JSON.stringify({ id: eventId })

const readOn = Effect.fnUntraced(function* (business: BusinessId, from?: string) {
  const history = yield* EventHistory
  const bodies: Array<string> = []
  let cursor = from
  for (;;) {
    const page = Option.getOrThrow(yield* history.after(business, cursor, 3))
    bodies.push(...page.bodies)
    cursor = page.cursor
    if (!page.hasMore) return { bodies, cursor }
  }
})

describe("a new generation of deliveries", () => {
  it.live("has those that are pending or claimed, and the others stay listed", () =>
    Effect.gen(function* () {
      const { business, listed, queue } = yield* prepared
      yield* emit(business)
      yield* queue.record([acknowledged(yield* claimOne)])
      yield* emit(business)
      yield* queue.record([abandoned(yield* claimOne)])
      yield* emit(business)
      const claimed = yield* claimOne
      yield* emit(business)
      const before = yield* listed
      yield* rotate(deliveries)
      assert.strictEqual(yield* countOf("webhook_deliveries"), 2)
      assert.deepStrictEqual(yield* listed, before)
      assert.deepStrictEqual(
        before.map(({ status }) => status),
        ["pending", "pending", "failed", "delivered"]
      )
      assert.deepStrictEqual(yield* queue.record([acknowledged(claimed)]), ["delivered"])
      assert.deepStrictEqual(yield* queue.record([acknowledged(yield* claimOne)]), ["delivered"])
    }).pipe(alone)
  )

  it.live("has the same indexes, keys, defaults and storage parameters", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness
      yield* newEndpoint(business)
      yield* emit(business)
      const shape = Effect.gen(function* () {
        const indexes = yield* sql`
          SELECT indexname, indexdef FROM pg_indexes WHERE tablename IN ('webhook_deliveries', 'events') ORDER BY 1`
        const constraints = yield* sql`
          SELECT conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint
          WHERE conrelid IN ('webhook_deliveries'::regclass, 'events'::regclass) AND contype <> 'n' ORDER BY 1, 2`
        const columns = yield* sql`
          SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
          WHERE table_name IN ('webhook_deliveries', 'events') AND column_name <> 'generation' ORDER BY 1, 2`
        const storage = yield* sql`
          SELECT relname, reloptions FROM pg_class
          WHERE oid IN ('webhook_deliveries'::regclass, 'events'::regclass) ORDER BY 1`
        return { indexes, constraints, columns, storage }
      })
      const first = yield* shape
      yield* rotate(deliveries)
      yield* rotate(events)
      assert.deepStrictEqual(yield* shape, first)
      assert.isAbove(first.indexes.length, 5)
    }).pipe(alone)
  )

  it.live("is all that writers and dispatchers read", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { business, queue } = yield* prepared
      yield* emit(business, 10)
      yield* queue.record((yield* claim()).map(acknowledged))
      yield* readOn(business)
      yield* rotate(deliveries)
      yield* rotate(events)
      yield* emit(business)
      yield* queue.record((yield* claim()).map(acknowledged))
      yield* makeAssign(sql)
      const work = Effect.gen(function* () {
        yield* emit(business, 10)
        yield* queue.record((yield* claim()).map(acknowledged))
        yield* makeAssign(sql)
      })
      const scans = Effect.map(
        sql<{ scans: number }>`
          SELECT sum(seq_scan + coalesce(idx_scan, 0))::int AS scans FROM pg_stat_xact_user_tables
          WHERE relname IN ('events_1', 'webhook_deliveries_1')`,
        ([row]) => row?.scans ?? 0
      )
      const [before, after] = yield* sql.withTransaction(Effect.all([scans, Effect.andThen(work, scans)]))
      assert.strictEqual(after - before, 0)
      assert.lengthOf((yield* readOn(business)).bodies, 21)
    }).pipe(alone)
  )

  it.live("begins only if the last one has rows and is old enough", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      const generations = countOf("table_generations WHERE table_name = 'webhook_deliveries'")
      yield* rotate(deliveries)
      assert.strictEqual(yield* generations, 1)
      yield* emit(business)
      yield* rotate(deliveries)
      yield* sweepTable(deliveries, 30)
      assert.strictEqual(yield* generations, 2)
    }).pipe(alone)
  )
})

describe("the conditions that are evaluated under an exclusive lock", () => {
  it.live("read no whole generation", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const all: ReadonlyArray<GrowingTable> = Object.values(growingTables)
      const statements = all.flatMap(({ isLive, isNeeded, table }) => [
        ...(isLive === undefined
          ? []
          : [`SELECT FROM ${table} WHERE ${isLive}`, `DELETE FROM ${table} WHERE ${isLive}`]),
        ...(isNeeded === undefined ? [] : [`SELECT ${isNeeded(table)}`])
      ])
      assert.lengthOf(statements, 5)
      yield* Effect.gen(function* () {
        yield* sql`SET LOCAL enable_seqscan = off`.unprepared
        for (const statement of statements) {
          const plan = yield* sql.unsafe<{ "QUERY PLAN": string }>(`EXPLAIN ${statement}`).unprepared
          const text = plan.map((row) => row["QUERY PLAN"]).join("\n")
          assert.notInclude(text, "Seq Scan", statement)
        }
      }).pipe(sql.withTransaction)
    }).pipe(alone)
  )
})

describe("an export of a business", () => {
  it.live("has no table with generations", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      yield* emit(business)
      yield* rotate(deliveries)
      yield* rotate(events)
      const { tables } = yield* (yield* makeBusinessTables).shape(true)
      const names = tables.map(({ table }) => table)
      assert.include(names, "trips")
      for (const { history, table } of Object.values(growingTables))
        assert.isEmpty(names.filter((name) => name === history || name.startsWith(table)))
    }).pipe(alone)
  )
})

describe("the period of deliveries", () => {
  it.live("drops the ended ones, and never a pending one", () =>
    Effect.gen(function* () {
      const { business, listed, queue } = yield* prepared
      yield* emit(business)
      yield* queue.record([acknowledged(yield* claimOne)])
      yield* emit(business)
      yield* rotate(deliveries)
      assert.strictEqual(yield* drop(deliveries), 1)
      assert.deepStrictEqual(
        (yield* listed).map(({ status }) => status),
        ["pending"]
      )
      assert.deepStrictEqual(yield* queue.record([acknowledged(yield* claimOne)]), ["delivered"])
    }).pipe(alone)
  )

  it.live("lets a failed delivery of an older generation be sent again while its event is retained", () =>
    Effect.gen(function* () {
      const { business, deliveries: repository, listed, queue } = yield* prepared
      yield* emit(business)
      yield* queue.record([abandoned(yield* claimOne)])
      const delivery_id = DeliveryId.make((yield* listed)[0]?.delivery_id ?? 0)
      yield* readOn(business)
      yield* rotate(deliveries)
      yield* rotate(events)
      assert.isTrue(Option.isSome(yield* repository.sendAgain(business, delivery_id)))
      assert.lengthOf(yield* claim(), 1)
      yield* passTime
      // The pending delivery keeps the generation of its event.
      assert.strictEqual(yield* drop(events), 0)
      yield* queue.record((yield* claim()).map(abandoned))
      yield* passTime
      yield* queue.record((yield* claim()).map(abandoned))
      assert.strictEqual(yield* drop(events), 1)
      assert.isTrue(Option.isNone(yield* repository.sendAgain(business, delivery_id)))
    }).pipe(alone)
  )
})

describe("the feed of events", () => {
  it.live("is the same across generations, for concurrent writers and readers", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness
      yield* newEndpoint(business)
      const writer = (name: string) =>
        Effect.forEach(
          Array.from({ length: 15 }, (_, index) => `evt_${name}_${String(index).padStart(2, "0")}`),
          (id) => emitOne(business, id)
        )
      const rotating = Effect.gen(function* () {
        for (let round = 0; round < 4; round++) {
          // A lock that is not granted in time is tried again later.
          yield* Effect.ignoreCause(rotate(events))
          yield* Effect.ignoreCause(rotate(deliveries))
          yield* readOn(business)
        }
      })
      yield* Effect.all([writer("a"), writer("b"), writer("c"), rotating], { concurrency: "unbounded" })
      const { bodies } = yield* readOn(business)
      assert.lengthOf(bodies, 45)
      assert.lengthOf(new Set(bodies), 45)
      for (const name of ["a", "b", "c"]) {
        const own = bodies.filter((body) => body.includes(`evt_${name}_`))
        assert.deepStrictEqual(own, own.toSorted())
      }
      assert.isAbove(yield* countOf("table_generations WHERE table_name = 'events'"), 1)
      assert.lengthOf(yield* claim(100, 100), 45)
    }).pipe(alone)
  )

  it.live("continues after the last event of the older generation", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness
      yield* emitOne(business, "evt_1")
      const { cursor } = yield* readOn(business)
      yield* rotate(events)
      const history = yield* EventHistory
      assert.strictEqual(yield* history.end(business), cursor)
      yield* emitOne(business, "evt_2")
      assert.deepStrictEqual((yield* readOn(business, cursor)).bodies, [bodyOf("evt_2")])
      assert.deepStrictEqual((yield* readOn(business)).bodies, [bodyOf("evt_1"), bodyOf("evt_2")])
    }).pipe(alone)
  )

  it.live("refuses a cursor whose next event was dropped, and names the oldest that is retained", () =>
    Effect.gen(function* () {
      const history = yield* EventHistory
      const business = yield* newBusiness
      const start = yield* history.end(business)
      yield* emitOne(business, "evt_1")
      const { cursor } = yield* readOn(business)
      yield* rotate(events)
      assert.strictEqual(yield* drop(events), 1)
      const none = yield* Effect.flip(history.after(business, start, 10))
      assert.deepStrictEqual([none.oldest, none.cursor], [null, cursor])
      assert.strictEqual(yield* history.end(business), cursor)
      yield* emitOne(business, "evt_2")
      yield* emitOne(business, "evt_3")
      const rest = [bodyOf("evt_2"), bodyOf("evt_3")]
      assert.deepStrictEqual((yield* readOn(business, cursor)).bodies, rest)
      assert.deepStrictEqual((yield* readOn(business)).bodies, rest)
      const refused = yield* Effect.flip(history.after(business, start, 10))
      assert.deepStrictEqual([refused.oldest, refused.cursor], ["evt_2", cursor])
      assert.include(refused.message, `evt_2, with after=${cursor}`)
    }).pipe(alone)
  )
})

layer(TestPersistence)("reported positions and audit entries", (it) => {
  it.effect("are dropped after their period, the last position of an assignment with its last report", () =>
    Effect.gen(function* () {
      const { record } = yield* DriverLocationRepository
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusinessOf()
      const [old, mixed] = [yield* newJob(business), yield* newJob(business)]
      yield* record([old, mixed].map((job) => report(job, [measured(1)])))
      yield* rotate(positions)
      yield* sql`UPDATE driver_positions SET received_at = received_at - interval '32 days'`
      yield* record([report(mixed, [measured(2)])])
      assert.strictEqual(yield* drop(positions), 1)
      const left = (table: string) =>
        Effect.map(
          sql.unsafe<{ assignment_id: number }>(
            `SELECT assignment_id FROM ${table} WHERE business_id = ${business}`
          ),
          (rows) => rows.map(({ assignment_id }) => assignment_id)
        )
      assert.deepStrictEqual(yield* left("driver_trail_history"), [mixed.assignmentId])
      assert.deepStrictEqual(yield* left("driver_positions"), [mixed.assignmentId])
    })
  )

  it.effect("of the log are listed across generations, the newest first", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const history = yield* AuditHistory
      const record = (subject: string) => log.record({ actor: "test", action: "aged", subject })
      const listed = Effect.map(
        history.list({ action: "aged" }, { page: 1, perPage: 20 }),
        ({ items, total }) => [total, items.map(({ subject }) => subject)] as const
      )
      yield* record("one")
      yield* rotate(audit)
      yield* record("two")
      assert.deepStrictEqual(yield* listed, [2, ["two", "one"]])
      assert.strictEqual(yield* drop(audit), 1)
      assert.deepStrictEqual(yield* listed, [1, ["two"]])
    })
  )
})
