import { AuditLog, faultOf, Transaction } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Ref } from "effect"
import { SqlClient } from "effect/sql"
import { TestPersistence, unique } from "../support/TestPersistence.ts"

/** A change, and whether other transactions see it. */
const change = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const audit = yield* AuditLog
  const transaction = yield* Transaction
  const subject = unique("change")
  return {
    transaction,
    make: audit.record({ actor: "test", action: "changed", subject }),
    times: Effect.map(sql`SELECT FROM audit_log WHERE subject = ${subject}`, (rows) => rows.length)
  }
})

layer(TestPersistence)("a transaction", (it) => {
  it.effect("hides its work from others until it commits", () =>
    Effect.gen(function* () {
      const { make, times, transaction } = yield* change
      const [made, seen] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const fiber = yield* Effect.forkChild(
        transaction.run(
          make.pipe(Effect.andThen(Deferred.succeed(made, undefined)), Effect.andThen(Deferred.await(seen)))
        )
      )
      yield* Deferred.await(made)
      assert.strictEqual(yield* times, 0)
      yield* Deferred.succeed(seen, undefined)
      yield* Fiber.join(fiber)
      assert.strictEqual(yield* times, 1)
    })
  )

  it.effect("whose commit the database refuses dies, and writes nothing", () =>
    Effect.gen(function* () {
      const { make, times, transaction } = yield* change
      const sql = yield* SqlClient.SqlClient
      const swallowed = Effect.ignore(sql`SELECT 1 / 0`)
      const exit = yield* Effect.exit(transaction.run(Effect.andThen(make, swallowed)))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      assert.strictEqual(yield* times, 0)
    })
  )

  /** Fails like a transaction that conflicts with another one. */
  const conflict = (code: "40001" | "40P01") =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return yield* Effect.orDie(
        sql.unsafe(`DO $$ BEGIN RAISE EXCEPTION 'in the way' USING ERRCODE = '${code}'; END $$`)
      )
    })

  it.effect.each(["40001", "40P01"] as const)("that ends with %s is retried as a whole", (code) =>
    Effect.gen(function* () {
      const { make, times, transaction } = yield* change
      const attempts = yield* Ref.make(0)
      const answer = yield* transaction.run(
        Effect.gen(function* () {
          yield* make
          const attempt = yield* Ref.updateAndGet(attempts, (n) => n + 1)
          // A nested transaction is not retried by itself.
          yield* transaction.run(attempt <= 3 ? conflict(code) : Effect.void)
          return attempt
        })
      )
      assert.strictEqual(answer, 4)
      assert.strictEqual(yield* times, 1)
    })
  )

  it.effect.each(["40001", "40P01"] as const)(
    "%s: a statement outside of a transaction is retried three times",
    (code) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const name = unique("attempts").replaceAll(/\W/gu, "_")
        yield* sql`CREATE SEQUENCE ${sql(name)}`
        /** Fails with a conflict that many times, then returns the number of its attempts. */
        const failing = (times: number) =>
          sql.unsafe<{ readonly attempts: number }>(`
          CREATE OR REPLACE FUNCTION ${name}() RETURNS int LANGUAGE plpgsql AS $$
          DECLARE attempts int = nextval('${name}');
          BEGIN
            IF attempts <= ${times} THEN RAISE SQLSTATE '${code}'; END IF;
            RETURN attempts;
          END $$`)
        const statement = sql<{ attempts: number }>`SELECT ${sql.literal(name)}() AS attempts`
        yield* failing(3)
        assert.deepStrictEqual(yield* statement, [{ attempts: 4 }])
        yield* sql`ALTER SEQUENCE ${sql(name)} RESTART`
        assert.deepStrictEqual(yield* statement.values, [[4]])
        yield* sql`ALTER SEQUENCE ${sql(name)} RESTART`
        yield* failing(4)
        const exit = yield* Effect.exit(Effect.orDie(statement))
        assert.strictEqual(Exit.isFailure(exit) && faultOf(exit.cause)?._tag, "Unavailable")
        assert.deepStrictEqual(yield* statement, [{ attempts: 5 }], "the first one was tried four times")
      })
  )

  it.effect("that conflicts four times dies with an error that is safe to try again", () =>
    Effect.gen(function* () {
      const { make, times, transaction } = yield* change
      const attempts = yield* Ref.make(0)
      const work = Ref.update(attempts, (n) => n + 1).pipe(
        Effect.andThen(make),
        Effect.andThen(conflict("40001"))
      )
      const exit = yield* Effect.exit(transaction.run(work))
      assert.strictEqual(Exit.isFailure(exit) && faultOf(exit.cause)?._tag, "Unavailable")
      assert.strictEqual(yield* Ref.get(attempts), 4)
      assert.strictEqual(yield* times, 0)
    })
  )

  it.effect("with effects outside of the database is not retried, and dies with the same error", () =>
    Effect.gen(function* () {
      const { transaction } = yield* change
      const attempts = yield* Ref.make(0)
      const work = Effect.andThen(
        Ref.update(attempts, (n) => n + 1),
        conflict("40P01")
      )
      const exit = yield* Effect.exit(transaction.run(work, { repeatable: false }))
      assert.strictEqual(Exit.isFailure(exit) && faultOf(exit.cause)?._tag, "Unavailable")
      assert.strictEqual(yield* Ref.get(attempts), 1)
    })
  )

  it.effect("that fails or dies for any other reason is not retried", () =>
    Effect.gen(function* () {
      const { transaction } = yield* change
      const sql = yield* SqlClient.SqlClient
      const attempts = yield* Ref.make(0)
      const attempt = Ref.update(attempts, (n) => n + 1)
      yield* Effect.flip(transaction.run(Effect.andThen(attempt, Effect.fail("no"))))
      yield* Effect.exit(transaction.run(Effect.andThen(attempt, Effect.orDie(sql`SELECT 1 / 0`))))
      assert.strictEqual(yield* Ref.get(attempts), 2)
    })
  )

  it.effect("gets past a deadlock with another one", () =>
    Effect.gen(function* () {
      const { transaction } = yield* change
      const sql = yield* SqlClient.SqlClient
      const table = sql(unique("locks").replaceAll(/\W/gu, "_"))
      yield* sql`CREATE TABLE ${table} (id integer, changes integer DEFAULT 0)`
      yield* sql`INSERT INTO ${table} VALUES (1), (2)`
      const [one, other] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const changeBoth = (
        [first, second]: readonly [number, number],
        mine: Deferred.Deferred<void>,
        theirs: Deferred.Deferred<void>
      ) =>
        transaction.run(
          Effect.gen(function* () {
            yield* sql`SET LOCAL deadlock_timeout = '20ms'`
            yield* sql`UPDATE ${table} SET changes = changes + 1 WHERE id = ${first}`
            yield* Deferred.succeed(mine, undefined)
            yield* Deferred.await(theirs)
            yield* sql`UPDATE ${table} SET changes = changes + 1 WHERE id = ${second}`
          }).pipe(Effect.orDie)
        )
      yield* Effect.all([changeBoth([1, 2], one, other), changeBoth([2, 1], other, one)], { concurrency: 2 })
      assert.deepStrictEqual(yield* sql`SELECT id, changes FROM ${table} ORDER BY id`, [
        { id: 1, changes: 2 },
        { id: 2, changes: 2 }
      ])
    })
  )
})
