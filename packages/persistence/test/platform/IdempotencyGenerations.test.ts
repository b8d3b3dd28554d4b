import { Conflict, leastResponseRetention, oncePerRequest, ResponseRetention } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { sweepKeys } from "../../src/platform/IdempotencyGenerations.ts"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { node, nodes, request } from "./IdempotencyNodes.ts"

type Node = Effect.Success<ReturnType<typeof node>>

const sweep = ({ sql }: Node) => Effect.provideService(sweepKeys(1), SqlClient.SqlClient, sql)

/** Lets the current generation become older than the period of a day, and starts the next one. */
const rotate = Effect.fnUntraced(function* (on: Node) {
  yield* on.sql`UPDATE table_generations SET started_at = started_at - interval '25 hours'
    WHERE table_name = 'idempotency_keys'`
  return yield* sweep(on)
})

const keysOf = ({ sql }: Node) =>
  Effect.map(
    Effect.all([sql`SELECT FROM idempotency_keys`, sql`SELECT FROM idempotency_keys_previous`]),
    (tables) => tables.map((rows) => rows.length)
  )

const leased = { ...request, callsOut: true }

/** Starts a request that calls out on a node, and returns when its lease has begun. */
const started = Effect.fnUntraced(function* (on: Node, end: "stored" | "given up" | "part") {
  const [begun, wait] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const work = Effect.gen(function* () {
    yield* Deferred.succeed(begun, undefined)
    yield* Deferred.await(wait)
    if (end === "part") yield* oncePerRequest("part", Effect.as(on.write, 7))
    else yield* on.write
    return { result: "worked", response: end === "given up" ? undefined : '"first"' }
  })
  const fiber = yield* Effect.forkChild(on.idempotency.run(leased, work))
  yield* Deferred.await(begun)
  return { end: Effect.andThen(Deferred.succeed(wait, undefined), Fiber.join(fiber)) }
})

describe("idempotency keys are dropped with their generation", () => {
  it.live("a day after the generation has ended, and no row is deleted", () =>
    Effect.gen(function* () {
      const { one } = yield* nodes()
      yield* one.idempotency.run(request, one.work)
      assert.strictEqual(yield* sweep(one), 0)
      assert.deepStrictEqual(yield* keysOf(one), [1, 0])
      assert.strictEqual(yield* rotate(one), 1)
      assert.deepStrictEqual(yield* keysOf(one), [0, 1])
      assert.strictEqual(yield* sweep(one), 0)
      const tableOf = one.sql`SELECT 'idempotency_keys_previous'::regclass::oid::text AS id`
      const before = yield* tableOf
      assert.strictEqual(yield* rotate(one), 1)
      assert.deepStrictEqual(yield* keysOf(one), [0, 0])
      assert.notDeepEqual(yield* tableOf, before)
    })
  )

  it.live("by one of several nodes that sweep at the same time", () =>
    Effect.gen(function* () {
      const { one, other } = yield* nodes()
      yield* one.idempotency.run(request, one.work)
      yield* one.sql`UPDATE table_generations SET started_at = started_at - interval '25 hours'`
      const dropped = yield* Effect.all([sweep(one), sweep(other), sweep(one)], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        dropped.toSorted((a, b) => a - b),
        [0, 0, 1]
      )
      assert.deepStrictEqual(yield* keysOf(one), [0, 1])
    })
  )

  it.live("only after the current one was not empty", () =>
    Effect.gen(function* () {
      const { one } = yield* nodes()
      assert.strictEqual(yield* rotate(one), 0)
    })
  )

  it.live("and the next generation has the same columns, key and comments", () =>
    Effect.gen(function* () {
      const { one } = yield* nodes()
      const shape = Effect.all([
        one.sql`SELECT column_name, data_type, is_nullable, column_default,
            col_description('idempotency_keys'::regclass, ordinal_position::int) AS comment
          FROM information_schema.columns WHERE table_name = 'idempotency_keys' ORDER BY 1`,
        one.sql`SELECT indexname, indexdef FROM pg_indexes WHERE tablename LIKE 'idempotency_keys%' ORDER BY 1`,
        one.sql`SELECT conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint
          WHERE conrelid IN ('idempotency_keys'::regclass, 'idempotency_keys_previous'::regclass) ORDER BY 1, 2`
      ])
      const first = yield* shape
      for (let round = 0; round < 3; round++) {
        yield* one.idempotency.run({ ...request, key: `k${round}` }, one.work)
        assert.strictEqual(yield* rotate(one), 1)
      }
      assert.deepStrictEqual(yield* shape, first)
    })
  )
})

describe("a request whose key is in the previous generation", () => {
  it.live("is replayed, on every node, also when its statements are prepared", () =>
    Effect.gen(function* () {
      const { one, other } = yield* nodes()
      for (let n = 0; n < 10; n++) yield* one.idempotency.run({ ...request, key: `k${n % 5}` }, one.work)
      assert.strictEqual(yield* one.done, 5)
      yield* rotate(one)
      for (let n = 0; n < 5; n++)
        for (const { idempotency, work } of [other, one])
          assert.strictEqual((yield* idempotency.run({ ...request, key: `k${n}` }, work))._tag, "Replayed")
      assert.strictEqual(yield* one.done, 5)
      assert.deepStrictEqual(yield* keysOf(one), [5, 0])
      const refused = yield* Effect.flip(
        one.idempotency.run({ ...request, content: "another", key: "k1" }, one.work)
      )
      assert.instanceOf(refused, Conflict)
    })
  )

  it.live("is replayed to each of many concurrent requests on three nodes", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase.create
      const all = [yield* node(url), yield* node(url), yield* node(url)]
      const [one] = all as [Node, ...Array<Node>]
      yield* one.idempotency.run(request, one.work)
      yield* rotate(one)
      const outcomes = yield* Effect.forEach(
        [...all, ...all, ...all],
        ({ idempotency, work }) => idempotency.run(request, work),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(new Set(outcomes.map(({ _tag }) => _tag)), new Set(["Replayed"]))
      assert.deepStrictEqual(yield* keysOf(one), [1, 0])
    })
  )

  it.live("is carried out once while generations end", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase.create
      const all = [yield* node(url), yield* node(url), yield* node(url)]
      const [one] = all as [Node, ...Array<Node>]
      const keys = Array.from({ length: 15 }, (_, n) => ({ ...request, key: `k${n}` }))
      const asked = Effect.forEach(
        keys,
        (key) =>
          Effect.forEach(all, ({ idempotency, work }) => idempotency.run(key, work), {
            concurrency: "unbounded"
          }),
        { discard: true }
      )
      const once = Effect.ignoreCause(Effect.delay(rotate(one), "50 millis"))
      yield* Effect.all([asked, once], { concurrency: "unbounded" })
      yield* asked
      assert.strictEqual(yield* one.done, 15)
    })
  )

  it.live("may be used anew when its period has passed, under a later lease", () =>
    Effect.gen(function* () {
      const { one } = yield* nodes()
      yield* one.idempotency.run(request, one.work)
      const [first] = yield* one.sql<{ lease: number }>`SELECT lease FROM idempotency_keys`
      yield* rotate(one)
      yield* one.sql`UPDATE idempotency_keys_previous SET created_at = created_at - interval '24 hours'`
      assert.strictEqual((yield* one.idempotency.run(request, one.work))._tag, "Executed")
      assert.strictEqual((yield* one.idempotency.run(request, one.work))._tag, "Replayed")
      const [next] = yield* one.sql<{ lease: number }>`SELECT lease FROM idempotency_keys`
      assert.isAbove(next?.lease ?? 0, first?.lease ?? 0)
      assert.deepStrictEqual(yield* keysOf(one), [1, 0])
    })
  )

  it.live("stays in the previous generation if its transaction is rolled back", () =>
    Effect.gen(function* () {
      const { one } = yield* nodes()
      yield* one.idempotency.run(request, one.work)
      yield* rotate(one)
      const undone = one.transaction.run(
        Effect.andThen(one.idempotency.run(request, one.work), Effect.fail("no"))
      )
      assert.strictEqual(yield* Effect.flip(undone), "no")
      assert.deepStrictEqual(yield* keysOf(one), [0, 1])
      assert.strictEqual((yield* one.idempotency.run(request, one.work))._tag, "Replayed")
    })
  )
})

describe("a request that calls out while its generation ends", () => {
  it.live("stores its response", () =>
    Effect.gen(function* () {
      const { one, other } = yield* nodes()
      const running = yield* started(one, "stored")
      yield* rotate(other)
      assert.strictEqual((yield* running.end)._tag, "Executed")
      const again = yield* other.idempotency.run(leased, other.work)
      assert.deepStrictEqual(again, { _tag: "Replayed", response: '"first"' })
      assert.strictEqual(yield* one.done, 1)
    })
  )

  it.live("stores the result of its part with it", () =>
    Effect.gen(function* () {
      const { one, other } = yield* nodes()
      const running = yield* started(one, "part")
      yield* rotate(other)
      yield* running.end
      assert.deepStrictEqual(yield* keysOf(one), [1, 0])
      assert.strictEqual((yield* other.idempotency.run(leased, other.work))._tag, "Replayed")
    })
  )

  it.live("frees its key if it gives up", () =>
    Effect.gen(function* () {
      const { one, other } = yield* nodes()
      const running = yield* started(one, "given up")
      yield* rotate(other)
      yield* running.end
      assert.deepStrictEqual(yield* keysOf(one), [0, 0])
      const next = yield* other.idempotency.run({ ...leased, content: "another" }, other.work)
      assert.strictEqual(next._tag, "Executed")
    })
  )

  it.live("makes a repeated request wait for its end", () =>
    Effect.gen(function* () {
      const { one, other } = yield* nodes(Duration.seconds(5))
      const running = yield* started(one, "stored")
      yield* rotate(other)
      const second = yield* Effect.forkChild(other.idempotency.run(leased, other.work))
      yield* running.end
      assert.deepStrictEqual(yield* Fiber.join(second), { _tag: "Replayed", response: '"first"' })
      assert.strictEqual(yield* one.done, 1)
    })
  )
})

it.effect("the period of the setting decides how long a response is repeated", () =>
  Effect.gen(function* () {
    const { url } = yield* TestDatabase.create
    let period = Duration.days(3)
    const { done, idempotency, work } = yield* node(url).pipe(
      Effect.provideService(ResponseRetention, () => period)
    )
    yield* idempotency.run(request, work)
    yield* TestClock.adjust("71 hours")
    assert.strictEqual((yield* idempotency.run(request, work))._tag, "Replayed")
    period = leastResponseRetention
    assert.strictEqual((yield* idempotency.run(request, work))._tag, "Executed")
    assert.strictEqual(yield* done, 2)
  })
)
