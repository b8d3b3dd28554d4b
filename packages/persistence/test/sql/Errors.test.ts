import { assert, it, layer } from "@effect/vitest"
import { faultOf, Unavailable } from "@livery/domain"
import { Cause, Deferred, Effect, Fiber, Layer, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"
import { socketUrl } from "../../src/sql/connections/ConnectionUrl.ts"
import { layer as pgLayer } from "../../src/sql/connections/PgClient.ts"
import { constraintOf, violates } from "../../src/sql/statements/PgErrors.ts"
import { client, Database, withClient } from "./Database.ts"

const Live = client({ applicationName: "errors" }).pipe(Layer.provideMerge(Database.layer))

const stopped = "The database did not finish in time; nothing was changed, and it is safe to try again"

const tag = (error: SqlError.SqlError) => error.reason._tag

layer(Live, { excludeTestServices: true })("errors", (it) => {
  it.effect("the error of a refused row names the violated constraint", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        CREATE TABLE cars (
          id integer CONSTRAINT cars_once PRIMARY KEY,
          seats integer CONSTRAINT cars_seats CHECK (seats > 0),
          owner integer CONSTRAINT cars_owner REFERENCES cars (id)
        )`.unprepared
      const add = (id: number, seats: number, owner: number | null) =>
        Effect.flip(sql`INSERT INTO cars ${sql.insert({ id, seats, owner })}`)
      yield* sql`INSERT INTO cars VALUES (1, 4, NULL)`
      const twice = yield* add(1, 4, null)
      assert.strictEqual(twice.reason._tag === "UniqueViolation" && twice.reason.constraint, "cars_once")
      const empty = yield* add(2, 0, null)
      assert.deepStrictEqual([tag(empty), constraintOf(empty)], ["ConstraintError", "cars_seats"])
      const stray = yield* add(2, 4, 9)
      assert.deepStrictEqual([tag(stray), constraintOf(stray)], ["ConstraintError", "cars_owner"])
    })
  )

  it.effect(
    "the error that a coordinator of Citus passes on from a node names the constraint in its message alone",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const passedOn = (code: string, message: string) =>
          Effect.flip(
            sql.unsafe(
              `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${code}', MESSAGE = '${message}'; END $$`
            ).unprepared
          )
        const twice = yield* passedOn(
          "23505",
          'duplicate key value violates unique constraint "cars_once_102035"'
        )
        assert.isTrue(violates(twice, "cars_once"))
        const stray = yield* passedOn(
          "23503",
          'insert or update on table "cars_102035" violates foreign key constraint "cars_owner_102035"'
        )
        assert.isTrue(violates(stray, "cars_owner"))
        const other = yield* passedOn("23505", "a message without a name")
        assert.isFalse(violates(other, "cars_once"))
      })
  )

  it.effect("wrong SQL, a missing permission and a failed computation are different errors", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      assert.strictEqual(tag(yield* Effect.flip(sql`SELEC 1`)), "SqlSyntaxError")
      assert.strictEqual(tag(yield* Effect.flip(sql`SELECT 1 / 0`)), "UnknownError")
      yield* sql`CREATE TABLE secrets (id integer)`
      yield* sql`CREATE ROLE ${sql(`nobody_${process.pid}`)}`
      const denied = sql.withTransaction(
        Effect.andThen(sql`SET LOCAL ROLE ${sql(`nobody_${process.pid}`)}`, sql`SELECT * FROM secrets`)
      )
      const error = yield* Effect.ensuring(
        Effect.flip(denied),
        Effect.orDie(sql`DROP ROLE ${sql(`nobody_${process.pid}`)}`)
      )
      assert.strictEqual(tag(error), "AuthorizationError")
    })
  )

  it.effect("of two changes that wait for each other, one fails as a retryable deadlock", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE locks (id integer)`
      yield* sql`INSERT INTO locks VALUES (1), (2)`
      const held = { 1: yield* Deferred.make<void>(), 2: yield* Deferred.make<void>() }
      const lock = (first: 1 | 2, second: 1 | 2) =>
        sql
          .withTransaction(
            Effect.gen(function* () {
              yield* sql`SET LOCAL deadlock_timeout = '50ms'`
              yield* sql`SELECT 1 FROM locks WHERE id = ${first} FOR UPDATE`
              yield* Deferred.succeed(held[first], undefined)
              yield* Deferred.await(held[second])
              yield* sql`SELECT 1 FROM locks WHERE id = ${second} FOR UPDATE`
              return "done"
            })
          )
          .pipe(Effect.catch((error) => Effect.succeed(`${tag(error)} ${error.isRetryable}`)))
      const outcomes = yield* Effect.all([lock(1, 2), lock(2, 1)], { concurrency: 2 })
      assert.deepStrictEqual(outcomes.toSorted(), ["DeadlockError true", "done"])
    })
  )

  it.effect(
    "a single statement that conflicts at every attempt was not carried out, and its error says so",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE SEQUENCE conflicting_attempts`
        yield* sql`CREATE TABLE conflicting (id integer)`
        yield* sql`
        CREATE FUNCTION conflict() RETURNS integer LANGUAGE plpgsql AS $$
        BEGIN PERFORM nextval('conflicting_attempts'); RAISE SQLSTATE '40001'; END $$`
        const insert = sql`INSERT INTO conflicting SELECT conflict()`
        for (const attempt of [Effect.flip(insert), Effect.flip(insert.values)]) {
          const error = yield* attempt
          assert.instanceOf(error.reason.cause, Unavailable)
          assert.include(error.message, "it is safe to try again")
        }
        assert.deepStrictEqual(yield* sql`SELECT last_value AS attempts FROM conflicting_attempts`, [
          { attempts: 8 }
        ])
      })
  )

  it.effect("a lock that is not free in time is a lock timeout", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE held (id integer)`
      yield* sql`INSERT INTO held VALUES (1)`
      const held = yield* Effect.forkChild(
        sql.withTransaction(Effect.andThen(sql`SELECT 1 FROM held FOR UPDATE`, Effect.never))
      )
      const wait = sql`SELECT 1 FROM held FOR UPDATE NOWAIT`.pipe(
        Effect.andThen(Effect.fail("free" as const)),
        Effect.flip,
        Effect.repeat({ until: (error) => error !== "free", times: 1000 })
      )
      const error = yield* wait
      assert.strictEqual(error === "free" ? error : tag(error), "LockTimeoutError")
      yield* Fiber.interrupt(held)
    })
  )

  it.effect(
    "a statement beyond its timeout is stopped, logged and safe to retry, and the connection is kept",
    () => {
      const lines: Array<unknown> = []
      return Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const pid = sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
        const before = yield* pid
        const error = yield* Effect.flip(sql`SELECT pg_sleep(30)`)
        assert.strictEqual(tag(error), "StatementTimeoutError")
        assert.deepStrictEqual(faultOf(Cause.fail(error))?.message, stopped)
        assert.deepStrictEqual(lines, [
          [
            "PostgreSQL stopped a statement",
            { reason: "canceling statement due to statement timeout", statement: "SELECT pg_sleep(30)" }
          ]
        ])
        assert.deepStrictEqual(yield* pid, before)
      }).pipe(
        withClient({ max: 1, statementTimeout: "500 millis" }),
        Effect.provide(Logger.layer([Logger.make(({ message }) => void lines.push(message))]))
      )
    }
  )

  it.effect("a transaction that is idle too long is ended by the server, and the next one works", () =>
    Effect.gen(function* () {
      const observer = yield* SqlClient.SqlClient
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const error = yield* Effect.flip(
          sql.withTransaction(
            Effect.gen(function* () {
              const [row] = yield* sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
              // The server ends the session; another connection polls for that.
              yield* Effect.orDie(
                observer`SELECT pid FROM pg_stat_activity WHERE pid = ${row?.pid}`.pipe(
                  Effect.repeat({ until: (rows) => rows.length === 0, times: 5000 })
                )
              )
              yield* sql`SELECT 1`
            })
          )
        )
        assert.strictEqual(tag(error), "ConnectionError")
        assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
      }).pipe(withClient({ max: 1, idleInTransactionTimeout: "50 millis" }))
    })
  )

  it.effect("a parameter that cannot be sent is an error of its statement alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const circle: { self?: unknown } = {}
      circle.self = circle
      const select = (value: unknown) => sql`SELECT ${value}::jsonb AS value`
      for (let attempt = 0; attempt < 3; attempt++) {
        assert.strictEqual(tag(yield* Effect.flip(select(circle))), "UnknownError")
        assert.strictEqual(tag(yield* Effect.flip(select(new Date(Number.NaN)))), "UnknownError")
        assert.deepStrictEqual(yield* select({ a: 1 }), [{ value: { a: 1 } }])
      }
    }).pipe(withClient({ max: 1 }))
  )
})

const connect = (url: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql`SELECT 1`
  }).pipe(Effect.provide(pgLayer({ url: Redacted.make(url) })), Effect.flip)

it.live(
  "an unavailable server does not fail the layer; each statement fails with a connection error and a message",
  () =>
    Effect.gen(function* () {
      const away = [
        "postgresql://postgres@127.0.0.1:1/postgres",
        "postgresql://postgres@localhost:1/postgres",
        socketUrl({ directory: "/nowhere at all", port: 5432, user: "postgres", database: "postgres" })
      ]
      for (const url of away) {
        const error = yield* connect(url)
        assert.strictEqual(tag(error), "ConnectionError")
        assert.isNotEmpty(error.message)
      }
    })
)

it.live("a text that is no URL fails the layer, and the message does not repeat it", () =>
  Effect.gen(function* () {
    const error = yield* connect("postgresql://livery:hunter2@[nowhere:x/db")
    assert.strictEqual(error.message, "The address of the database must be a postgresql:// address")
    assert.notInclude(JSON.stringify(error), "hunter2")
  })
)
