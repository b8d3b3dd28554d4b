import { type BusinessId, EventHistory, EventLog } from "@livery/domain"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { alone, newBusiness } from "./Scenario.ts"

const Told = Schema.fromJsonString(Schema.Struct({ record: Schema.String, change: Schema.Int }))
type Told = typeof Told.Type

let events = 0
const tell = Effect.fnUntraced(function* (businessId: BusinessId, told: Told) {
  const log = yield* EventLog
  const eventId = `evt_${(events++).toString(16)}`
  yield* log.record({ eventId, businessId, type: "trip.updated", body: JSON.stringify(told) })
})

/** Gives the transaction its number, as a change does that writes or locks something else first. */
const numbered = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT pg_current_xact_id()`)

/** Some records that can be changed, as trips can. */
const records = (...names: ReadonlyArray<string>) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`CREATE TABLE records AS SELECT unnest(${names}::text[]) AS record, 0 AS changes`
  )

/** Changes a record with its row locked, and tells which of its changes this is. */
const change = Effect.fnUntraced(function* (business: BusinessId, record: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ changes: number }>`
    UPDATE records SET changes = changes + 1 WHERE record = ${record} RETURNING changes`
  yield* tell(business, { record, change: row?.changes ?? 0 })
})

/** A reader who goes on from its cursor. `seen` is all that it was told so far. */
const follow = (business: BusinessId, limit = 3) => {
  const seen: Array<Told> = []
  let cursor: string | undefined
  const read = Effect.gen(function* () {
    const history = yield* EventHistory
    for (;;) {
      const stretch = yield* Effect.orDie(Effect.fromOption(yield* history.after(business, cursor, limit)))
      seen.push(...stretch.bodies.map((body) => Schema.decodeSync(Told)(body)))
      cursor = stretch.cursor
      if (!stretch.hasMore) return seen
    }
  })
  /** Until so many are told: whatever runs elsewhere in the cluster may hold them back for a moment. */
  const until = (count: number) =>
    read.pipe(
      Effect.filterOrFail(({ length }) => length >= count),
      Effect.retry(Schedule.spaced("5 millis").pipe(Schedule.upTo({ times: 2_000 }))),
      Effect.orDie
    )
  return { read, until }
}

it.live("a change that began first and waited for the record comes behind the one it waited for", () =>
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

/** Every order in which the steps of these changes can follow one another. */
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

/** A change in a transaction of its own, taken one step at a time by `next`. */
const stepwise = Effect.fnUntraced(function* (business: BusinessId, record: string) {
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
          yield* pass(1, tell(business, { record, change: 1 }))
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
  "however two changes begin, write and commit, a reader is told both once, and what was over before first",
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
        const told = (yield* reader.until(2)).map(({ record }) => record)
        const title = order.map((step) => step.join(" ")).join(", ")
        assert.sameMembers(told, ["a", "b"], title)
        const at = (of: string, step: string) =>
          order.findIndex(([name, taken]) => name === of && taken === step)
        for (const [first, second] of [
          ["a", "b"],
          ["b", "a"]
        ] as const)
          if (at(first, "commit") < at(second, "write")) assert.deepStrictEqual(told, [first, second], title)
      }
    }).pipe(alone)
)

it.live("beside many writers a reader is told all, each once, those of a record as it changed", () =>
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
      const changes = seen.filter(({ record }) => record === name).map((told) => told.change)
      assert.deepStrictEqual(
        changes,
        changes.map((_, index) => index + 1)
      )
    }
  }).pipe(alone)
)
