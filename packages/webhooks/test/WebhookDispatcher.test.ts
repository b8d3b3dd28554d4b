import { Cryptography, DeliveryQueue, RetryPolicy, Signature, verify, WorkNotifier } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Schedule } from "effect"
import { TestClock } from "effect/testing"
import * as WebhookDispatcher from "../src/WebhookDispatcher.ts"
import type { SendOutcome } from "../src/posting/SendOutcome.ts"
import { WebhookSender } from "../src/posting/WebhookSender.ts"
import { receiver } from "./support/LoopbackServers.ts"
import { makeMemoryQueue } from "./support/MemoryQueue.ts"
import { busy, makeTestDispatcher, ok, secretBox } from "./support/TestDispatcher.ts"

const gaps = (posts: ReadonlyArray<{ readonly at: number }>) =>
  posts.slice(1).map(({ at }, index) => (at - (posts[index]?.at ?? 0)) / 1000)

// Seconds: a retry is sent by the first poll after it is due, and a result is written a moment after the attempt.
const pollDelay = 1

describe("retries", () => {
  it.effect(
    "end after six attempts, each after its shortest wait or up to a tenth later; then the delivery has failed",
    () =>
      Effect.gen(function* () {
        const { add, posts, run, stored } = makeTestDispatcher(() => Effect.succeed(busy))
        add()
        yield* run()
        yield* TestClock.adjust("2 hours")
        assert.strictEqual(posts.length, 6)
        for (const [index, gap] of gaps(posts).entries()) {
          const floor = RetryPolicy.minimumWaits[index] ?? 0
          assert.isAtLeast(gap, floor)
          assert.isAtMost(gap, floor * 1.1 + pollDelay)
        }
        assert.deepStrictEqual(
          stored.map(({ attempt, status }) => [attempt, status]),
          [[6, "failed"]]
        )
      })
  )

  it.effect("Retry-After lengthens a wait, to 16 minutes at most, and never shortens it", () =>
    Effect.gen(function* () {
      const asked = [100, 5, 100_000]
      const { add, posts, run } = makeTestDispatcher((_, nth) =>
        Effect.succeed({ ...busy, retryAfter: asked[nth - 1] ?? 0 })
      )
      add()
      yield* run()
      yield* TestClock.adjust("2 hours")
      const [first = 0, second = 0, third = 0] = gaps(posts)
      assert.isAtLeast(first, 100)
      assert.isAtMost(first, 100 + pollDelay)
      assert.isAtLeast(second, 120)
      assert.isAtLeast(third, 960)
      assert.isAtMost(third, 960 + pollDelay)
    })
  )

  it.effect("the body and its id stay the same, and each attempt has a new signature", () =>
    Effect.gen(function* () {
      const { add, posts, run } = makeTestDispatcher(() => Effect.succeed(busy))
      add()
      yield* run()
      yield* TestClock.adjust("5 minutes")
      const [first, second] = posts
      assert.strictEqual(first?.request.body, second?.request.body)
      const id = (JSON.parse(first?.request.body ?? "{}") as { id?: string }).id
      assert.strictEqual(first?.request.headers["X-Service-Delivery"], id)
      assert.strictEqual(second?.request.headers["X-Service-Delivery"], id)
      const signature = (at: number) => `t=${Math.floor(at / 1000)},`
      assert.include(first?.request.headers[Signature.signatureHeader] ?? "", signature(first?.at ?? 0))
      assert.include(second?.request.headers[Signature.signatureHeader] ?? "", signature(second?.at ?? 0))
      assert.isAtLeast(Math.floor((second?.at ?? 0) / 1000), 60)
    })
  )

  it.effect("a delivery whose secret cannot be opened fails alone, and delays no other", () =>
    Effect.gen(function* () {
      const { add, posts, run, state, stored } = makeTestDispatcher(() => Effect.succeed(ok))
      add(1, { sealedSecret: "of another installation" })
      add()
      yield* run()
      yield* TestClock.adjust("2 hours")
      assert.strictEqual(posts.length, 1)
      assert.deepStrictEqual(
        stored.map(({ attempt, status }) => [attempt, status]),
        [
          [6, "failed"],
          [1, "delivered"]
        ]
      )
      assert.deepStrictEqual(
        state.recorded.flatMap(({ error }) => (error === null ? [] : [error])),
        Array.from({ length: 6 }, () => "internal error")
      )
    })
  )
})

describe("while the database is unavailable", () => {
  it.effect("a failing claim is repeated, and work resumes within 10 s of the database's return", () =>
    Effect.gen(function* () {
      const { add, posts, run, state } = makeTestDispatcher(() => Effect.succeed(ok))
      add()
      state.beforeClaim = Effect.die(new Error("terminating connection"))
      yield* run()
      yield* TestClock.adjust("3 minutes")
      assert.strictEqual(posts.length, 0)
      state.beforeClaim = Effect.void
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(posts.length, 1)
    })
  )

  it.effect("a claim that hangs is abandoned and repeated", () =>
    Effect.gen(function* () {
      const { add, posts, run, state } = makeTestDispatcher(() => Effect.succeed(ok))
      add()
      state.beforeClaim = Effect.never
      yield* run()
      yield* TestClock.adjust("3 minutes")
      state.beforeClaim = Effect.void
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(posts.length, 1)
    })
  )

  it.effect("a result that cannot be written is written later, and not sent twice", () =>
    Effect.gen(function* () {
      const { add, posts, run, state, stored } = makeTestDispatcher(() => Effect.succeed(ok))
      add()
      state.beforeRecord = Effect.die(new Error("terminating connection"))
      yield* run()
      yield* TestClock.adjust("30 seconds")
      state.beforeRecord = Effect.void
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(stored[0]?.status, "delivered")
      yield* TestClock.adjust("2 hours")
      assert.strictEqual(posts.length, 1)
    })
  )

  it.effect("a result that is never written costs one more attempt, after the lease", () =>
    Effect.gen(function* () {
      const { add, posts, run, state, stored } = makeTestDispatcher(() => Effect.succeed(ok))
      add()
      state.beforeRecord = Effect.die(new Error("terminating connection"))
      yield* run()
      yield* TestClock.adjust("80 seconds")
      assert.strictEqual(posts.length, 1)
      yield* TestClock.adjust("40 seconds")
      assert.strictEqual(posts.length, 2)
      assert.isAtLeast(gaps(posts)[0] ?? 0, RetryPolicy.minimumLeaseSeconds)
      state.beforeRecord = Effect.void
      yield* TestClock.adjust("2 hours")
      assert.strictEqual(posts.length, 2)
      assert.strictEqual(stored[0]?.status, "delivered")
    })
  )

  it.effect("if no result is ever written, there are six POSTs and no seventh", () =>
    Effect.gen(function* () {
      const { add, posts, run, state, stored } = makeTestDispatcher(() => Effect.succeed(ok))
      add()
      state.beforeRecord = Effect.die(new Error("terminating connection"))
      yield* run()
      yield* TestClock.adjust("3 hours")
      assert.strictEqual(posts.length, 6)
      for (const [index, gap] of gaps(posts).entries())
        assert.isAtLeast(gap, RetryPolicy.minimumWaits[index] ?? 0)
      assert.strictEqual(stored[0]?.status, "failed")
    })
  )
})

describe("when its scope closes", () => {
  it.effect("attempts under way end and are recorded, and nothing more is claimed", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<SendOutcome>()
      const { add, posts, run, state, stored } = makeTestDispatcher(() => Deferred.await(answer))
      add(3)
      const { close } = yield* run({ concurrency: 2 })
      assert.strictEqual(posts.length, 2)
      const closing = yield* Effect.forkChild(close)
      yield* TestClock.adjust("5 seconds")
      assert.isUndefined(closing.pollUnsafe())
      yield* Deferred.succeed(answer, ok)
      yield* TestClock.adjust("10 millis")
      yield* Fiber.join(closing)
      assert.strictEqual(state.recorded.length, 2)
      assert.strictEqual(posts.length, 2)
      assert.deepStrictEqual(
        stored.map(({ attempt, status }) => [attempt, status]),
        [
          [1, "delivered"],
          [1, "delivered"],
          [0, "pending"]
        ]
      )
    })
  )

  it.effect("deliveries that were claimed and not started are released", () =>
    Effect.gen(function* () {
      const { add, posts, run, state, stored } = makeTestDispatcher(() => Effect.succeed(ok))
      const claiming = yield* Deferred.make<void>()
      add(3)
      state.beforeClaim = Deferred.await(claiming)
      const { close } = yield* run()
      const closing = yield* Effect.forkChild(close)
      yield* TestClock.adjust(0)
      yield* Deferred.succeed(claiming, undefined)
      yield* TestClock.adjust("10 millis")
      yield* Fiber.join(closing)
      assert.strictEqual(posts.length, 0)
      assert.strictEqual(state.released.length, 3)
      assert.deepStrictEqual(
        stored.map(({ attempt }) => attempt),
        [0, 0, 0]
      )
    })
  )

  it.effect(
    "an attempt that runs until the end of the grace is recorded as interrupted, and made again after its wait",
    () =>
      Effect.gen(function* () {
        const { add, failureLogs, posts, run, state, stored } = makeTestDispatcher((_, nth) =>
          nth === 1 ? Effect.never : Effect.succeed(ok)
        )
        add()
        const { close } = yield* run({ grace: "5 seconds" })
        const closing = yield* Effect.forkChild(close)
        yield* TestClock.adjust("4 seconds")
        assert.isUndefined(closing.pollUnsafe())
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(closing)
        assert.deepStrictEqual(
          state.recorded.map(({ acknowledged, error, responseStatus }) => [
            acknowledged,
            error,
            responseStatus
          ]),
          [[false, "interrupted", null]]
        )
        assert.deepStrictEqual(
          stored.map(({ attempt, claimId, status }) => [attempt, claimId, status]),
          [[1, null, "pending"]]
        )
        assert.deepStrictEqual(
          failureLogs.map(({ error, status }) => [error, status]),
          [["interrupted", "pending"]]
        )
        yield* run()
        yield* TestClock.adjust("70 seconds")
        const [gap = 0] = gaps(posts)
        assert.isAtLeast(gap, (RetryPolicy.minimumWaits[0] ?? 0) + 4)
        assert.isBelow(gap, RetryPolicy.minimumLeaseSeconds)
        assert.strictEqual(stored[0]?.status, "delivered")
      })
  )

  it.effect("the dispatcher ends within the grace although the database takes no result", () =>
    Effect.gen(function* () {
      const { add, run, state } = makeTestDispatcher(() => Effect.never)
      add()
      const { close } = yield* run({ grace: "5 seconds" })
      state.beforeRecord = Effect.never
      const closing = yield* Effect.forkChild(close)
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(closing)
      assert.lengthOf(state.recorded, 0)
    })
  )
})

it.live("a receiver can verify the headers and the signature over the raw body", () =>
  Effect.gen(function* () {
    const { received, url } = yield* receiver(200)
    const { add, queue, state } = makeMemoryQueue()
    add(1, { url })
    const arrived = Effect.suspend(() => (state.recorded.length === 1 ? Effect.void : Effect.fail("not yet")))
    yield* Effect.retry(arrived, Schedule.spaced("5 millis").pipe(Schedule.upTo({ times: 10_000 }))).pipe(
      Effect.provide(
        WebhookDispatcher.layer().pipe(
          Layer.provide(WebhookSender.layer({ allowInsecure: true })),
          Layer.provide(Layer.succeed(DeliveryQueue, queue)),
          Layer.provide(secretBox),
          Layer.provide(Cryptography.layerWebCrypto),
          Layer.provide(WorkNotifier.layer)
        )
      )
    )
    const post = received[0] ?? (yield* Effect.die("nothing was received"))
    const { body, headers } = post
    assert.strictEqual(headers["content-type"], "application/json")
    assert.strictEqual(headers["user-agent"], "Livery-Webhooks/1.0")
    assert.strictEqual(headers["x-service-event"], "trip.created")
    assert.strictEqual(headers["x-service-delivery"], (JSON.parse(body) as { id?: string }).id)
    const signature = String(headers["x-service-signature"])
    yield* Effect.promise(() => verify(signature, body, "whsec_test"))
    const tampered = yield* Effect.exit(Effect.tryPromise(() => verify(signature, `${body} `, "whsec_test")))
    assert.isTrue(Exit.isFailure(tampered))
  })
)
