import { RateCounters } from "@livery/domain"
import { PgClient, RateCountersPg } from "@livery/persistence"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { rateCountersContract } from "../../../../test/support/RateCountersContract.ts"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"

/** A node: a client of the database of its own. */
const node = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const built = yield* Layer.build(
    Layer.fresh(RateCountersPg.layer.pipe(Layer.provideMerge(PgClient.layer({ url }))))
  )
  return yield* Effect.all({ counters: RateCounters, sql: SqlClient.SqlClient }).pipe(
    Effect.provideContext(built)
  )
})

/** So many nodes of one database. */
const nodes = Effect.fnUntraced(function* (count: number) {
  const { url } = yield* TestDatabase.create
  return yield* Effect.forEach(Array.from({ length: count }), () => node(url))
})

const oneNode = Effect.flatMap(TestDatabase.create, ({ url }) => node(url))

describe("counters in PostgreSQL", () => {
  it.live("are exact over two nodes", () =>
    Effect.flatMap(nodes(2), (all) =>
      rateCountersContract.exact(
        "busy",
        all.map(({ counters }) => counters)
      )
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
      yield* counters.count("now")
      yield* sql`INSERT INTO rate_counters (window_no, key, used) VALUES (1, 'long ago', 600)`
      const left = Effect.map(sql`SELECT key FROM rate_counters`, (rows) => rows.map(({ key }) => key))
      assert.sameMembers(yield* left, ["now", "long ago"])
      yield* TestClock.adjust("1 minute")
      // The removal runs by itself: look until it has.
      yield* Effect.repeat(left, { until: (keys) => keys.length < 2, times: 500 })
      assert.deepStrictEqual(yield* left, ["now"])
    })
  )

  it.live("that do not respond are reported as such within the timeout", () =>
    Effect.gen(function* () {
      const [one, other] = yield* nodes(2)
      if (one === undefined || other === undefined) return assert.fail("no nodes")
      yield* one.sql`ALTER TABLE rate_counters RENAME TO elsewhere`
      assert.strictEqual((yield* Effect.flip(one.counters.count("any")))._tag, "CountersAway")
      yield* one.sql`ALTER TABLE elsewhere RENAME TO rate_counters`
      yield* one.counters.count("any")
      // A lock that is not given is a database that does not answer.
      yield* other.sql.withTransaction(
        Effect.gen(function* () {
          yield* other.sql`LOCK TABLE rate_counters`
          assert.include((yield* Effect.flip(one.counters.count("any"))).message, "not within 1 second")
        })
      )
      yield* one.counters.count("any")
    })
  )
})
