import { assert, layer } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Layer, Redacted, Schedule, Scheduler } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"
import { socketUrl } from "../../src/sql/connections/ConnectionUrl.ts"
import { layer as pgLayer } from "../../src/sql/connections/PgClient.ts"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { client, Database, failsAfter, withClient } from "./Database.ts"

const Live = client({ applicationName: "observer" }).pipe(Layer.provideMerge(Database.layer))

const poll = Schedule.max([Schedule.spaced("10 millis"), Schedule.recurs(5000)])

/** The sessions of an application name that satisfy a condition. The query runs outside of the pool under test. */
const sessions = (name: string, condition: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql<{ pid: number }>`
      SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = ${name} AND ${sql.literal(condition)}`
  })

const awaitSessions = (name: string, condition: string, count: number) =>
  sessions(name, condition).pipe(
    Effect.filterOrFail(
      (rows) => rows.length === count,
      (rows) => `${rows.length} sessions, not ${count}`
    ),
    Effect.retry(poll)
  )

/** Checks that both connections of a pool of two work: each of two transactions waits for a statement of the other. */
const bothWork = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [one, other] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const meet = (own: Deferred.Deferred<void>, theirs: Deferred.Deferred<void>) =>
    sql.withTransaction(
      sql`SELECT 1`.pipe(
        Effect.andThen(Deferred.succeed(own, undefined)),
        Effect.andThen(Deferred.await(theirs)),
        Effect.andThen(sql`SELECT 1`)
      )
    )
  yield* Effect.all([meet(one, other), meet(other, one)], { concurrency: 2 })
})

/** Holds a connection of the pool until `release`. */
const heldConnection = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [held, free] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const holder = yield* Effect.forkChild(
    sql.withTransaction(
      sql`SELECT 1`.pipe(
        Effect.andThen(Deferred.succeed(held, undefined)),
        Effect.andThen(Deferred.await(free))
      )
    )
  )
  yield* Deferred.await(held)
  return { release: Effect.andThen(Deferred.succeed(free, undefined), Fiber.join(holder)) }
})

/** Checks that both connections work. The loss of a session may show only when its next statement fails. */
const recovered = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.retry(sql`SELECT 1`, { while: (error) => error.isRetryable, times: 2 })
  yield* bothWork
})

layer(Live, { excludeTestServices: true })("the pool", (it) => {
  it.effect("fifty interrupted statements cost no connection, and none continues", () =>
    Effect.gen(function* () {
      const name = "interrupted"
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const fibers = yield* Effect.all(
          Array.from({ length: 50 }, () => Effect.forkChild(sql`SELECT pg_sleep(3600)`)),
          { concurrency: 1 }
        )
        yield* Effect.provide(awaitSessions(name, "wait_event = 'PgSleep'", 2), Layer.fresh(client()))
        yield* Fiber.interruptAll(fibers)
        yield* bothWork
      }).pipe(withClient({ max: 2, applicationName: name }))
      yield* awaitSessions(name, "true", 0)
    })
  )

  it.effect("an interrupted statement is cancelled on the server", () =>
    Effect.gen(function* () {
      const name = "cancelled"
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const lone = yield* Effect.forkChild(sql`SELECT pg_sleep(3600)`)
        const inside = yield* Effect.forkChild(sql.withTransaction(sql`SELECT pg_sleep(3600)`))
        const watched = Effect.provide(
          awaitSessions(name, "wait_event = 'PgSleep'", 2),
          Layer.fresh(client())
        )
        yield* watched
        yield* Fiber.interruptAll([lone, inside])
        yield* Effect.provide(awaitSessions(name, "wait_event = 'PgSleep'", 0), Layer.fresh(client()))
        yield* bothWork
      }).pipe(withClient({ max: 2, applicationName: name }))
    })
  )

  it.effect("a statement that ends right after its interruption keeps its connection", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const pid = sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
      const before = yield* pid
      const fiber = yield* Effect.forkChild(sql`SELECT 1`, { startImmediately: true })
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(yield* pid, before)
    }).pipe(withClient({ max: 1 }))
  )

  it.effect("a statement that is interrupted at any of its steps costs no connection", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const untilPause = 60
      for (let before = 0; before < untilPause; before++) {
        // The fiber pauses after 60 steps, at another step of the statement each time, and is interrupted there.
        const steps = Array.from({ length: before }, () => Effect.void).reduce(
          (all: Effect.Effect<unknown, SqlError.SqlError>) => Effect.andThen(Effect.void, all),
          sql`SELECT 1`
        )
        const paused = Effect.provideService(steps, Scheduler.MaxOpsBeforeYield, untilPause)
        const fiber = yield* Effect.forkChild(paused, { startImmediately: true })
        yield* Fiber.interrupt(fiber)
        assert.lengthOf(yield* sql`SELECT 1`, 1, `after ${before} steps`)
      }
    }).pipe(withClient({ max: 1 }))
  )

  it.effect("an interrupted wait for a connection runs nothing later, and costs none", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE waits (id integer)`
      const { release } = yield* heldConnection
      const add = sql`INSERT INTO waits VALUES (1)`
      const waiting = yield* Effect.forEach(Array.from({ length: 5000 }), (_, index) =>
        Effect.forkChild(index % 2 === 0 ? add : sql.withTransaction(add), { startImmediately: true })
      )
      yield* Fiber.interruptAll(waiting)
      yield* release
      assert.deepStrictEqual(yield* sql`SELECT * FROM waits`, [])
    }).pipe(withClient({ max: 1 }))
  )

  it.effect("a wait that timed out runs nothing later", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // The first connection may take longer to open than the limit.
      yield* Effect.eventually(sql`CREATE TABLE IF NOT EXISTS late (id integer)`)
      const { release } = yield* heldConnection
      const error = yield* Effect.flip(sql`INSERT INTO late VALUES (1)`).pipe(
        failsAfter("10 seconds", "the wait for a connection did not end at its limit of 100 ms"),
        // Also after a failure: a client closes only once all of its connections are returned.
        Effect.ensuring(Effect.orDie(release))
      )
      assert.strictEqual(error.reason._tag, "ConnectionError")
      assert.deepStrictEqual(yield* sql`SELECT * FROM late`, [])
    }).pipe(withClient({ max: 1, acquireTimeout: "100 millis" }))
  )

  it.effect("sessions that the server ends, idle or busy, are replaced", () =>
    Effect.gen(function* () {
      const name = "terminated"
      const observer = yield* SqlClient.SqlClient
      const terminate = observer`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = ${name}`
      const sleeping = awaitSessions(name, "wait_event = 'PgSleep'", 1)
      const watched = Effect.provideService(sleeping, SqlClient.SqlClient, observer)
      const gone = Effect.provideService(awaitSessions(name, "true", 0), SqlClient.SqlClient, observer)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* bothWork
        yield* terminate
        yield* gone
        yield* recovered
        const busy = yield* Effect.forkChild(sql`SELECT pg_sleep(3600)`)
        yield* watched
        yield* terminate
        const exit = yield* Fiber.await(busy)
        const error = Exit.isFailure(exit) ? Cause.findErrorOption<SqlError.SqlError>(exit.cause) : undefined
        assert.isTrue(error?._tag === "Some" && error.value.reason._tag === "ConnectionError")
        yield* recovered
      }).pipe(withClient({ max: 2, applicationName: name }))
    })
  )

  it.effect(
    "a transaction that a BEGIN outside of withTransaction opens does not leak to the next user of the connection",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`BEGIN`
        yield* sql`CREATE TABLE committed ()`
        const seen = Effect.gen(function* () {
          const observer = yield* SqlClient.SqlClient
          return yield* observer`SELECT FROM committed`
        })
        assert.deepStrictEqual(yield* Effect.provide(seen, Layer.fresh(client())), [])
      }).pipe(withClient({ max: 1 }))
  )

  it.effect("a Unix socket is reached by its URL, with any name of its directory", (context) =>
    Effect.gen(function* () {
      const observer = yield* SqlClient.SqlClient
      const [place] = yield* observer<{ directory: string; port: string; database: string; user: string }>`
        SELECT trim(both '"' from split_part(current_setting('unix_socket_directories'), ', ', 1)) AS directory,
          current_setting('port') AS port, current_database() AS database, current_user AS user`
      assert.isDefined(place)
      // A server on another machine, or without a socket, cannot be tested.
      if (!existsSync(join(place.directory, `.s.PGSQL.${place.port}`))) return context.skip()
      const url = socketUrl({ ...place, port: Number(place.port) })
      const rows = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        return yield* sql`SELECT inet_client_addr() AS address`
      }).pipe(Effect.provide(pgLayer({ url: Redacted.make(url) })))
      assert.deepStrictEqual(rows, [{ address: null }])
    })
  )
})
