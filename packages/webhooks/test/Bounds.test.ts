import { BusinessId, EndpointId, RetryPolicy } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { makeTestDispatcher, ok } from "./support/TestDispatcher.ts"

/** A clock whose monotonic time can be advanced without firing timers, as if the process had been stopped. */
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

  it.effect("leaves slots for others when as many attempts as it has slots hang for more than a second", () =>
    Effect.gen(function* () {
      const { add, posts, run } = makeTestDispatcher(({ url }) =>
        url.includes("hangs") ? Effect.never : Effect.succeed(ok)
      )
      for (let business = 1; business <= 10; business++)
        for (let endpoint = 1; endpoint <= 5; endpoint++)
          add(20, {
            businessId: BusinessId.make(business),
            endpointId: EndpointId.make(10 * business + endpoint),
            url: `https://hangs-${business}.example.org/`
          })
      yield* run({ concurrency: 500, perBusiness: 50 })
      yield* TestClock.adjust("200 millis")
      const postsTo = (host: string) => posts.filter(({ request }) => request.url.includes(host))
      assert.lengthOf(postsTo("hangs"), 500)
      add(300, {
        businessId: BusinessId.make(11),
        endpointId: EndpointId.make(200),
        url: "https://healthy.example.org/"
      })
      yield* TestClock.adjust("700 millis")
      assert.lengthOf(postsTo("healthy"), 0)
      yield* TestClock.adjust("600 millis")
      assert.lengthOf(postsTo("healthy"), 300)
      assert.lengthOf(postsTo("hangs"), 500)
    })
  )

  it.effect("holds four times its slots at most, however many attempts hang", () =>
    Effect.gen(function* () {
      const { add, posts, run } = makeTestDispatcher(() => Effect.never)
      for (let id = 1; id <= 50; id++)
        add(20, {
          businessId: BusinessId.make(id),
          endpointId: EndpointId.make(id),
          url: `https://hooks-${id}.example.org/`
        })
      yield* run({ concurrency: 10 })
      yield* TestClock.adjust("14 seconds")
      assert.lengthOf(posts, 40)
    })
  )

  it.effect("has two attempts at a time for an endpoint that times out, and all again once it responds", () =>
    Effect.gen(function* () {
      let responds = false
      const { add, posts, run } = makeTestDispatcher(() =>
        Effect.as(
          Effect.sleep(responds ? "100 millis" : "15 seconds"),
          responds ? ok : { responseStatus: null, acknowledged: false, error: "timeout", retryAfter: 0 }
        )
      )
      add(200)
      yield* run()
      assert.lengthOf(posts, 20)
      yield* TestClock.adjust("29 seconds")
      assert.lengthOf(posts, 22)
      responds = true
      yield* TestClock.adjust("5 seconds")
      assert.lengthOf(posts, 200)
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
          stopFor(BigInt(RetryPolicy.startTimeoutSeconds) * 1_000_000_000n + 1n)
          state.beforeClaim = Effect.void
        })
        yield* run({}, clock)
        yield* TestClock.adjust("10 millis")
        assert.lengthOf(state.released, 3)
        // A second claim in time sends them.
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
          // The POST is signed, and its connection is open.
          if (isFirst) stopFor(BigInt(RetryPolicy.sendTimeoutSeconds) * 1_000_000_000n + 1n)
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

  it.effect(
    "signs with the database's time when its own clock is off by more than a minute, and logs that once",
    () =>
      Effect.gen(function* () {
        const { add, posts, run, state, warnings } = makeTestDispatcher(() => Effect.succeed(ok))
        yield* TestClock.setTime(1_800_000_000_000)
        state.databaseAhead = 120_000
        add(3)
        yield* run({ perEndpoint: 1 })
        yield* TestClock.adjust("900 millis")
        assert.deepStrictEqual(
          posts.map(({ request }) => /^t=(\d+),/u.exec(request.headers["X-Service-Signature"] ?? "")?.[1]),
          ["1800000120", "1800000120", "1800000120"]
        )
        assert.deepStrictEqual(
          warnings.filter((text) => text.includes("clock")),
          [
            "The clock differs from the database's by more than a minute: webhooks are signed with the database's time"
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
