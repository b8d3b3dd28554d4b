import { Conflict } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Duration, Effect, Exit, Fiber, References, Schedule } from "effect"
import type { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { joinAdvancing } from "../../../../test/support/Eventually.ts"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { boxOf, node, nodes, request } from "./IdempotencyNodes.ts"

const oneNode = Effect.map(nodes(), ({ one }) => one)

/** Completes once a statement waits for a lock in the database. */
const lockAwaited = (sql: SqlClient.SqlClient) =>
  Effect.repeat(
    sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    { until: (rows) => rows.length > 0, schedule: Schedule.spaced("5 millis"), times: 1000 }
  )

/** Work that reports when it has begun, and ends on demand. */
const slowly = Effect.fnUntraced(function* <A, E>(work: Effect.Effect<A, E>) {
  const [begun, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  return {
    begun: Deferred.await(begun),
    end: Deferred.succeed(end, undefined),
    work: Deferred.succeed(begun, undefined).pipe(Effect.andThen(Deferred.await(end)), Effect.andThen(work))
  }
})

describe("an idempotent request", () => {
  it.live("is carried out once, and its repetitions get the first response", () =>
    Effect.gen(function* () {
      const { response, done, idempotency, work } = yield* oneNode
      assert.deepStrictEqual(yield* idempotency.run(request, work), { _tag: "Executed", result: "worked" })
      assert.deepStrictEqual(yield* idempotency.run(request, work), { _tag: "Replayed", response })
      assert.strictEqual(yield* done, 1)
    })
  )

  it.live("sent twenty times at once to two nodes is carried out once", () =>
    Effect.gen(function* () {
      const { one, other } = yield* nodes()
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : other)),
        ({ idempotency, work }) => idempotency.run(request, work),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        outcomes.filter(({ _tag }) => _tag === "Executed"),
        1
      )
      assert.strictEqual(yield* one.done, 1)
    })
  )

  it.live("waits for the first one, also on another node", () =>
    Effect.gen(function* () {
      const { one, other } = yield* nodes()
      const first = yield* slowly(one.work)
      const running = yield* Effect.forkChild(one.idempotency.run(request, first.work))
      yield* first.begun
      const waiting = yield* Effect.forkChild(other.idempotency.run(request, other.work))
      yield* lockAwaited(one.sql)
      yield* first.end
      assert.strictEqual((yield* Fiber.join(running))._tag, "Executed")
      assert.strictEqual((yield* Fiber.join(waiting))._tag, "Replayed")
      assert.strictEqual(yield* one.done, 1)
    })
  )

  it.live("is carried out by the second if the first fails midway, and the first has no effect", () =>
    Effect.gen(function* () {
      const { one, other } = yield* nodes()
      const first = yield* slowly(Effect.andThen(one.write, Effect.die("the power is out")))
      const running = yield* Effect.forkChild(Effect.exit(one.idempotency.run(request, first.work)))
      yield* first.begun
      const waiting = yield* Effect.forkChild(other.idempotency.run(request, other.work))
      yield* lockAwaited(one.sql)
      yield* first.end
      const exit = yield* Fiber.join(running)
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      assert.strictEqual((yield* Fiber.join(waiting))._tag, "Executed")
      assert.strictEqual(yield* one.done, 1)
    })
  )

  it.live("is carried out by the second if the first was interrupted", () =>
    Effect.gen(function* () {
      const { done, idempotency, work, write } = yield* oneNode
      const begun = yield* Deferred.make<void>()
      const running = yield* Effect.forkChild(
        idempotency.run(
          request,
          write.pipe(Effect.andThen(Deferred.succeed(begun, undefined)), Effect.andThen(Effect.never))
        )
      )
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(running)
      assert.strictEqual((yield* idempotency.run(request, work))._tag, "Executed")
      assert.strictEqual(yield* done, 1)
    })
  )

  it.live("is refused when the first one takes too long", () =>
    Effect.gen(function* () {
      const { one, other } = yield* nodes(Duration.millis(100))
      const first = yield* slowly(one.work)
      const running = yield* Effect.forkChild(one.idempotency.run(request, first.work))
      yield* first.begun
      const refused = yield* Effect.flip(other.idempotency.run(request, other.work))
      assert.instanceOf(refused, Conflict)
      assert.include(refused.message, "still running")
      assert.strictEqual(refused.retryAfterSeconds, 1)
      yield* first.end
      yield* Fiber.join(running)
      assert.strictEqual((yield* other.idempotency.run(request, other.work))._tag, "Replayed")
    })
  )

  it.effect("is refused when the first one on the same node takes too long", () =>
    Effect.gen(function* () {
      const { one } = yield* nodes()
      const first = yield* slowly(one.work)
      const running = yield* Effect.forkChild(one.idempotency.run(request, first.work))
      yield* first.begun
      const waiting = yield* Effect.forkChild(Effect.flip(one.idempotency.run(request, one.work)))
      // The waiter starts on its own schedule: advance the clock until its timeout.
      const advance = Effect.andThen(one.done, TestClock.adjust("1 second"))
      assert.instanceOf(yield* joinAdvancing(waiting, advance), Conflict)
      yield* first.end
      yield* Fiber.join(running)
      assert.strictEqual(yield* one.done, 1)
    })
  )

  it.live("that is interrupted while it waits lets the next one continue", () =>
    Effect.gen(function* () {
      const { one } = yield* nodes()
      const first = yield* slowly(one.work)
      const running = yield* Effect.forkChild(one.idempotency.run(request, first.work))
      yield* first.begun
      const waiting = yield* Effect.forkChild(one.idempotency.run(request, one.work))
      const next = yield* Effect.forkChild(one.idempotency.run(request, one.work))
      yield* one.done
      yield* Fiber.interrupt(waiting)
      yield* first.end
      assert.strictEqual((yield* Fiber.join(running))._tag, "Executed")
      assert.strictEqual((yield* Fiber.join(next))._tag, "Replayed")
    })
  )

  it.live("is a conflict under the key of another request, and independent of other callers and keys", () =>
    Effect.gen(function* () {
      const { done, idempotency, work } = yield* oneNode
      yield* idempotency.run(request, work)
      const other = yield* Effect.flip(idempotency.run({ ...request, content: "POST /trips\n{ }" }, work))
      assert.instanceOf(other, Conflict)
      const others = [{ caller: "business:2" }, { key: "K" }]
      for (const asked of others)
        assert.strictEqual((yield* idempotency.run({ ...request, ...asked }, work))._tag, "Executed")
      assert.strictEqual(yield* done, 3)
    })
  )

  it.live("is carried out again if its response is not to be stored", () =>
    Effect.gen(function* () {
      const { done, idempotency, sql, write } = yield* oneNode
      const work = Effect.as(write, { result: "refused", response: undefined })
      assert.strictEqual((yield* idempotency.run(request, work))._tag, "Executed")
      assert.strictEqual((yield* idempotency.run(request, work))._tag, "Executed")
      // The work is committed: a revocation commits although its response is a refusal.
      assert.strictEqual(yield* done, 2)
      assert.lengthOf(yield* sql`SELECT FROM idempotency_keys`, 0)
    })
  )

  it.live("stores its refusal and nothing of the work if its own transaction was rolled back", () =>
    Effect.gen(function* () {
      const { done, idempotency, transaction, write } = yield* oneNode
      const response = '{"error":{}}'
      const work = transaction
        .run(Effect.andThen(write, Effect.fail("refused")))
        .pipe(Effect.catch((result) => Effect.succeed({ result, response })))
      assert.deepStrictEqual(yield* idempotency.run(request, work), { _tag: "Executed", result: "refused" })
      assert.deepStrictEqual(yield* idempotency.run(request, work), { _tag: "Replayed", response })
      assert.strictEqual(yield* done, 0)
    })
  )

  it.effect("is stored for 24 hours by default, and then carried out again", () =>
    Effect.gen(function* () {
      const { done, idempotency, work } = yield* oneNode
      yield* idempotency.run(request, work)
      yield* TestClock.adjust("86399 seconds")
      assert.strictEqual((yield* idempotency.run(request, work))._tag, "Replayed")
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* idempotency.run(request, work))._tag, "Executed")
      assert.strictEqual(yield* done, 2)
      assert.strictEqual((yield* idempotency.run(request, work))._tag, "Replayed")
    })
  )

  it.live("is a conflict, and not carried out again, if its response was sealed with an unknown secret", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase.create
      const before = yield* node(url)
      yield* before.idempotency.run(request, before.work)
      const since = yield* node(url, undefined, boxOf("another secret for tests, of no use either"))
      const refused = yield* Effect.flip(since.idempotency.run(request, since.work))
      assert.instanceOf(refused, Conflict)
      assert.match(refused.message, /was carried out.*can no longer be read/u)
      assert.strictEqual(
        (yield* since.idempotency.run({ ...request, key: "new" }, since.work))._tag,
        "Executed"
      )
      assert.strictEqual((yield* before.idempotency.run(request, before.work))._tag, "Replayed")
      assert.strictEqual(yield* before.done, 2)
    }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
  )

  it.live("leaves neither its response nor its key or its content readable in the database", () =>
    Effect.gen(function* () {
      const { idempotency, sql, work } = yield* oneNode
      yield* idempotency.run({ ...request, key: "key in clear", content: "a password" }, work)
      const rows = JSON.stringify(yield* sql`SELECT * FROM idempotency_keys`)
      assert.include(rows, "sealed_response")
      assert.notMatch(rows, /secret answer|key in clear|password|business:1|201/u)
    })
  )
})
