/** A dispatcher on a queue in memory, with a sender whose outcomes the test decides. */
import { Cryptography, DeliveryQueue, SecretBox, WorkNotifier } from "@livery/domain"
import { Clock, Effect, Exit, Fiber, Layer, Logger, References, Scope } from "effect"
import { TestClock } from "effect/testing"
import type { SendOutcome } from "../../src/posting/SendOutcome.ts"
import { type PostEnd, type SendRequest, WebhookSender } from "../../src/posting/WebhookSender.ts"
import * as WebhookDispatcher from "../../src/WebhookDispatcher.ts"
import { makeMemoryQueue } from "./MemoryQueue.ts"

/** Opens secrets that start with `sealed:`, and no other. */
export const secretBox = Layer.succeed(
  SecretBox,
  SecretBox.of({
    seal: (plain) => Effect.succeed(`sealed:${plain}`),
    open: (sealed) =>
      sealed.startsWith("sealed:")
        ? Effect.succeed(sealed.slice(7))
        : Effect.die("sealed by another installation")
  })
)

// Synchronous, because results of WebCrypto would come after the test's clock has advanced. The "signature" is the
// secret.
const cryptography = Layer.succeed(
  Cryptography,
  Cryptography.of({
    randomBytes: (count) => Effect.succeed(new Uint8Array(count)),
    sha256: (text) => Effect.succeed(text),
    incrementalSha256: Effect.die("a delivery has no digest"),
    hmacSha256: (key) => Effect.succeed(key),
    hmacSha1: (key) => Effect.succeed(key)
  })
)

export const ok: SendOutcome = { responseStatus: 200, acknowledged: true, error: null, retryAfter: 0 }
export const busy: SendOutcome = {
  responseStatus: 503,
  acknowledged: false,
  error: "http 503",
  retryAfter: 0
}

/** Returns what is sent and when, the warnings, and the annotations of the log lines of failed attempts. */
export const makeTestDispatcher = (answer: (request: SendRequest, nth: number) => Effect.Effect<PostEnd>) => {
  const memory = makeMemoryQueue()
  const posts: Array<{ readonly at: number; readonly request: SendRequest }> = []
  const failureLogs: Array<Readonly<Record<string, unknown>>> = []
  const post = Effect.fnUntraced(function* (request: SendRequest) {
    posts.push({ at: yield* Clock.currentTimeMillis, request })
    return yield* answer(request, posts.length)
  })
  const warnings: Array<string> = []
  const logger = Logger.make(({ fiber, logLevel, message }) => {
    if (logLevel === "Warn") warnings.push(String(message))
    if (String(message) === "A webhook attempt failed")
      failureLogs.push(fiber.getRef(References.CurrentLogAnnotations))
  })
  /** Starts a dispatcher, which ends with the test. `clock` is the dispatcher's own, the test's by default. */
  const run = Effect.fnUntraced(function* (
    options: WebhookDispatcher.DispatcherOptions = {},
    clock?: Clock.Clock
  ) {
    const scope = yield* Scope.make()
    const context = yield* Effect.provideService(
      Layer.buildWithScope(
        WebhookDispatcher.layer(options).pipe(
          Layer.provide([
            Layer.succeed(WebhookSender, WebhookSender.of({ post })),
            Layer.succeed(DeliveryQueue, memory.queue),
            secretBox,
            cryptography,
            Logger.layer([logger])
          ]),
          Layer.provideMerge(WorkNotifier.layer)
        ),
        scope
      ),
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
    yield* TestClock.adjust(0)
    return {
      notify: WorkNotifier.use((notifier) => notifier.notify("deliveries")).pipe(
        Effect.provideContext(context),
        Effect.andThen(TestClock.adjust(0))
      ),
      close: Scope.close(scope, Exit.void)
    }
  })
  return { ...memory, posts, failureLogs, warnings, run }
}
