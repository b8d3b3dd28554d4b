import type { BusinessId } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Schedule, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { makeKeyedRead } from "../../src/sql/lists/KeyedReads.ts"
import { client, Database, withClient } from "./Database.ts"

const Live = client({ applicationName: "observer" }).pipe(Layer.provideMerge(Database.layer))

const [one, other] = [1, 2] as [BusinessId, BusinessId]

/** The lock that every read waits for. */
const lock = 7

interface Row {
  readonly id: number
  readonly name: string
  readonly statement: string
  readonly text: string
}

/** Records of two businesses. Each row names the statement that read it, and is completed by `complete`. */
const makeCompletedThings = Effect.fnUntraced(function* (complete: (row: object) => object) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP TABLE IF EXISTS things`
  yield* sql`CREATE TABLE things (business_id bigint, id bigint, name text, PRIMARY KEY (business_id, id))`
  yield* sql`INSERT INTO things SELECT b, n, b || '/' || n FROM generate_series(1, 2) b, generate_series(1, 40) n`
  const read = makeKeyedRead<number>(sql, {
    statement: (businessId, ids) => sql`
      SELECT id, name, pg_backend_pid() || ' ' || statement_timestamp() AS statement, current_query() AS text,
        1 / (id - 40) AS fails_for_40
      FROM (SELECT pg_advisory_xact_lock_shared(${lock})) l, things
      WHERE business_id = ${businessId} AND id ${ids}`,
    idOf: (row) => (row as Row).id,
    complete: Effect.map((rows) => rows.map(complete))
  })
  return (businessId: BusinessId, id: number) =>
    Effect.map(read(businessId, id), ([row]) => row as Row | undefined)
})

const makeThings = makeCompletedThings((row) => row)

const together = <A, E>(reads: ReadonlyArray<Effect.Effect<A, E>>) =>
  Effect.all(reads, { concurrency: "unbounded" })

/** The results of `reads`, which begin right after another one: that one runs alone. */
const togetherAfter = <A, B, E>(first: Effect.Effect<B, E>, reads: ReadonlyArray<Effect.Effect<A, E>>) =>
  Effect.map(Effect.all([first, together(reads)], { concurrency: 2 }), ([, others]) => others)

const statementsOf = (rows: ReadonlyArray<Row | undefined>) => new Set(rows.map((row) => row?.statement)).size

const poll = Schedule.max([Schedule.spaced("10 millis"), Schedule.recurs(5000)])

/** Waits until that many statements of the pool `name` wait for the lock. */
const awaitWaiting = (observer: SqlClient.SqlClient, name: string, count: number) =>
  observer`SELECT FROM pg_stat_activity WHERE application_name = ${name} AND wait_event = 'advisory'`.pipe(
    Effect.filterOrFail(
      ({ length }) => length === count,
      ({ length }) => `${length} statements wait, not ${count}`
    ),
    Effect.retry(poll)
  )

/** Runs `body` while another session holds the lock; `body` may release it. */
const whileLocked = <A, E, R>(
  observer: SqlClient.SqlClient,
  body: (release: Effect.Effect<void>) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const [held, released] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const holder = observer.withTransaction(
      observer`SELECT pg_advisory_xact_lock(${lock})`.pipe(
        Effect.andThen(Deferred.succeed(held, undefined)),
        Effect.andThen(Deferred.await(released))
      )
    )
    const fiber = yield* Effect.forkChild(holder)
    yield* Deferred.await(held)
    const release = Effect.asVoid(Deferred.succeed(released, undefined))
    const result = yield* body(release)
    yield* release
    yield* Fiber.join(fiber)
    return result
  })

layer(Live, { excludeTestServices: true })("reads by id", (it) => {
  it.effect(
    "that begin together while one is under way share statements of at most eight; each gets its own row",
    () =>
      Effect.gen(function* () {
        const read = yield* makeThings
        const ids = [...Array.from({ length: 18 }, (_, at) => at + 1), 5, 99]
        const rows = yield* togetherAfter(
          read(one, 30),
          ids.map((id) => read(one, id))
        )
        assert.deepStrictEqual(
          rows.map((row) => row?.name),
          [...ids.slice(0, 18).map((id) => `1/${id}`), "1/5", undefined]
        )
        assert.strictEqual(statementsOf(rows.filter((row) => row !== undefined)), 3)
      }).pipe(withClient())
  )

  it.effect("that are alone run a statement for one row", () =>
    Effect.gen(function* () {
      const read = yield* makeThings
      const [first, second] = [yield* read(one, 1), yield* read(one, 2)]
      assert.deepStrictEqual([first?.name, second?.name], ["1/1", "1/2"])
      assert.include(first?.text, "AND id = $")
      assert.strictEqual(statementsOf([first, second]), 2)
    }).pipe(withClient())
  )

  it.effect("have their rows completed, alone and in a shared statement", () =>
    Effect.gen(function* () {
      const read = yield* makeCompletedThings((row) => ({ ...row, name: `complete ${(row as Row).name}` }))
      assert.strictEqual((yield* read(one, 1))?.name, "complete 1/1")
      const rows = yield* togetherAfter(read(one, 3), [read(one, 1), read(one, 2)])
      assert.deepStrictEqual(
        rows.map((row) => row?.name),
        ["complete 1/1", "complete 1/2"]
      )
    }).pipe(withClient())
  )

  it.effect("run alone if they begin while none is under way, also after interrupted ones", () =>
    Effect.gen(function* () {
      const read = yield* makeThings
      yield* Effect.forEach(
        yield* Effect.forEach([1, 2, 3], (id) => Effect.forkChild(read(one, id))),
        Fiber.interrupt
      )
      const [first, ...others] = yield* together([read(one, 1), read(one, 2), read(one, 3)])
      assert.include(first?.text, "AND id = $")
      assert.strictEqual(statementsOf(others), 1)
      assert.notInclude(others[0]?.text, "AND id = $")
    }).pipe(withClient())
  )

  it.effect("of two businesses share no statement", () =>
    Effect.gen(function* () {
      const read = yield* makeThings
      const rows = yield* togetherAfter(together([read(one, 3), read(other, 3)]), [
        read(one, 1),
        read(other, 1),
        read(one, 2),
        read(other, 2)
      ])
      assert.deepStrictEqual(
        rows.map((row) => row?.name),
        ["1/1", "2/1", "1/2", "2/2"]
      )
      assert.strictEqual(statementsOf(rows), 2)
    }).pipe(withClient())
  )

  it.effect("of any number use one prepared statement", () =>
    Effect.gen(function* () {
      const read = yield* makeThings
      const sql = yield* SqlClient.SqlClient
      for (let count = 2; count <= 8; count++)
        yield* togetherAfter(
          read(one, 40 - count),
          Array.from({ length: count }, (_, at) => read(one, at + 1))
        )
      const prepared = yield* sql`
        SELECT FROM pg_prepared_statements WHERE statement LIKE '%things%' AND statement LIKE '%IN (%'`
      assert.lengthOf(prepared, 1)
    }).pipe(withClient({ max: 1 }))
  )

  it.effect("in a transaction see its changes and share no statement", () =>
    Effect.gen(function* () {
      const read = yield* makeThings
      const sql = yield* SqlClient.SqlClient
      const [renamed, seen] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const transaction = sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`UPDATE things SET name = 'new' WHERE business_id = 1 AND id = 1`
          yield* Deferred.succeed(renamed, undefined)
          const rows = yield* together([read(one, 1), read(one, 2)])
          // The transaction commits after the read outside of it.
          yield* Deferred.await(seen)
          return rows
        })
      )
      const readOutside = Deferred.await(renamed).pipe(
        Effect.andThen(read(one, 1)),
        Effect.ensuring(Deferred.succeed(seen, undefined))
      )
      const [outside, inside] = yield* Effect.all([readOutside, transaction], { concurrency: 2 })
      assert.deepStrictEqual([outside?.name, ...inside.map((row) => row?.name)], ["1/1", "new", "1/2"])
      assert.strictEqual(statementsOf([outside, ...inside]), 3)
    }).pipe(withClient())
  )

  it.effect("that are traced share no statement", () =>
    Effect.gen(function* () {
      const read = yield* makeThings
      const tracer = Tracer.make({ span: (options) => new Tracer.NativeSpan(options) })
      const rows = yield* Effect.withTracer(togetherAfter(read(one, 3), [read(one, 1), read(one, 2)]), tracer)
      assert.strictEqual(statementsOf(rows), 2)
    }).pipe(withClient())
  )

  it.effect("that share a failed statement all fail", () =>
    Effect.gen(function* () {
      const read = yield* makeThings
      const failures = yield* togetherAfter(
        Effect.flip(read(one, 40)),
        [read(one, 1), read(one, 40)].map(Effect.flip)
      )
      assert.deepStrictEqual(
        failures.map(({ reason }) => reason.message),
        Array.from({ length: 2 }, () => failures[0]?.reason.message ?? "")
      )
    }).pipe(withClient())
  )

  it.effect(
    "that share a statement whose session the server ends all get their rows from another session",
    () =>
      Effect.gen(function* () {
        const observer = yield* SqlClient.SqlClient
        const name = "ended"
        yield* Effect.gen(function* () {
          const read = yield* makeThings
          const rows = yield* whileLocked(observer, (release) =>
            Effect.gen(function* () {
              const alone = yield* Effect.forkChild(Effect.exit(read(one, 3)))
              const sharing = yield* Effect.forkChild(together([read(one, 1), read(one, 2)]))
              yield* awaitWaiting(observer, name, 2)
              yield* observer`
              SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE application_name = ${name} AND wait_event = 'advisory'`
              assert.isTrue(Exit.isFailure(yield* Fiber.join(alone)))
              yield* release
              return yield* Fiber.join(sharing)
            })
          )
          assert.deepStrictEqual(
            rows.map((row) => row?.name),
            ["1/1", "1/2"]
          )
        }).pipe(withClient({ applicationName: name }))
      })
  )

  it.effect("that are interrupted end at once, and the others get their rows", () =>
    Effect.gen(function* () {
      const observer = yield* SqlClient.SqlClient
      const name = "some interrupted"
      yield* Effect.gen(function* () {
        const read = yield* makeThings
        const remaining = yield* whileLocked(observer, (release) =>
          Effect.gen(function* () {
            yield* Effect.forkChild(read(one, 3))
            const leaving = yield* Effect.forkChild(read(one, 1))
            const staying = yield* Effect.forkChild(read(one, 2))
            yield* awaitWaiting(observer, name, 2)
            yield* Fiber.interrupt(leaving)
            yield* awaitWaiting(observer, name, 2)
            yield* release
            return yield* Fiber.join(staying)
          })
        )
        assert.strictEqual(remaining?.name, "1/2")
      }).pipe(withClient({ applicationName: name }))
    })
  )

  it.effect("that are all interrupted are cancelled on the server", () =>
    Effect.gen(function* () {
      const observer = yield* SqlClient.SqlClient
      const name = "all interrupted"
      yield* Effect.gen(function* () {
        const read = yield* makeThings
        yield* whileLocked(observer, () =>
          Effect.gen(function* () {
            const fibers = yield* Effect.forEach([3, 1, 2], (id) => Effect.forkChild(read(one, id)))
            yield* awaitWaiting(observer, name, 2)
            yield* Effect.forEach(fibers, Fiber.interrupt)
            yield* awaitWaiting(observer, name, 0)
          })
        )
        assert.strictEqual((yield* read(one, 3))?.name, "1/3")
      }).pipe(withClient({ applicationName: name }))
    })
  )
})
