import { BusinessId, EndpointId, RetryPolicy } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { makeTestDispatcher, ok } from "./support/TestDispatcher.ts"

/** A clock whose monotonic time can be advanced alone, as when a process is stopped: none of its timers fire then. */
const stoppableClock = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  let stoppedFor = 0n
  const monotonic = () => clock.monotonicTimeNanosUnsafe() + stoppedFor
  return {
    stopFor: (nanos: bigint) => {
      stoppedFor += nanos
    },
    clock: Clock.Clock.of({
      currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
      currentTimeMillis: clock.currentTimeMillis,
      currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
      currentTimeNanos: clock.currentTimeNanos,
      monotonicTimeNanosUnsafe: monotonic,
      monotonicTimeNanos: Effect.sync(monotonic),
      sleep: (duration) => clock.sleep(duration)
    })
  }
})

describe("a dispatcher", () => {
  it.effect("leaves slots for other businesses when twenty endpoints of one hang", () =>
    Effect.gen(function* () {
      const { add, posts, run } = makeTestDispatcher(({ url }) =>
        url.includes("hangs") ? Effect.never : Effect.succeed(ok)
      )
      for (let endpoint = 1; endpoint <= 20; endpoint++)
        add(20, { endpointId: EndpointId.make(endpoint), url: `https://hangs.example.org/${endpoint}` })
      const other = { businessId: BusinessId.make(2), endpointId: EndpointId.make(99) }
      add(30, { ...other, url: "https://healthy.example.org/" })
      yield* run()
      yield* TestClock.adjust("6 seconds")
      const postsTo = (host: string) => posts.filter(({ request }) => request.url.includes(host))
      assert.lengthOf(postsTo("hangs"), 100)
      assert.lengthOf(postsTo("healthy"), 30)
    })
  )

  it.effect(
    "releases claims that are too old to be sent: by then the disabling of their endpoint may have been answered",
    () =>
      Effect.gen(function* () {
        const { add, posts, run, state } = makeTestDispatcher(() => Effect.succeed(ok))
        add(3)
        const { clock, stopFor } = yield* stoppableClock
        // While it claims, the process is stopped.
        state.beforeClaim = Effect.sync(() => {
          stopFor(BigInt(RetryPolicy.startsWithinSeconds) * 1_000_000_000n + 1n)
          state.beforeClaim = Effect.void
        })
        yield* run({}, clock)
        yield* TestClock.adjust("10 millis")
        assert.lengthOf(state.released, 3)
        // Claimed again, in time, they are sent.
        yield* TestClock.adjust("3 seconds")
        assert.lengthOf(posts, 3)
      })
  )

  it.effect(
    "releases a delivery when its process was stopped between the claim and the first byte of its POST",
    () =>
      Effect.gen(function* () {
        const { clock, stopFor } = yield* stoppableClock
        let isFirst = true
        const { add, posts, run, state } = makeTestDispatcher(({ mayStart = () => true }) => {
          // The POST has been signed, and its connection is there.
          if (isFirst) stopFor(BigInt(RetryPolicy.sendsWithinSeconds) * 1_000_000_000n + 1n)
          isFirst = false
          return Effect.succeed(mayStart() ? ok : "unsent")
        })
        add()
        yield* run({}, clock)
        yield* TestClock.adjust("3 seconds")
        assert.deepStrictEqual([state.released.length, posts.length, state.recorded.length], [1, 2, 1])
        assert.strictEqual(
          state.recorded[0]?.delivery.attempt,
          1,
          "the attempt that was not made does not count"
        )
      })
  )

  it.effect("cuts off a sender that does not end in its time, and tries its deliveries again", () =>
    Effect.gen(function* () {
      const { add, run, state } = makeTestDispatcher(() => Effect.never)
      add(2)
      yield* run()
      yield* TestClock.adjust(`${RetryPolicy.longestAttemptSeconds} seconds`)
      assert.lengthOf(state.recorded, 0)
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(
        state.recorded.map(({ acknowledged, error, retryIn }) => [
          acknowledged,
          error,
          retryIn !== null && retryIn >= 60
        ]),
        [
          [false, "timeout", true],
          [false, "timeout", true]
        ]
      )
    })
  )

  it.effect("signs with each valid secret, the newest first", () =>
    Effect.gen(function* () {
      const { add, posts, run } = makeTestDispatcher(() => Effect.succeed(ok))
      add(1, { sealedSecret: "sealed:new", retiredSecrets: ["sealed:old", "sealed:older"] })
      yield* run()
      const [post] = posts
      assert.match(post?.request.headers["X-Service-Signature"] ?? "", /^t=\d+,v1=new,v1=old,v1=older$/u)
    })
  )
})
