/** One attempt of one delivery: signed, sent, judged. */
import { RetryPolicy, SecretBox, Signature } from "@livery/domain"
import type { AttemptResult, ClaimedDelivery, Cryptography } from "@livery/domain"
import { Cause, Clock, DateTime, Effect, Exit, Option, Random, Tracer } from "effect"
import type { Fiber } from "effect"
import { remembered } from "./Remembered.ts"
import { WebhookSender } from "./WebhookSender.ts"
import type { SendOutcome } from "./WebhookSender.ts"

const userAgent = "Livery-Webhooks/1.0"

const secretsKept = 1_000

/** Opens sealed secrets, remembering those used last: opening costs more than signing. */
const makeOpener = (secrets: SecretBox["Service"]) => {
  const entryOf = remembered(secretsKept, (): { secret?: string } => ({}))
  return (sealed: string): Effect.Effect<string> => {
    const entry = entryOf(sealed)
    return entry.secret === undefined
      ? Effect.tap(secrets.open(sealed), (secret) => Effect.sync(() => (entry.secret = secret)))
      : Effect.succeed(entry.secret)
  }
}

const failed = (error: string): SendOutcome => ({
  responseStatus: null,
  acknowledged: false,
  error,
  retryAfter: 0
})

// The sender keeps its own time. This is for the case that it does not.
const longest = BigInt(RetryPolicy.longestAttemptSeconds + 1) * 1_000_000_000n

/** Ends what takes too long: one look a second at the oldest, instead of a timer for each. */
const makeWatch = Effect.gen(function* () {
  // Oldest first, as maps are in the order in which they were filled.
  const underWay = new Map<Fiber.Fiber<unknown, unknown>, bigint>()
  yield* Effect.gen(function* () {
    yield* Effect.sleep("1 second")
    const now = yield* Clock.monotonicTimeNanos
    for (const [fiber, since] of underWay) {
      if (now - since < longest) return
      underWay.delete(fiber)
      fiber.interruptUnsafe()
    }
  }).pipe(Effect.forever, Effect.forkScoped)
  return {
    begin: (fiber: Fiber.Fiber<unknown, unknown>, now: bigint) => underWay.set(fiber, now),
    /** Answers false if it had been ended. */
    end: (fiber: Fiber.Fiber<unknown, unknown>) => underWay.delete(fiber)
  }
})

/**
 * Gives the function that makes an attempt of a claimed delivery, in a fiber of its own. `ended` hears
 * once how it ended, also when its own side is at fault, and within the time that an attempt may take; not if it is
 * interrupted.
 */
export const makeAttempt = Effect.gen(function* () {
  const sender = yield* WebhookSender
  const open = makeOpener(yield* SecretBox)
  const watch = yield* makeWatch
  // Spans that nobody collects cost as much as the signature.
  const isTraced = (yield* Tracer.Tracer) !== Tracer.nativeTracer

  const sign = (delivery: ClaimedDelivery, timestamp: number) =>
    Effect.flatMap(open(delivery.sealedSecret), (secret) =>
      delivery.retiredSecrets.length === 0
        ? Signature.sign(timestamp, delivery.body, [secret])
        : Effect.flatMap(Effect.forEach(delivery.retiredSecrets, open), (former) =>
            Signature.sign(timestamp, delivery.body, [secret, ...former])
          )
    )

  const post = (delivery: ClaimedDelivery, now: number): Effect.Effect<SendOutcome, never, Cryptography> =>
    Effect.flatMap(sign(delivery, Math.floor(now / 1000)), (signature) =>
      sender.send({
        url: delivery.url,
        headers: {
          "Content-Type": "application/json",
          "User-Agent": userAgent,
          "X-Service-Event": delivery.eventType,
          "X-Service-Delivery": delivery.eventId,
          [Signature.signatureHeader]: signature
        },
        body: delivery.body
      })
    )

  /** What a failed attempt is followed by, in seconds or null. */
  const afterFailure = ({ attempt }: ClaimedDelivery, { retryAfter }: SendOutcome) =>
    Effect.map(Random.next, (random) => Option.getOrNull(RetryPolicy.waitAfter(attempt, random, retryAfter)))

  const attempt = (
    delivery: ClaimedDelivery,
    ended: (result: AttemptResult) => void
  ): Effect.Effect<void, never, Cryptography> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.withFiber((fiber) => {
        const clock = fiber.getRef(Clock.Clock)
        const began = clock.currentTimeMillisUnsafe()
        watch.begin(fiber, clock.monotonicTimeNanosUnsafe())
        return Effect.flatMap(Effect.exit(restore(post(delivery, began))), (exit) => {
          const isOver = !watch.end(fiber)
          const durationMs = Math.max(0, clock.currentTimeMillisUnsafe() - began)
          const tell = (outcome: SendOutcome, retryIn: number | null) =>
            ended({
              delivery,
              startedAt: DateTime.makeUnsafe(began),
              durationMs,
              acknowledged: outcome.acknowledged,
              responseStatus: outcome.responseStatus,
              error: outcome.error,
              retryIn
            })
          // Told from within: a fiber that was ended for taking too long goes no further than this.
          const conclude = (outcome: SendOutcome) =>
            outcome.acknowledged
              ? Effect.sync(() => tell(outcome, null))
              : Effect.map(afterFailure(delivery, outcome), (retryIn) => tell(outcome, retryIn))
          if (Exit.isSuccess(exit)) return conclude(exit.value)
          if (isOver) return conclude(failed("timeout"))
          if (Cause.hasInterrupts(exit.cause)) return Effect.interrupt
          return Effect.andThen(
            Effect.logError("A webhook could not be sent", exit.cause),
            conclude(failed("internal error"))
          )
        })
      })
    )

  return (delivery: ClaimedDelivery, ended: (result: AttemptResult) => void) =>
    isTraced
      ? Effect.withSpan(attempt(delivery, ended), "WebhookDispatcher.attempt")
      : attempt(delivery, ended)
})
