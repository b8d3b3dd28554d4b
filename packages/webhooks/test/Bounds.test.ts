import {
  BusinessId,
  EndpointId,
  RetryPolicy,
  SecretBox,
  WorkNotifier,
  Cryptography,
  DeliveryQueue
} from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import * as WebhookDispatcher from "../src/WebhookDispatcher.ts"
import type { SendOutcome, SendRequest } from "../src/WebhookSender.ts"
import { makeMemoryQueue } from "./MemoryQueue.ts"
import { senderThat } from "./Sender.ts"

const ok: SendOutcome = { responseStatus: 200, acknowledged: true, error: null, retryAfter: 0 }

const arrange = (answer: (request: SendRequest) => Effect.Effect<SendOutcome>) => {
  const memory = makeMemoryQueue()
  const posts: Array<SendRequest> = []
  const send = (request: SendRequest) =>
    Effect.suspend(() => {
      posts.push(request)
      return answer(request)
    })
  const ports = Layer.mergeAll(
    senderThat(send),
    Layer.succeed(DeliveryQueue, memory.queue),
    Layer.mock(SecretBox)({ open: (sealed) => Effect.succeed(sealed.replace("sealed:", "")) }),
    Layer.mock(Cryptography)({ hmacSha256: (key) => Effect.succeed(key) }),
    WorkNotifier.layer
  )
  /** Runs a dispatcher for a second, by a clock of its own if told. */
  const runBy = Effect.fnUntraced(function* (clock?: Clock.Clock) {
    const scope = yield* Scope.make()
    yield* Effect.provideService(
      Layer.buildWithScope(WebhookDispatcher.layer().pipe(Layer.provide(ports)), scope),
      Clock.Clock,
      clock ?? (yield* Clock.Clock)
    )
    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
        yield* TestClock.adjust("1 minute")
        yield* Fiber.join(closing)
      })
    )
    yield* TestClock.adjust("1 second")
  })
  return { ...memory, posts, runBy, run: runBy() }
}

describe("a dispatcher's bounds", () => {
  it.effect("twenty hanging endpoints of one business leave slots for every other", () =>
    Effect.gen(function* () {
      const { add, posts, run } = arrange(({ url }) =>
        url.includes("hangs") ? Effect.never : Effect.succeed(ok)
      )
      for (let endpoint = 1; endpoint <= 20; endpoint++)
        add(20, { endpointId: EndpointId.make(endpoint), url: `https://hangs.example.org/${endpoint}` })
      const other = { businessId: BusinessId.make(2), endpointId: EndpointId.make(99) }
      add(30, { ...other, url: "https://healthy.example.org/" })
      yield* run
      yield* TestClock.adjust("5 seconds")
      assert.lengthOf(
        posts.filter(({ url }) => url.includes("hangs")),
        100
      )
      assert.lengthOf(
        posts.filter(({ url }) => url.includes("healthy")),
        30
      )
    }).pipe(Effect.scoped)
  )

  it.effect(
    "what was claimed too long ago is given back unsent: whoever disabled its endpoint has been answered",
    () =>
      Effect.gen(function* () {
        const { add, posts, runBy, state } = arrange(() => Effect.succeed(ok))
        add(3)
        let stoppedFor = 0n
        // The process is stopped while it claims, so that no timer of its own fires; the machine's clock goes on.
        state.beforeClaim = Effect.sync(() => {
          stoppedFor = BigInt(RetryPolicy.startsWithinSeconds) * 1_000_000_000n + 1n
        })
        const clock = yield* Clock.Clock
        const monotonic = () => clock.monotonicTimeNanosUnsafe() + stoppedFor
        const stopping = Clock.Clock.of({
          currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
          currentTimeMillis: clock.currentTimeMillis,
          currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
          currentTimeNanos: clock.currentTimeNanos,
          monotonicTimeNanosUnsafe: monotonic,
          monotonicTimeNanos: Effect.sync(monotonic),
          sleep: (duration) => clock.sleep(duration)
        })
        yield* runBy(stopping)
        assert.lengthOf(state.released, 3)
        // Claimed again, in time, they are sent.
        yield* TestClock.adjust("2 seconds")
        assert.lengthOf(posts, 3)
      }).pipe(Effect.scoped)
  )

  it.effect(
    "a sender that never ends is cut off a moment after the time it has, and its deliveries tried again",
    () =>
      Effect.gen(function* () {
        const { add, run, state } = arrange(() => Effect.never)
        add(2)
        yield* run
        yield* TestClock.adjust(`${RetryPolicy.longestAttemptSeconds - 1} seconds`)
        assert.lengthOf(state.recorded, 0)
        yield* TestClock.adjust("3 seconds")
        yield* TestClock.adjust("1 second")
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
      }).pipe(Effect.scoped)
  )

  it.effect("every secret that still signs is in the header, the new one first", () =>
    Effect.gen(function* () {
      const { add, posts, run } = arrange(() => Effect.succeed(ok))
      add(1, { sealedSecret: "sealed:new", retiredSecrets: ["sealed:old", "sealed:older"] })
      yield* run
      const [post] = posts
      assert.match(post?.headers["X-Service-Signature"] ?? "", /^t=\d+,v1=new,v1=old,v1=older$/u)
    }).pipe(Effect.scoped)
  )
})
