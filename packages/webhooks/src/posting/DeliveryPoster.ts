/**
 * Posts claimed deliveries safely: only while their claim is recent enough, few at a time, signed, over a guarded
 * connection, and within a time limit. It does not depend on the queue of the deliveries.
 */
import { RetryPolicy } from "@livery/domain"
import { Clock, Duration, Effect } from "effect"
import { secondsSince } from "../time/ElapsedTime.ts"
import type { TimedClaim } from "../time/TimedClaim.ts"
import { type AttemptCallbacks, makeAttempt } from "./Attempt.ts"
import { makeAttemptLimiter } from "./AttemptLimiter.ts"

export interface PosterOptions extends AttemptCallbacks {
  /** The most attempts that started less than 10 ms ago and have not ended. */
  readonly maxRecent: number
  /** The time for signatures, in Unix milliseconds. */
  readonly signingMillis: () => number
}

const recentFor = Duration.millis(10)

/**
 * Starts a poster in the scope. `post` posts claimed deliveries in order, each as soon as the limit of recent attempts
 * permits. `close` starts no more attempts, and returns the deliveries that were not started.
 */
export const makeDeliveryPoster = Effect.fnUntraced(function* ({
  attempted,
  maxRecent,
  signingMillis,
  unsent
}: PosterOptions) {
  const clock = yield* Clock.Clock
  const startAttempt = yield* makeAttempt(signingMillis)
  const limiter = yield* makeAttemptLimiter<TimedClaim>({
    maxRecent,
    recentFor,
    start: (claim) => {
      const afterEnd =
        <A>(callback: (value: A) => void) =>
        (value: A) => {
          limiter.ended(claim)
          callback(value)
        }
      const callbacks = { attempted: afterEnd(attempted), unsent: afterEnd(unsent) }
      // After that time, another dispatcher may have claimed the delivery, or its endpoint may have been disabled.
      if (secondsSince(clock, claim.claimedAt) > RetryPolicy.startTimeoutSeconds)
        callbacks.unsent(claim.delivery)
      else startAttempt(claim, callbacks)
    }
  })
  return {
    post: limiter.enqueue,
    close: () => limiter.close().map(({ delivery }) => delivery)
  }
})
