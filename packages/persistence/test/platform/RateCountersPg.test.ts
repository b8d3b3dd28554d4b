import { RateCounters, RateStore } from "@livery/domain"
import { PgClient, RateCountersPg } from "@livery/persistence"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer, type Redacted, Schedule } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import { eventuallyHolds } from "../../../../test/support/Eventually.ts"
import { rateCountersContract, rateStoreContract } from "../../../../test/support/RateCountersContract.ts"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"

/** A node: its own client of the database. */
const node = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const built = yield* Layer.build(
    Layer.fresh(
      Layer.mergeAll(RateCountersPg.layer, RateCountersPg.store).pipe(
        Layer.provideMerge(PgClient.layer({ url }))
      )
    )
  )
  return yield* Effect.all({ counters: RateCounters, store: RateStore, sql: SqlClient.SqlClient }).pipe(
    Effect.provideContext(built)
  )
})

/** That many nodes on one database. */
const nodes = Effect.fnUntraced(function* (count: number) {
  const { url } = yield* TestDatabase.create
  return yield* Effect.forEach(Array.from({ length: count }), () => node(url))
})

const oneNode = Effect.flatMap(TestDatabase.create, ({ url }) => node(url))

describe("counters in PostgreSQL", () => {
  // The clock of the test stands still, so that no request is counted in memory however slow the database is.
  it.effect("are exact on a node", () =>
    Effect.flatMap(oneNode, ({ counters }) => rateCountersContract.exact("busy", counters))
  )

  it.live("give two nodes blocks that do not overlap and leave no gap", () =>
    Effect.flatMap(nodes(2), (all) =>
      rateStoreContract.disjoint(
        "busy",
        all.map(({ store }) => store)
      )
    )
  )

  it.live("take several keys in one statement, without a deadlock whatever their order", () =>
    Effect.flatMap(nodes(2), (all) =>
      Effect.gen(function* () {
        const [one, other] = all
        if (one === undefined || other === undefined) return assert.fail("no nodes")
        yield* rateStoreContract.together("several", one.store)
        const demands = Array.from({ length: 50 }, (_, index) => ({ key: `key ${index}`, count: 1 }))
        const taken = yield* Effect.all(
          Array.from({ length: 20 }, (_, index) =>
            index % 2 === 0 ? one.store.take(demands) : other.store.take(demands.toReversed())
          ),
          { concurrency: "unbounded" }
        )
        const windows = Map.groupBy(taken, ({ resetsAt }) => resetsAt)
        for (const window of windows.values())
          assert.strictEqual(Math.max(...window.flatMap(({ used }) => used)), window.length)
      })
    )
  )

  it.live("end their windows with the minute of the database's clock", () =>
    Effect.gen(function* () {
      const { counters, sql } = yield* oneNode
      const [row] = yield* sql`SELECT extract(epoch FROM clock_timestamp())::float8 AS now`
      yield* rateCountersContract.ends("any", counters, Number(row?.["now"]))
    })
  )

  it.live("keep keys apart", () =>
    Effect.flatMap(oneNode, ({ counters }) => rateCountersContract.apart("one", counters))
  )

  it.effect("of past minutes are removed once a minute, and current ones stay", () =>
    Effect.gen(function* () {
      const { counters, sql } = yield* oneNode
      yield* counters.count("now", 9)
      yield* sql`INSERT INTO rate_counters (window_no, key, used) VALUES (1, 'long ago', 600)`
      const left = Effect.map(sql`SELECT key FROM rate_counters`, (rows) => rows.map(({ key }) => key))
      assert.sameMembers(yield* left, ["now", "long ago"])
      yield* TestClock.adjust("1 minute")
      // The removal runs in the background.
      yield* eventuallyHolds(Effect.map(left, (keys) => keys.length < 2))
      assert.deepStrictEqual(yield* left, ["now"])
    })
  )

  it.effect("of past minutes are one range of the index when they are removed", () =>
    Effect.gen(function* () {
      const { sql } = yield* oneNode
      const removal = yield* Deferred.make<Statement.Statement<unknown>>()
      yield* Layer.build(Layer.fresh(RateCountersPg.store)).pipe(
        Effect.provideService(SqlClient.SqlClient, sql),
        Effect.provideService(Statement.CurrentTransformer, (statement) =>
          Effect.as(Deferred.succeed(removal, statement), statement)
        )
      )
      yield* TestClock.adjust("1 minute")
      const statement = yield* Deferred.await(removal)
      const plan = yield* Effect.andThen(
        sql`SET LOCAL enable_seqscan = off`.unprepared,
        sql<{ "QUERY PLAN": string }>`EXPLAIN ${statement}`
      ).pipe(sql.withTransaction)
      assert.match(plan.map((row) => row["QUERY PLAN"]).join("\n"), /Index Cond: \(window_no < /u)
    })
  )

  it.live(
    "whose table fails or does not respond delay no request for long, and are used again afterwards",
    () =>
      Effect.gen(function* () {
        const [one, other] = yield* nodes(2)
        if (one === undefined || other === undefined) return assert.fail("no nodes")
        yield* one.sql`ALTER TABLE rate_counters RENAME TO elsewhere`
        assert.strictEqual((yield* Effect.flip(one.store.take([])))._tag, "CountersUnavailable")
        assert.strictEqual((yield* one.counters.count("any", 9)).used, 1)
        yield* one.sql`ALTER TABLE elsewhere RENAME TO rate_counters`
        // A lock that is not granted has the effect of a database that does not respond.
        yield* other.sql.withTransaction(
          Effect.gen(function* () {
            yield* other.sql`LOCK TABLE rate_counters`
            assert.strictEqual((yield* one.counters.count("other", 9)).used, 1)
          })
        )
        const stored = Effect.map(
          other.sql`SELECT sum(used)::int AS used FROM rate_counters WHERE key IN ('any', 'other')`,
          ([row]) => Number(row?.["used"])
        )
        // The counts in memory are written in the background: poll until they are, unless the minute ended meanwhile.
        yield* Effect.repeat(stored, {
          until: (used) => used >= 1,
          schedule: Schedule.spaced("20 millis"),
          times: 500
        })
      })
  )
})
