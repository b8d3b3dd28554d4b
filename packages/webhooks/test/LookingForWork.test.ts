import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { arrange, ok } from "./Arrangement.ts"

describe("looking for work", () => {
  it.effect("a ring is answered at once, with no time passing", () =>
    Effect.gen(function* () {
      const { add, posts, run } = arrange(() => Effect.succeed(ok))
      const { ring } = yield* run()
      add()
      yield* ring
      assert.strictEqual(posts.length, 1)
    })
  )

  it.effect("with every ring lost, work is found within a second", () =>
    Effect.gen(function* () {
      const { add, posts, run } = arrange(() => Effect.succeed(ok))
      yield* run()
      yield* TestClock.adjust("10 seconds")
      add()
      yield* TestClock.adjust("1 second")
      assert.strictEqual(posts.length, 1)
    })
  )

  it.effect("while other processes keep finding it work, it is found within a quarter of a second", () =>
    Effect.gen(function* () {
      const { add, posts, run, state } = arrange(() => Effect.succeed(ok))
      yield* run()
      yield* TestClock.adjust("10 seconds")
      add()
      while (posts.length === 0) yield* TestClock.adjust("50 millis")
      for (let count = 2; count <= 40; count++) {
        add()
        yield* TestClock.adjust("250 millis")
        assert.strictEqual(posts.length, count)
      }
      const looks = state.claims
      yield* TestClock.adjust("60 seconds")
      assert.isAtMost(state.claims - looks, 90, "and then it is quiet again")
    })
  )

  it.effect("idle, it asks no more than 1.43 times a second", () =>
    Effect.gen(function* () {
      const { run, state } = arrange(() => Effect.succeed(ok))
      yield* run()
      yield* TestClock.adjust("60 seconds")
      assert.isAtLeast(state.claims, 66)
      assert.isAtMost(state.claims, 87)
    })
  )

  it.effect("a backlog flows as slots free, without waiting for the next look", () =>
    Effect.gen(function* () {
      const { add, posts, run } = arrange(() => Effect.succeed(ok))
      add(200)
      yield* run({ perEndpoint: 10 })
      yield* TestClock.adjust("200 millis")
      assert.strictEqual(posts.length, 200)
    })
  )

  it.effect("no more are under way than its bounds allow, in all and for one endpoint", () =>
    Effect.gen(function* () {
      let underWay = 0
      let most = 0
      const { add, posts, run } = arrange(() =>
        Effect.gen(function* () {
          underWay += 1
          most = Math.max(most, underWay)
          yield* Effect.sleep("1 second")
          underWay -= 1
          return ok
        })
      )
      add(30)
      yield* run({ concurrency: 5 })
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(most, 5)
      assert.strictEqual(posts.length, 30)
    })
  )
})
