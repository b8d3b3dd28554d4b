import { type IdempotentRequest, TooManyRequests } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { joinAdvancing } from "../../../../test/support/Eventually.ts"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { node, nodes, request } from "./IdempotencyNodes.ts"

/** Sends requests whose work never ends, each under another key, until that many of them run. */
const hang = Effect.fnUntraced(function* (
  { idempotency, sql }: Effect.Success<ReturnType<typeof node>>,
  requests: ReadonlyArray<Partial<IdempotentRequest>>,
  running: number
) {
  const counter = { begun: 0 }
  const never = Effect.andThen(
    Effect.sync(() => {
      counter.begun += 1
    }),
    Effect.never
  )
  yield* Effect.forEach(
    requests,
    (asked, index) =>
      Effect.forkScoped(Effect.ignore(idempotency.run({ ...request, key: `${index}`, ...asked }, never))),
    { discard: true }
  )
  yield* Effect.repeat(sql`SELECT`, { until: () => counter.begun >= running, times: 5000 })
  assert.strictEqual(counter.begun, running)
  return counter
})

const times = (count: number, asked: Partial<IdempotentRequest>) => Array.from({ length: count }, () => asked)

const stranger = (name: string) => ({ scope: "public", tenant: name, caller: name }) as const
const owner = (id: number) => ({ tenant: `business:${id}`, caller: `business:${id}` })

describe("idempotent requests", () => {
  it.live("that wait for an outside server hold no connection, and need no slot", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase.create
      const one = yield* node(url, undefined, undefined, 1)
      yield* hang(one, times(40, { ...owner(1), callsOut: true }), 40)
      for (const asked of [
        owner(1),
        owner(2),
        stranger("address:9"),
        { ...owner(1), callsOut: true, key: "newer" }
      ])
        assert.strictEqual(
          (yield* one.idempotency.run({ ...request, key: "new", ...asked }, one.work))._tag,
          "Executed"
        )
    })
  )

  it.live("of one tenant never take all slots of a scope", () =>
    Effect.gen(function* () {
      const { one } = yield* nodes()
      yield* hang(one, times(12, owner(1)), 2)
      const next = { ...request, ...owner(2), key: "new" }
      assert.strictEqual((yield* one.idempotency.run(next, one.work))._tag, "Executed")
      yield* hang(one, times(12, stranger("address:1")), 1)
      const other = { ...request, ...stranger("address:2") }
      assert.strictEqual((yield* one.idempotency.run(other, one.work))._tag, "Executed")
    })
  )

  it.live("hold eight connections at most and leave the rest to other requests", () =>
    Effect.gen(function* () {
      const { one } = yield* nodes()
      const all = Array.from({ length: 10 }, (_, id) => [
        owner(id),
        { ...stranger(`address:${id}`), key: `sign up ${id}` }
      ])
      const counter = yield* hang(one, all.flat(), 8)
      yield* Effect.all([one.done, one.done, one.done], { concurrency: "unbounded" })
      assert.strictEqual(counter.begun, 8)
    })
  )

  it.effect("that find no slot are refused as such after two seconds, not as still running", () =>
    Effect.gen(function* () {
      const { one } = yield* nodes()
      yield* hang(
        one,
        [1, 2, 3].flatMap((id) => times(2, owner(id))),
        5
      )
      const waiting = yield* Effect.forkChild(
        Effect.flip(one.idempotency.run({ ...request, ...owner(9), key: "new" }, one.work))
      )
      yield* one.done
      yield* TestClock.adjust("1900 millis")
      yield* one.done
      assert.isUndefined(waiting.pollUnsafe())
      // The start of its wait is not known, so the clock is advanced until it times out.
      const advance = Effect.andThen(one.done, TestClock.adjust("100 millis"))
      const refused = yield* joinAdvancing(waiting, advance)
      assert.instanceOf(refused, TooManyRequests)
      assert.strictEqual(yield* one.done, 0)
    })
  )
})
