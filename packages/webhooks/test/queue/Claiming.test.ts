import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { eventuallyHolds } from "../../../../test/support/Eventually.ts"
import { makeTestDispatcher, ok } from "../support/TestDispatcher.ts"

describe("claiming", () => {
  it.effect("follows a notification at once, with no time passing", () =>
    Effect.gen(function* () {
      const { add, posts, run } = makeTestDispatcher(() => Effect.succeed(ok))
      const { notify } = yield* run()
      add()
      yield* notify
      assert.strictEqual(posts.length, 1)
    })
  )

  it.effect("finds work within a second when every notification is lost", () =>
    Effect.gen(function* () {
      const { add, posts, run } = makeTestDispatcher(() => Effect.succeed(ok))
      yield* run()
      yield* TestClock.adjust("10 seconds")
      add()
      yield* TestClock.adjust("1 second")
      assert.strictEqual(posts.length, 1)
    })
  )

  it.effect("finds work of other processes within a quarter of a second while there is some", () =>
    Effect.gen(function* () {
      const { add, posts, run, state } = makeTestDispatcher(() => Effect.succeed(ok))
      yield* run()
      yield* TestClock.adjust("10 seconds")
      add()
      yield* eventuallyHolds(
        Effect.sync(() => posts.length > 0),
        TestClock.adjust("50 millis")
      )
      for (let count = 2; count <= 40; count++) {
        add()
        yield* TestClock.adjust("250 millis")
        assert.strictEqual(posts.length, count)
      }
      const polls = state.claims
      yield* TestClock.adjust("60 seconds")
      assert.isAtMost(state.claims - polls, 90, "and polls less when there is no more")
    })
  )

  it.effect("polls at most 1.43 times a second when idle", () =>
    Effect.gen(function* () {
      const { run, state } = makeTestDispatcher(() => Effect.succeed(ok))
      yield* run()
      yield* TestClock.adjust("60 seconds")
      assert.isAtLeast(state.claims, 66)
      assert.isAtMost(state.claims, 87)
    })
  )

  it.effect("sends a backlog as slots are freed, without waiting for the next poll", () =>
    Effect.gen(function* () {
      const { add, posts, run } = makeTestDispatcher(() => Effect.succeed(ok))
      add(200)
      yield* run({ perEndpoint: 10 })
      yield* TestClock.adjust("200 millis")
      assert.strictEqual(posts.length, 200)
    })
  )

  it.effect("keeps to the bound of deliveries in flight", () =>
    Effect.gen(function* () {
      let underWay = 0
      let most = 0
      const { add, posts, run } = makeTestDispatcher(() =>
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
