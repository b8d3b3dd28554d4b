/** One attempt of one delivery: signs it, sends it and decides whether to retry. */
import { RetryPolicy } from "@livery/domain"
import type { AttemptResult, ClaimedDelivery } from "@livery/domain"
import { Cause, Clock, DateTime, Effect, Exit, Option, Random } from "effect"
import { secondsSince } from "../time/ElapsedTime.ts"
import type { TimedClaim } from "../time/TimedClaim.ts"
import { endAttemptSpan, makeSpanStarter } from "./AttemptSpan.ts"
import { deliveryHeaders } from "./DeliveryHeaders.ts"
import { makeDeliverySigner } from "./DeliverySigner.ts"
import { failedWith, type SendOutcome } from "./SendOutcome.ts"
import { type PostEnd, WebhookSender } from "./WebhookSender.ts"

/** Seconds until the next attempt after a failed one, or null if it was the last. */
const retryAfterFailure = ({ attempt }: ClaimedDelivery, { retryAfter }: SendOutcome) =>
  Effect.map(Random.next, (random) => Option.getOrNull(RetryPolicy.waitAfter(attempt, random, retryAfter)))

/** How attempts are signed, and the callbacks for their end, of which exactly one is called for each. */
export interface AttemptOptions {
  /** The time for signatures, in Unix milliseconds. */
  readonly signingMillis: () => number
  /** The attempt was made. */
  readonly attempted: (result: AttemptResult) => void
  /** Nothing was sent, because the claim was too old. The delivery must be released. */
  readonly unsent: (delivery: ClaimedDelivery) => void
}

/**
 * Makes the function that attempts a claimed delivery. A callback is called also if the attempt is interrupted or fails
 * for an internal reason.
 */
export const makeAttempt = Effect.fnUntraced(function* ({
  attempted,
  signingMillis,
  unsent
}: AttemptOptions) {
  const sender = yield* WebhookSender
  const sign = yield* makeDeliverySigner
  const startSpan = yield* makeSpanStarter
  const clock = yield* Clock.Clock

  const send = ({ claimedAt, delivery }: TimedClaim) =>
    Effect.flatMap(sign(delivery, Math.floor(signingMillis() / 1000)), (signature) =>
      sender.post({
        url: delivery.url,
        headers: deliveryHeaders({ ...delivery, signature }),
        body: delivery.body,
        // Checked right before sending, because the process may have been paused since the claim.
        mayStart: () => secondsSince(clock, claimedAt) <= RetryPolicy.sendTimeoutSeconds
      })
    )

  const endOf = (exit: Exit.Exit<PostEnd>): Effect.Effect<PostEnd> => {
    if (Exit.isSuccess(exit)) return Effect.succeed(exit.value)
    if (Cause.hasInterruptsOnly(exit.cause)) return Effect.succeed(failedWith("interrupted"))
    return Effect.as(Effect.logError("A webhook could not be sent", exit.cause), failedWith("internal error"))
  }

  return (claim: TimedClaim) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const { claimedAt, delivery } = claim
        // After that time, another dispatcher may have claimed the delivery, or its endpoint may have been disabled.
        if (secondsSince(clock, claimedAt) > RetryPolicy.startTimeoutSeconds) return unsent(delivery)
        const startedAt = clock.currentTimeMillisUnsafe()
        const span = startSpan(delivery, startedAt)
        const end = yield* endOf(yield* Effect.exit(restore(send(claim))))
        if (end === "unsent") return unsent(delivery)
        const { acknowledged, error, responseStatus } = end
        const retryIn = acknowledged ? null : yield* retryAfterFailure(delivery, end)
        const now = clock.currentTimeMillisUnsafe()
        if (span !== undefined) endAttemptSpan(span, end, now)
        attempted({
          delivery,
          startedAt: DateTime.makeUnsafe(startedAt),
          durationMs: Math.max(0, now - startedAt),
          acknowledged,
          responseStatus,
          error,
          retryIn
        })
      })
    )
})
