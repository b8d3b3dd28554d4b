import { type BusinessId, EventHistory, EventLog } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Client } from "pg"
import { inject } from "vitest"
import { addressWithin } from "../../../../test/support/TestDatabase.ts"
import { alone, newBusiness } from "./Scenario.ts"

const Body = Schema.fromJsonString(Schema.Struct({ record: Schema.String, change: Schema.Int }))
type Body = typeof Body.Type

let events = 0
const record = Effect.fnUntraced(function* (businessId: BusinessId, body: Body) {
  const log = yield* EventLog
  const eventId = `evt_${(events++).toString(16)}`
  yield* log.record({ eventId, businessId, type: "trip.updated", body: JSON.stringify(body) })
})

/** Assigns the transaction's number, as a change does that writes or locks another row before. */
const numbered = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT pg_current_xact_id()`)

/** Records that are changed as trips are. */
const records = (...names: ReadonlyArray<string>) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`CREATE TABLE records AS SELECT unnest(${names}::text[]) AS record, 0 AS changes`
  )

/** Changes a record with its row locked, and records an event with the number of the change. */
const change = Effect.fnUntraced(function* (business: BusinessId, name: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ changes: number }>`
    UPDATE records SET changes = changes + 1 WHERE record = ${name} RETURNING changes`
  yield* record(business, { record: name, change: row?.changes ?? 0 })
})

/** A reader that continues from its cursor. `read` returns all events that it has read so far. */
const follow = (business: BusinessId, limit = 3) => {
  const seen: Array<Body> = []
  let cursor: string | undefined
  const read = Effect.gen(function* () {
    const history = yield* EventHistory
    for (;;) {
      const page = yield* Effect.orDie(Effect.fromOption(yield* history.after(business, cursor, limit)))
      seen.push(...page.bodies.map((body) => Schema.decodeSync(Body)(body)))
      cursor = page.cursor
      if (!page.hasMore) return seen
    }
  })
  /** Reads until that many events have come. */
  const until = (count: number) =>
    read.pipe(
      Effect.filterOrFail(({ length }) => length >= count),
      Effect.retry(Schedule.spaced("5 millis").pipe(Schedule.upTo({ times: 2_000 }))),
      Effect.orDie
    )
  return { read, until }
}

it.live("a change that began first and waited for the record comes after the change that it waited for", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const business = yield* newBusiness
    yield* records("trip")
    const [begun, held] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const early = yield* Effect.forkChild(
      Effect.gen(function* () {
        yield* numbered
        yield* Deferred.succeed(begun, undefined)
        yield* Deferred.await(held)
        yield* change(business, "trip")
      }).pipe(sql.withTransaction)
    )
    yield* Deferred.await(begun)
    yield* Effect.gen(function* () {
      yield* change(business, "trip")
      yield* Deferred.succeed(held, undefined)
    }).pipe(sql.withTransaction)
    yield* Fiber.join(early)
    const seen = yield* follow(business).until(2)
    assert.deepStrictEqual(seen, [
      { record: "trip", change: 1 },
      { record: "trip", change: 2 }
    ])
  }).pipe(alone)
)

const steps = ["begin", "write", "commit"] as const
type Step = readonly [of: string, step: (typeof steps)[number]]

/** All interleavings of the steps of these changes. */
const interleavings = (left: Readonly<Record<string, number>>): ReadonlyArray<ReadonlyArray<Step>> => {
  const open = Object.entries(left).filter(([, done]) => done < steps.length)
  return open.length === 0
    ? [[]]
    : open.flatMap(([name, done]) =>
        interleavings({ ...left, [name]: done + 1 }).map((rest): ReadonlyArray<Step> => {
          const step = steps[done]
          return step === undefined ? rest : [[name, step], ...rest]
        })
      )
}

/** A change in a transaction of its own; `next` runs its next step. */
const stepwise = Effect.fnUntraced(function* (business: BusinessId, name: string) {
  const sql = yield* SqlClient.SqlClient
  const gates = yield* Effect.forEach(steps, () =>
    Effect.all({ open: Deferred.make<void>(), passed: Deferred.make<void>() })
  )
  const pass = (index: number, work: Effect.Effect<unknown, unknown, SqlClient.SqlClient | EventLog>) =>
    Effect.gen(function* () {
      const gate = gates[index]
      if (gate === undefined) return
      yield* Deferred.await(gate.open)
      yield* work
      yield* Deferred.succeed(gate.passed, undefined)
    })
  yield* Effect.forkChild(
    sql
      .withTransaction(
        Effect.gen(function* () {
          yield* pass(0, numbered)
          yield* pass(1, record(business, { record: name, change: 1 }))
          const commit = gates[2]
          if (commit !== undefined) yield* Deferred.await(commit.open)
        })
      )
      .pipe(Effect.andThen(Effect.suspend(() => pass(2, Effect.void))))
  )
  return (step: (typeof steps)[number]) =>
    Effect.gen(function* () {
      const gate = gates[steps.indexOf(step)]
      if (gate === undefined) return
      yield* Deferred.succeed(gate.open, undefined)
      yield* Deferred.await(gate.passed)
    })
})

it.live(
  "with any interleaving of two changes, a reader gets both once, and first the one that was committed before the other was written",
  () =>
    Effect.gen(function* () {
      for (const order of interleavings({ a: 0, b: 0 })) {
        const business = yield* newBusiness
        const reader = follow(business)
        const changes = { a: yield* stepwise(business, "a"), b: yield* stepwise(business, "b") }
        for (const [name, step] of order) {
          yield* changes[name === "a" ? "a" : "b"](step)
          yield* reader.read
        }
        const names = (yield* reader.until(2)).map(({ record }) => record)
        const title = order.map((step) => step.join(" ")).join(", ")
        assert.sameMembers(names, ["a", "b"], title)
        const at = (of: string, step: string) =>
          order.findIndex(([name, taken]) => name === of && taken === step)
        for (const [first, second] of [
          ["a", "b"],
          ["b", "a"]
        ] as const)
          if (at(first, "commit") < at(second, "write")) assert.deepStrictEqual(names, [first, second], title)
      }
    }).pipe(alone)
)

it.live("during the writes of many, a reader gets all events once, those of a record in order", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const business = yield* newBusiness
    const names = ["a", "b", "c"]
    yield* records(...names)
    const [writers, each] = [6, 25]
    const work = (writer: number) =>
      Effect.forEach(
        Array.from({ length: each }, (_, index) => index),
        (index) =>
          Effect.gen(function* () {
            if ((writer + index) % 2 === 0) yield* numbered
            if (writer % 3 === 0) yield* sql`SELECT pg_sleep(${(index % 4) * 0.001})`
            yield* change(business, names[(writer * 7 + index * 5) % names.length] ?? "a")
            if (index % 3 === 0) yield* sql`SELECT pg_sleep(${(writer % 3) * 0.001})`
          }).pipe(sql.withTransaction)
      )
    const writing = yield* Effect.forkChild(
      Effect.forEach(
        Array.from({ length: writers }, (_, index) => index),
        work,
        {
          concurrency: "unbounded"
        }
      )
    )
    const seen = yield* follow(business).until(writers * each)
    yield* Fiber.join(writing)
    assert.lengthOf(seen, writers * each)
    for (const name of names) {
      const changes = seen.filter(({ record }) => record === name).map((event) => event.change)
      assert.deepStrictEqual(
        changes,
        changes.map((_, index) => index + 1)
      )
    }
  }).pipe(alone)
)

/** A transaction on a connection of its own that has written and stays open until the scope closes. */
const openTransaction = Effect.fnUntraced(function* (url: string, statement: string) {
  const client = new Client({ connectionString: url })
  yield* Effect.acquireRelease(
    Effect.promise(() => client.connect()),
    () => Effect.promise(() => client.end())
  )
  yield* Effect.promise(() => client.query(`begin; ${statement}; select pg_current_xact_id()`))
})

describe("an open transaction does not delay the feed", () => {
  const url = () => inject("databaseServer").server
  it.live("of another database of the cluster", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness
      yield* openTransaction(addressWithin(url(), "postgres"), "create temporary table held (a int)")
      yield* record(business, { record: "trip", change: 1 })
      assert.lengthOf(yield* follow(business).read, 1)
    }).pipe(Effect.scoped, alone)
  )

  for (const [title, isOther] of [
    ["of another business that has recorded an event", true],
    ["of the business itself that has recorded an event", false]
  ] as const)
    it.live(title, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const business = yield* newBusiness
        const writer = isOther ? yield* newBusiness : business
        const [written, finish] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const open = yield* Effect.forkChild(
          Effect.gen(function* () {
            yield* record(writer, { record: "slow", change: 1 })
            yield* Deferred.succeed(written, undefined)
            yield* Deferred.await(finish)
          }).pipe(sql.withTransaction)
        )
        yield* Deferred.await(written)
        yield* record(business, { record: "quick", change: 1 })
        const reader = follow(business)
        assert.deepStrictEqual(yield* reader.read, [{ record: "quick", change: 1 }])
        yield* Deferred.succeed(finish, undefined)
        yield* Fiber.join(open)
        assert.lengthOf(yield* reader.read, isOther ? 1 : 2)
      }).pipe(alone)
    )
})

it.live(
  "a reader at the end has read all events that were committed before its request, during other reads and writes",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness
      const others = yield* Effect.all([newBusiness, newBusiness])
      yield* records("a", "b", "c", "d")
      const [writers, each] = [4, 40]
      let committed = 0
      const write = (writer: number) =>
        Effect.forEach(
          Array.from({ length: each }, (_, index) => index),
          (index) =>
            Effect.gen(function* () {
              yield* change(business, ["a", "b", "c", "d"][(writer + index) % 4] ?? "a")
              yield* record(others[index % 2] ?? business, { record: "other", change: index })
            }).pipe(
              sql.withTransaction,
              Effect.tap(() => Effect.sync(() => (committed += 1)))
            )
        )
      const writing = yield* Effect.forkChild(
        Effect.forEach([0, 1, 2, 3], write, { concurrency: "unbounded", discard: true })
      )
      const readAlong = Effect.gen(function* () {
        const reader = follow(business)
        for (;;) {
          const [before, seen] = [committed, yield* reader.read]
          assert.isAtLeast(seen.length, before)
          for (const name of ["a", "b", "c", "d"]) {
            const changes = seen.filter((event) => event.record === name).map((event) => event.change)
            assert.deepStrictEqual(
              changes,
              changes.map((_, index) => index + 1)
            )
          }
          if (before === writers * each) return seen.length
        }
      })
      const counts = yield* Effect.all([readAlong, readAlong, readAlong], { concurrency: "unbounded" })
      yield* Fiber.join(writing)
      assert.deepStrictEqual(counts, [writers * each, writers * each, writers * each])
    }).pipe(alone)
)
