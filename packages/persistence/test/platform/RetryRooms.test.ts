import { type NamedRequest, TooManyRequests } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { type node, nodes, request } from "./RetryNodes.ts"

/** Sends requests whose work never ends, each under a key of its own, until so many of them are at it. */
const hang = Effect.fnUntraced(function* (
  { retries, sql }: Effect.Success<ReturnType<typeof node>>,
  requests: ReadonlyArray<Partial<NamedRequest>>,
  atWork: number
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
      Effect.forkScoped(Effect.ignore(retries.once({ ...request, key: `${index}`, ...asked }, never))),
    { discard: true }
  )
  yield* Effect.repeat(sql`SELECT`, { until: () => counter.begun >= atWork, times: 5000 })
  assert.strictEqual(counter.begun, atWork)
  return counter
})

const times = (count: number, asked: Partial<NamedRequest>) => Array.from({ length: count }, () => asked)

const upload = { asksOthers: true } as const
const stranger = (name: string) => ({ door: "public", guest: name, caller: name }) as const
const owner = (id: number) => ({ guest: `business:${id}`, caller: `business:${id}` })

describe("requests that name themselves", () => {
  it.live("and wait for somebody else's server hold up nobody's that do not", () =>
    Effect.gen(function* () {
      const { one } = yield* nodes()
      const uploads = [1, 2, 3].flatMap((id) => times(3, { ...owner(id), ...upload }))
      const signIns = [1, 2, 3].flatMap((id) => times(3, { ...stranger(`address:${id}`), ...upload }))
      yield* hang(one, [...uploads, ...signIns.map((asked, index) => ({ ...asked, key: `idp ${index}` }))], 4)
      for (const asked of [owner(1), owner(2), owner(9), stranger("address:9")])
        assert.strictEqual(
          (yield* one.retries.once({ ...request, ...asked, key: "new" }, one.work))._tag,
          "Done"
        )
    })
  )

  it.live("of one guest never take all the rooms of a door, nor all of those that wait for others", () =>
    Effect.gen(function* () {
      const { one } = yield* nodes()
      yield* hang(one, times(12, owner(1)), 2)
      const next = { ...request, ...owner(2), key: "new" }
      assert.strictEqual((yield* one.retries.once(next, one.work))._tag, "Done")
      yield* hang(one, times(12, { ...owner(3), ...upload }), 1)
      assert.strictEqual(
        (yield* one.retries.once({ ...next, ...upload, key: "newer" }, one.work))._tag,
        "Done"
      )
      yield* hang(one, times(12, { ...stranger("address:1"), ...upload }), 1)
      const other = { ...request, ...stranger("address:2") }
      assert.strictEqual((yield* one.retries.once(other, one.work))._tag, "Done")
      const signIn = { ...other, ...upload, key: "new" }
      assert.strictEqual((yield* one.retries.once(signIn, one.work))._tag, "Done")
    })
  )

  it.live("hold eight connections at most, whoever they are, and leave the others' to the others", () =>
    Effect.gen(function* () {
      const { one } = yield* nodes()
      const all = Array.from({ length: 10 }, (_, id) => [
        owner(id),
        { ...owner(id), ...upload, key: `upload ${id}` },
        { ...stranger(`address:${id}`), key: `sign up ${id}` },
        { ...stranger(`address:${id}`), ...upload, key: `sign in ${id}` }
      ])
      const counter = yield* hang(one, all.flat(), 8)
      yield* Effect.all([one.done, one.done, one.done], { concurrency: "unbounded" })
      assert.strictEqual(counter.begun, 8)
    })
  )

  it.effect("and find no room are told so after two seconds, not that they run already", () =>
    Effect.gen(function* () {
      const { one } = yield* nodes()
      yield* hang(
        one,
        [1, 2, 3].flatMap((id) => times(2, owner(id))),
        5
      )
      const waiting = yield* Effect.forkChild(
        Effect.flip(one.retries.once({ ...request, ...owner(9), key: "new" }, one.work))
      )
      yield* one.done
      yield* TestClock.adjust("1900 millis")
      yield* one.done
      assert.isUndefined(waiting.pollUnsafe())
      // It came to wait in its own time: let the clock run on until it has had enough.
      const clock = Effect.forever(Effect.andThen(one.done, TestClock.adjust("100 millis")))
      const refused = yield* Effect.raceFirst(Fiber.join(waiting), clock)
      assert.instanceOf(refused, TooManyRequests)
      assert.strictEqual(yield* one.done, 0)
    })
  )
})
