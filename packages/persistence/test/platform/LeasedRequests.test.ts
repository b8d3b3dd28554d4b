import { Conflict, type IdempotentRequest, oncePerRequest } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, type Duration, Effect, Exit, Fiber } from "effect"
import type { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { joinAdvancing } from "../../../../test/support/Eventually.ts"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { node, nodes, request as booking } from "./IdempotencyNodes.ts"

const request: IdempotentRequest = { ...booking, callsOut: true }

/** Lets the time of the test pass step by step while the work uses the real database. */
const passing = <A, E, R>(
  sql: SqlClient.SqlClient,
  work: Effect.Effect<A, E, R>,
  step: Duration.Input = "1 second"
) =>
  Effect.flatMap(Effect.forkChild(work), (fiber) =>
    joinAdvancing(fiber, Effect.andThen(sql`SELECT`, TestClock.adjust(step)))
  )

/** A request whose process stops after its work has begun. It neither ends nor releases its lease. */
const stopped = Effect.fnUntraced(function* <E>(
  { idempotency }: Effect.Success<ReturnType<typeof nodes>>["one"],
  work: Effect.Effect<unknown, E> = Effect.void
) {
  const begun = yield* Deferred.make<void>()
  const resume = yield* Deferred.make<void>()
  const running = yield* Effect.forkScoped(
    idempotency.run(
      request,
      work.pipe(
        Effect.andThen(Deferred.succeed(begun, undefined)),
        Effect.andThen(Deferred.await(resume)),
        Effect.as({ result: "too late", response: '"too late"' })
      )
    )
  )
  yield* Deferred.await(begun)
  return { running, resume: Deferred.succeed(resume, undefined) }
})

describe("an idempotent request that calls an outside server", () => {
  it.live("is carried out once, and its repetitions get the first response", () =>
    Effect.gen(function* () {
      const { one, other } = yield* nodes()
      const { response } = one
      assert.deepStrictEqual(yield* one.idempotency.run(request, one.work), {
        _tag: "Executed",
        result: "worked"
      })
      for (const { idempotency, work } of [one, other])
        assert.deepStrictEqual(yield* idempotency.run(request, work), { _tag: "Replayed", response })
      assert.strictEqual(yield* one.done, 1)
    })
  )

  it.live("sent twenty times at once to two nodes is carried out once", () =>
    Effect.gen(function* () {
      const { one, other } = yield* nodes()
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : other)),
        ({ idempotency, work }) => idempotency.run(request, Effect.delay(work, "30 millis")),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        outcomes.filter(({ _tag }) => _tag === "Executed"),
        1
      )
      assert.strictEqual(yield* one.done, 1)
    })
  )

  it.effect("is refused after ten seconds on both nodes while the first one runs", () =>
    Effect.gen(function* () {
      const { one, other } = yield* nodes()
      yield* stopped(one)
      for (const { idempotency, work } of [one, other]) {
        const refused = yield* passing(one.sql, Effect.flip(idempotency.run(request, work)))
        assert.instanceOf(refused, Conflict)
        assert.include(refused.message, "still running")
      }
      assert.strictEqual(yield* one.done, 0)
    })
  )

  it.effect(
    "is a conflict at once with other content, while the first one runs and after its process has ended",
    () =>
      Effect.gen(function* () {
        const { one, other } = yield* nodes()
        yield* stopped(one)
        for (const time of ["0 seconds", "2 minutes"] as const) {
          yield* TestClock.adjust(time)
          const refused = yield* Effect.flip(
            other.idempotency.run({ ...request, content: "another" }, other.work)
          )
          assert.include(refused.message, "another request")
        }
      })
  )

  it.effect("is carried out again a minute after its process has ended, by one of two nodes", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase.create
      const [one, other, third] = [yield* node(url), yield* node(url), yield* node(url)]
      yield* stopped(one)
      yield* TestClock.adjust("61 seconds")
      const outcomes = yield* passing(
        one.sql,
        Effect.forEach([other, third], ({ idempotency, work }) => idempotency.run(request, work), {
          concurrency: "unbounded"
        }),
        "10 millis"
      )
      assert.deepStrictEqual(outcomes.map(({ _tag }) => _tag).toSorted(), ["Executed", "Replayed"])
      assert.strictEqual(yield* one.done, 1)
    })
  )

  it.effect("does not repeat a part that was committed before its process ended", () =>
    Effect.gen(function* () {
      const { one, other } = yield* nodes()
      const part = oncePerRequest("part", Effect.as(one.write, { invoice_id: 7 }))
      yield* stopped(one, part)
      yield* TestClock.adjust("61 seconds")
      const work = Effect.map(part, (result) => ({ result, response: "{}" }))
      assert.deepStrictEqual(yield* other.idempotency.run(request, work), {
        _tag: "Executed",
        result: { invoice_id: 7 }
      })
      assert.strictEqual(yield* one.done, 1)
    })
  )

  it.live("continues after its committed part when it is repeated after a failure", () =>
    Effect.gen(function* () {
      const { one } = yield* nodes()
      const part = oncePerRequest("part", Effect.as(one.write, 7))
      const failed = yield* Effect.exit(
        one.idempotency.run(request, Effect.andThen(part, Effect.die("lightning")))
      )
      assert.isTrue(Exit.isFailure(failed) && Cause.hasDies(failed.cause))
      const work = Effect.map(part, (result) => ({ result, response: undefined }))
      for (const _ of [1, 2])
        assert.deepStrictEqual(yield* one.idempotency.run(request, work), { _tag: "Executed", result: 7 })
      assert.strictEqual(yield* one.done, 1)
    })
  )

  it.live("leaves nothing of a part that fails, and no key", () =>
    Effect.gen(function* () {
      const { idempotency, sql, done, work, write } = (yield* nodes()).one
      const part = oncePerRequest("part", Effect.andThen(write, Effect.fail("refused")))
      assert.strictEqual(yield* Effect.flip(idempotency.run(request, part)), "refused")
      assert.deepStrictEqual([yield* done, (yield* sql`SELECT FROM idempotency_keys`).length], [0, 0])
      assert.strictEqual((yield* idempotency.run(request, work))._tag, "Executed")
    })
  )

  it.effect("changes nothing once another request has taken over its lease", () =>
    Effect.gen(function* () {
      const { one, other } = yield* nodes()
      const wait = yield* Deferred.make<void>()
      const late = Effect.andThen(Deferred.await(wait), oncePerRequest("part", Effect.as(one.write, 1)))
      const begun = yield* Deferred.make<void>()
      const first = yield* Effect.forkScoped(
        Effect.exit(
          one.idempotency.run(
            request,
            Deferred.succeed(begun, undefined).pipe(
              Effect.andThen(late),
              Effect.as({ result: "late", response: '"late"' })
            )
          )
        )
      )
      yield* Deferred.await(begun)
      yield* TestClock.adjust("61 seconds")
      const work = Effect.as(oncePerRequest("part", Effect.as(other.write, 2)), {
        result: "worked",
        response: '"worked"'
      })
      assert.strictEqual((yield* other.idempotency.run(request, work))._tag, "Executed")
      yield* Deferred.succeed(wait, undefined)
      const exit = yield* Fiber.join(first)
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      assert.strictEqual(yield* one.done, 1)
      assert.deepStrictEqual(yield* one.idempotency.run(request, work), {
        _tag: "Replayed",
        response: '"worked"'
      })
    })
  )

  it.effect("keeps the response of the request that took over, when the first one ends late", () =>
    Effect.gen(function* () {
      const { one, other } = yield* nodes()
      const first = yield* stopped(one)
      yield* TestClock.adjust("61 seconds")
      yield* other.idempotency.run(request, other.work)
      yield* first.resume
      assert.deepStrictEqual(yield* Fiber.join(first.running), { _tag: "Executed", result: "too late" })
      const { response } = other
      assert.deepStrictEqual(yield* other.idempotency.run(request, other.work), {
        _tag: "Replayed",
        response
      })
    })
  )
})
