/** A dispatcher over a queue in memory and a sender that answers as a test says. */
import { Cryptography, DeliveryQueue, SecretBox, WorkNotifier } from "@livery/domain"
import { Clock, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import * as WebhookDispatcher from "../src/WebhookDispatcher.ts"
import type { SendOutcome, SendRequest } from "../src/WebhookSender.ts"
import { makeMemoryQueue } from "./MemoryQueue.ts"
import { senderThat } from "./Sender.ts"

export const secrets = Layer.succeed(
  SecretBox,
  SecretBox.of({
    seal: (plain) => Effect.succeed(`sealed:${plain}`),
    open: (sealed) =>
      sealed.startsWith("sealed:") ? Effect.succeed(sealed.slice(7)) : Effect.die("sealed by another")
  })
)

// Hashes on WebCrypto's threads would come back after the test's clock has moved on.
const cryptography = Layer.succeed(
  Cryptography,
  Cryptography.of({
    randomBytes: (count) => Effect.succeed(new Uint8Array(count)),
    sha256: (text) => Effect.succeed(text),
    hmacSha256: (key, message) => Effect.succeed(`${key}:${message.length}`)
  })
)

export const ok: SendOutcome = { responseStatus: 200, acknowledged: true, error: null, retryAfter: 0 }
export const busy: SendOutcome = {
  responseStatus: 503,
  acknowledged: false,
  error: "http 503",
  retryAfter: 0
}

export const arrange = (answer: (request: SendRequest, nth: number) => Effect.Effect<SendOutcome>) => {
  const memory = makeMemoryQueue()
  const posts: Array<{ readonly at: number; readonly request: SendRequest }> = []
  const sender = senderThat((request) =>
    Effect.gen(function* () {
      posts.push({ at: yield* Clock.currentTimeMillis, request })
      return yield* answer(request, posts.length)
    })
  )
  const run = (options: WebhookDispatcher.DispatcherOptions = {}) =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(
        WebhookDispatcher.layer(options).pipe(
          Layer.provide(sender),
          Layer.provide(Layer.succeed(DeliveryQueue, memory.queue)),
          Layer.provide(secrets),
          Layer.provide(cryptography),
          Layer.provideMerge(WorkNotifier.layer)
        ),
        scope
      )
      yield* Effect.addFinalizer(() =>
        Effect.gen(function* () {
          const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
          yield* TestClock.adjust("1 minute")
          yield* Fiber.join(closing)
        })
      )
      yield* TestClock.adjust(0)
      return {
        ring: WorkNotifier.use((notifier) => notifier.notify("deliveries")).pipe(
          Effect.provideContext(context),
          Effect.andThen(TestClock.adjust(0))
        ),
        close: Scope.close(scope, Exit.void)
      }
    })
  return { ...memory, posts, run }
}
