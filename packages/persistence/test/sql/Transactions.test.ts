import { assert, layer } from "@effect/vitest"
import { Cause, Context, Deferred, Effect, Exit, Fiber, Layer, Ref } from "effect"
import { SqlClient } from "effect/sql"
import { client, Database } from "./Database.ts"

const Live = client({ max: 3, applicationName: "transactions" }).pipe(Layer.provideMerge(Database.layer))

const table = (name: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE ${sql(name)} (id integer PRIMARY KEY)`
    return {
      sql,
      add: (id: number) => sql`INSERT INTO ${sql(name)} ${sql.insert({ id })}`,
      ids: Effect.map(sql<{ id: number }>`SELECT id FROM ${sql(name)} ORDER BY id`, (rows) =>
        rows.map((row) => row.id)
      )
    }
  })

const ownPid = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
  return row?.pid ?? 0
})

/** Checks that no session has an open transaction, and that all connections of the pool work. */
const assertPoolClean = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const answers = yield* Effect.all(
    Array.from({ length: 6 }, () => sql`SELECT pg_current_xact_id_if_assigned() AS xid, pg_sleep(0.01)`),
    { concurrency: "unbounded" }
  )
  assert.deepStrictEqual(
    answers.map(([row]) => row?.["xid"]),
    [null, null, null, null, null, null]
  )
  const open = yield* sql`
    SELECT state FROM pg_stat_activity
    WHERE datname = current_database() AND state LIKE 'idle in transaction%'`
  assert.deepStrictEqual(open, [])
})

layer(Live, { excludeTestServices: true })("transactions", (it) => {
  it.effect("a successful transaction commits, with its nested ones", () =>
    Effect.gen(function* () {
      const { add, ids, sql } = yield* table("kept")
      yield* sql.withTransaction(Effect.andThen(add(1), sql.withTransaction(add(2))))
      assert.deepStrictEqual(yield* ids, [1, 2])
    })
  )

  it.effect("a typed failure rolls back", () =>
    Effect.gen(function* () {
      const { add, ids, sql } = yield* table("failed")
      const failure = yield* Effect.flip(
        sql.withTransaction(Effect.andThen(add(1), Effect.fail("no" as const)))
      )
      assert.strictEqual(failure, "no")
      assert.deepStrictEqual(yield* ids, [])
      yield* assertPoolClean
    })
  )

  it.effect("a defect rolls back", () =>
    Effect.gen(function* () {
      const { add, ids, sql } = yield* table("died")
      const exit = yield* Effect.exit(sql.withTransaction(Effect.andThen(add(1), Effect.die("bug"))))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      assert.deepStrictEqual(yield* ids, [])
      yield* assertPoolClean
    })
  )

  it.effect("an interruption between two statements rolls back", () =>
    Effect.gen(function* () {
      const { add, ids, sql } = yield* table("interrupted")
      const added = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(
        sql.withTransaction(
          add(1).pipe(Effect.andThen(Deferred.succeed(added, undefined)), Effect.andThen(Effect.never))
        )
      )
      yield* Deferred.await(added)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(yield* ids, [])
      yield* assertPoolClean
    })
  )

  it.effect("an interruption within a statement rolls back, and is no defect", () =>
    Effect.gen(function* () {
      const { add, ids, sql } = yield* table("interrupted_within")
      const added = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(
        sql.withTransaction(
          add(1).pipe(
            Effect.andThen(Deferred.succeed(added, undefined)),
            Effect.andThen(sql`SELECT pg_sleep(30)`)
          )
        )
      )
      yield* Deferred.await(added)
      yield* Fiber.interrupt(fiber)
      const exit = yield* Fiber.await(fiber)
      assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
      assert.deepStrictEqual(yield* ids, [])
      yield* assertPoolClean
    })
  )

  it.effect("a failed nested transaction rolls back only its own part", () =>
    Effect.gen(function* () {
      const { add, ids, sql } = yield* table("nested")
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* add(1)
          yield* Effect.ignore(sql.withTransaction(Effect.andThen(add(2), add(1))))
          yield* sql.withTransaction(add(3))
          yield* Effect.ignore(sql.withTransaction(Effect.andThen(add(4), Effect.fail("no"))))
        })
      )
      assert.deepStrictEqual(yield* ids, [1, 3])
    })
  )

  it.effect("a COMMIT that a deferred constraint refuses is a typed error, and rolls back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE deferred (id integer, CONSTRAINT deferred_once UNIQUE (id) DEFERRABLE INITIALLY DEFERRED)`
      const add = sql`INSERT INTO deferred VALUES (1)`
      const error = yield* Effect.flip(sql.withTransaction(Effect.andThen(add, add)))
      assert.strictEqual(error.reason._tag === "UniqueViolation" && error.reason.constraint, "deferred_once")
      assert.deepStrictEqual(yield* sql`SELECT * FROM deferred`, [])
      yield* assertPoolClean
    })
  )

  it.effect("a COMMIT over a lost connection is a typed error, and rolls back", () =>
    Effect.gen(function* () {
      const { add, ids, sql } = yield* table("lost")
      const error = yield* Effect.flip(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* add(1)
            const pid = yield* ownPid
            yield* Effect.ignore(sql`SELECT pg_terminate_backend(${pid})`)
          })
        )
      )
      assert.strictEqual(error.reason._tag, "ConnectionError")
      assert.deepStrictEqual(yield* ids, [])
      yield* assertPoolClean
    })
  )

  it.effect("a failure after the connection was lost is returned unchanged", () =>
    Effect.gen(function* () {
      const { add, sql } = yield* table("lost_failed")
      const lose = Effect.andThen(
        add(1),
        Effect.flatMap(ownPid, (pid) => Effect.ignore(sql`SELECT pg_terminate_backend(${pid})`))
      )
      const failure = yield* Effect.flip(
        sql.withTransaction(sql.withTransaction(Effect.andThen(lose, Effect.fail("mine" as const))))
      )
      assert.strictEqual(failure, "mine")
      yield* assertPoolClean
    })
  )

  it.effect("a transaction with a failed statement is a typed error, not a success", () =>
    Effect.gen(function* () {
      const { add, ids, sql } = yield* table("swallowed")
      const committed = yield* Ref.make(false)
      const error = yield* Effect.flip(
        sql.withTransaction(
          sql
            .afterCommit(Ref.set(committed, true))
            .pipe(Effect.andThen(add(1)), Effect.andThen(Effect.ignore(add(1))))
        )
      )
      assert.strictEqual(error._tag, "SqlError")
      assert.include(error.message, "rolled back")
      assert.isFalse(yield* Ref.get(committed))
      assert.deepStrictEqual(yield* ids, [])
      yield* assertPoolClean
    })
  )

  it.effect(
    "an ignored failed statement in a nested transaction is a typed error of the whole, no defect",
    () =>
      Effect.gen(function* () {
        const { add, ids, sql } = yield* table("swallowed_within")
        const error = yield* Effect.flip(
          sql.withTransaction(Effect.andThen(add(1), sql.withTransaction(Effect.ignore(add(1)))))
        )
        assert.include(error.message, "rolled back")
        assert.deepStrictEqual(yield* ids, [])
      })
  )

  it.effect(
    "`afterCommit` runs its work once, after the outermost commit, and the work sees the change",
    () =>
      Effect.gen(function* () {
        const { add, ids, sql } = yield* table("after")
        const seen = yield* Ref.make<ReadonlyArray<ReadonlyArray<number>>>([])
        const observe = ids.pipe(
          Effect.flatMap((found) => Ref.update(seen, (all) => [...all, found])),
          Effect.orDie
        )
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql.withTransaction(Effect.andThen(add(1), sql.afterCommit(observe)))
            yield* add(2)
            assert.deepStrictEqual(yield* Ref.get(seen), [])
          })
        )
        assert.deepStrictEqual(yield* Ref.get(seen), [[1, 2]])
      })
  )

  it.effect(
    "`afterCommit` runs its work with the services of the transaction's caller, and without a transaction",
    () =>
      Effect.gen(function* () {
        class Caller extends Context.Service<Caller, string>()("test/Caller") {}
        const { add, sql } = yield* table("after_services")
        const seen: Array<unknown> = []
        const observe = Effect.contextWith((context: Context.Context<Caller>) =>
          Effect.sync(() => {
            seen.push(Context.get(context, Caller), Context.getOrUndefined(context, sql.transactionService))
          })
        )
        yield* sql
          .withTransaction(Effect.andThen(add(1), sql.withTransaction(sql.afterCommit(observe))))
          .pipe(Effect.provideService(Caller, "the caller"))
        assert.deepStrictEqual(seen, ["the caller", undefined])
      })
  )

  it.effect("without the transaction of its caller in the context, a transaction is one of its own", () =>
    Effect.gen(function* () {
      const { add, ids, sql } = yield* table("left")
      const leave = <A, E>(work: Effect.Effect<A, E>) =>
        Effect.updateContext(work, (context: Context.Context<never>) =>
          Context.omit(sql.transactionService)(context)
        )
      const outer = sql.withTransaction(
        Effect.andThen(leave(sql.withTransaction(add(1))), Effect.andThen(add(2), Effect.fail("no")))
      )
      yield* Effect.ignore(outer)
      assert.deepStrictEqual(yield* ids, [1])
    })
  )

  it.effect(
    "`afterCommit` does not run its work after a rollback of its own transaction or the outer one",
    () =>
      Effect.gen(function* () {
        const { add, sql } = yield* table("after_rollback")
        const runs = yield* Ref.make(0)
        const register = sql.afterCommit(Ref.update(runs, (n) => n + 1))
        yield* Effect.ignore(sql.withTransaction(Effect.andThen(register, Effect.fail("no"))))
        yield* sql.withTransaction(
          Effect.andThen(
            add(1),
            Effect.ignore(sql.withTransaction(Effect.andThen(register, Effect.fail("no"))))
          )
        )
        assert.strictEqual(yield* Ref.get(runs), 0)
      })
  )

  it.effect("a serialization failure is a retryable error, and a retry succeeds", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE counters (n integer)`
      yield* sql`INSERT INTO counters VALUES (0)`
      const raise = (read: Effect.Effect<unknown>) =>
        sql
          .withTransaction(
            Effect.gen(function* () {
              const [row] = yield* sql<{ n: number }>`SELECT n FROM counters`
              yield* read
              yield* sql`UPDATE counters SET n = ${(row?.n ?? 0) + 1}`
            })
          )
          .pipe(Effect.provideService(SqlClient.BeginTransaction, "BEGIN ISOLATION LEVEL SERIALIZABLE"))
      const [one, other] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const meet = (mine: Deferred.Deferred<void>, theirs: Deferred.Deferred<void>) =>
        Effect.andThen(Deferred.succeed(mine, undefined), Deferred.await(theirs))
      const exits = yield* Effect.all(
        [Effect.exit(raise(meet(one, other))), Effect.exit(raise(meet(other, one)))],
        { concurrency: 2 }
      )
      const failures = exits.filter(Exit.isFailure)
      assert.strictEqual(failures.length, 1)
      const error = failures[0] && Cause.findErrorOption(failures[0].cause)
      assert.isTrue(error?._tag === "Some" && error.value.reason._tag === "SerializationError")
      const insist = Effect.retry(raise(Effect.yieldNow), { while: (error) => error.isRetryable, times: 20 })
      yield* Effect.all([insist, insist, insist], { concurrency: 3 })
      assert.deepStrictEqual(yield* sql`SELECT n FROM counters`, [{ n: 4 }])
    })
  )
})
