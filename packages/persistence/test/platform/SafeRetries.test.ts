import { Conflict } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Duration, Effect, Exit, Fiber, References, Schedule } from "effect"
import type { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { boxOf, node, nodes, request } from "./RetryNodes.ts"

const oneNode = Effect.map(nodes(), ({ one }) => one)

/** Waits until somebody waits for a lock in the database. */
const somebodyWaits = (sql: SqlClient.SqlClient) =>
  Effect.repeat(
    sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    { until: (rows) => rows.length > 0, schedule: Schedule.spaced("5 millis"), times: 1000 }
  )

/** Work that says when it has begun, and ends when told. */
const slowly = Effect.fnUntraced(function* <A, E>(work: Effect.Effect<A, E>) {
  const [begun, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  return {
    begun: Deferred.await(begun),
    end: Deferred.succeed(end, undefined),
    work: Deferred.succeed(begun, undefined).pipe(Effect.andThen(Deferred.await(end)), Effect.andThen(work))
  }
})

describe("a request that names itself", () => {
  it.live("is carried out once, and answered as before from then on", () =>
    Effect.gen(function* () {
      const { answer, done, retries, work } = yield* oneNode
      assert.deepStrictEqual(yield* retries.once(request, work), { _tag: "Done", result: "worked" })
      assert.deepStrictEqual(yield* retries.once(request, work), { _tag: "Again", answer })
      assert.strictEqual(yield* done, 1)
    })
  )

  it.live("sent twenty times at once to two nodes is carried out once", () =>
    Effect.gen(function* () {
      const { one, other } = yield* nodes()
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : other)),
        ({ retries, work }) => retries.once(request, work),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        outcomes.filter(({ _tag }) => _tag === "Done"),
        1
      )
      assert.strictEqual(yield* one.done, 1)
    })
  )

  it.live("waits for the first one, also on another node", () =>
    Effect.gen(function* () {
      const { one, other } = yield* nodes()
      const first = yield* slowly(one.work)
      const running = yield* Effect.forkChild(one.retries.once(request, first.work))
      yield* first.begun
      const waiting = yield* Effect.forkChild(other.retries.once(request, other.work))
      yield* somebodyWaits(one.sql)
      yield* first.end
      assert.strictEqual((yield* Fiber.join(running))._tag, "Done")
      assert.strictEqual((yield* Fiber.join(waiting))._tag, "Again")
      assert.strictEqual(yield* one.done, 1)
    })
  )

  it.live(
    "whose first one dies half way is carried out by the second, and nothing of the first is left",
    () =>
      Effect.gen(function* () {
        const { one, other } = yield* nodes()
        const first = yield* slowly(Effect.andThen(one.write, Effect.die("the power is out")))
        const running = yield* Effect.forkChild(Effect.exit(one.retries.once(request, first.work)))
        yield* first.begun
        const waiting = yield* Effect.forkChild(other.retries.once(request, other.work))
        yield* somebodyWaits(one.sql)
        yield* first.end
        const exit = yield* Fiber.join(running)
        assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
        assert.strictEqual((yield* Fiber.join(waiting))._tag, "Done")
        assert.strictEqual(yield* one.done, 1)
      })
  )

  it.live("whose first one went away is carried out by the second", () =>
    Effect.gen(function* () {
      const { done, retries, work, write } = yield* oneNode
      const begun = yield* Deferred.make<void>()
      const running = yield* Effect.forkChild(
        retries.once(
          request,
          write.pipe(Effect.andThen(Deferred.succeed(begun, undefined)), Effect.andThen(Effect.never))
        )
      )
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(running)
      assert.strictEqual((yield* retries.once(request, work))._tag, "Done")
      assert.strictEqual(yield* done, 1)
    })
  )

  it.live("is told to come again when the first one takes too long", () =>
    Effect.gen(function* () {
      const { one, other } = yield* nodes(Duration.millis(100))
      const first = yield* slowly(one.work)
      const running = yield* Effect.forkChild(one.retries.once(request, first.work))
      yield* first.begun
      const refused = yield* Effect.flip(other.retries.once(request, other.work))
      assert.instanceOf(refused, Conflict)
      assert.include(refused.message, "still running")
      yield* first.end
      yield* Fiber.join(running)
      assert.strictEqual((yield* other.retries.once(request, other.work))._tag, "Again")
    })
  )

  it.effect("is told to come again when the first one on the same node takes too long", () =>
    Effect.gen(function* () {
      const { one } = yield* nodes()
      const first = yield* slowly(one.work)
      const running = yield* Effect.forkChild(one.retries.once(request, first.work))
      yield* first.begun
      const waiting = yield* Effect.forkChild(Effect.flip(one.retries.once(request, one.work)))
      // It comes to wait in its own time: let the clock run on until it has had enough.
      const clock = Effect.forever(Effect.andThen(one.done, TestClock.adjust("1 second")))
      assert.instanceOf(yield* Effect.raceFirst(Fiber.join(waiting), clock), Conflict)
      yield* first.end
      yield* Fiber.join(running)
      assert.strictEqual(yield* one.done, 1)
    })
  )

  it.live("that goes away while it waits leaves the line to the next", () =>
    Effect.gen(function* () {
      const { one } = yield* nodes()
      const first = yield* slowly(one.work)
      const running = yield* Effect.forkChild(one.retries.once(request, first.work))
      yield* first.begun
      const waiting = yield* Effect.forkChild(one.retries.once(request, one.work))
      const next = yield* Effect.forkChild(one.retries.once(request, one.work))
      yield* one.done
      yield* Fiber.interrupt(waiting)
      yield* first.end
      assert.strictEqual((yield* Fiber.join(running))._tag, "Done")
      assert.strictEqual((yield* Fiber.join(next))._tag, "Again")
    })
  )

  it.live("is a conflict under the key of another request, and another's own affair", () =>
    Effect.gen(function* () {
      const { done, retries, work } = yield* oneNode
      yield* retries.once(request, work)
      const other = yield* Effect.flip(retries.once({ ...request, content: "POST /trips\n{ }" }, work))
      assert.instanceOf(other, Conflict)
      const others = [{ caller: "business:2" }, { key: "K" }]
      for (const asked of others)
        assert.strictEqual((yield* retries.once({ ...request, ...asked }, work))._tag, "Done")
      assert.strictEqual(yield* done, 3)
    })
  )

  it.live("whose answer is not to be kept may be carried out again", () =>
    Effect.gen(function* () {
      const { done, retries, sql, write } = yield* oneNode
      const work = Effect.as(write, { result: "refused", repeatable: undefined })
      assert.strictEqual((yield* retries.once(request, work))._tag, "Done")
      assert.strictEqual((yield* retries.once(request, work))._tag, "Done")
      // What such work did stands: a revocation commits although its answer is a refusal.
      assert.strictEqual(yield* done, 2)
      assert.lengthOf(yield* sql`SELECT FROM kept_answers`, 0)
    })
  )

  it.live("whose own transaction was rolled back keeps its refusal, and nothing of the work", () =>
    Effect.gen(function* () {
      const { done, retries, transaction, write } = yield* oneNode
      const answer = { status: 422, body: '{"error":{}}', headers: {} }
      const work = transaction
        .run(Effect.andThen(write, Effect.fail("refused")))
        .pipe(Effect.catch((result) => Effect.succeed({ result, repeatable: answer })))
      assert.deepStrictEqual(yield* retries.once(request, work), { _tag: "Done", result: "refused" })
      assert.deepStrictEqual(yield* retries.once(request, work), { _tag: "Again", answer })
      assert.strictEqual(yield* done, 0)
    })
  )

  it.effect("is remembered for 24 hours, and then its answer is removed", () =>
    Effect.gen(function* () {
      const { done, retries, sql, work } = yield* oneNode
      yield* retries.once(request, work)
      yield* retries.once({ ...request, key: "never again" }, work)
      yield* TestClock.adjust("86399 seconds")
      assert.strictEqual((yield* retries.once(request, work))._tag, "Again")
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* retries.once(request, work))._tag, "Done")
      assert.strictEqual(yield* done, 3)
      yield* TestClock.adjust("10 minutes")
      // The removal runs by itself: look until it has.
      const left = yield* Effect.repeat(sql`SELECT FROM kept_answers`, {
        until: (rows) => rows.length < 2,
        times: 500
      })
      assert.lengthOf(left, 1)
      assert.strictEqual((yield* retries.once(request, work))._tag, "Again")
    })
  )

  it.live("whose answer no secret opens any more is a conflict, and not carried out again", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase.create
      const before = yield* node(url)
      yield* before.retries.once(request, before.work)
      const since = yield* node(url, undefined, boxOf("another secret for tests, of no use either"))
      const refused = yield* Effect.flip(since.retries.once(request, since.work))
      assert.instanceOf(refused, Conflict)
      assert.match(refused.message, /was carried out.*can no longer be shown/u)
      assert.strictEqual((yield* since.retries.once({ ...request, key: "new" }, since.work))._tag, "Done")
      assert.strictEqual((yield* before.retries.once(request, before.work))._tag, "Again")
      assert.strictEqual(yield* before.done, 2)
    }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
  )

  it.live("leaves neither its answer nor its key or its content to be read in the database", () =>
    Effect.gen(function* () {
      const { retries, sql, work } = yield* oneNode
      yield* retries.once({ ...request, key: "key in clear", content: "a password" }, work)
      const rows = JSON.stringify(yield* sql`SELECT * FROM kept_answers`)
      assert.include(rows, "sealed_answer")
      assert.notMatch(rows, /secret answer|key in clear|password|business:1|201/u)
    })
  )
})
