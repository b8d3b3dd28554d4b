/**
 * Posts claimed deliveries safely: only while their claim is recent enough, few at a time, signed, over a guarded
 * connection, and within a time limit. It does not depend on the queue of the deliveries.
 */
import { RetryPolicy } from "@livery/domain"
import type { ClaimedDelivery } from "@livery/domain"
import { Clock, Duration, Effect } from "effect"
import { secondsSince } from "../time/ElapsedTime.ts"
import { type AttemptEnds, makeAttempt, type PostOrder } from "./Attempt.ts"
import { makeAttemptLimiter } from "./AttemptLimiter.ts"

export interface PosterOptions extends AttemptEnds {
  /** The most attempts that started less than 10 ms ago and have not ended. */
  readonly maxRecent: number
  /** The time for signatures, in Unix milliseconds. */
  readonly signingMillis: () => number
}

export interface DeliveryPoster {
  /** Posts these, in order, as soon as there is room for each. */
  readonly post: (orders: ReadonlyArray<PostOrder>) => void
  /** Starts no more attempts, and returns the deliveries that were not started. */
  readonly close: () => ReadonlyArray<ClaimedDelivery>
}

const recentWindow = Duration.millis(10)

/** Starts a poster in the scope. */
export const makeDeliveryPoster = Effect.fnUntraced(function* ({
  attempted,
  maxRecent,
  signingMillis,
  unsent
}: PosterOptions) {
  const clock = yield* Clock.Clock
  const startAttempt = yield* makeAttempt(signingMillis)
  const limiter = yield* makeAttemptLimiter<PostOrder>({
    maxRecent,
    recentFor: recentWindow,
    start: (order) => {
      const end =
        <A>(callback: (value: A) => void) =>
        (value: A) => {
          limiter.ended(order)
          callback(value)
        }
      const ends = { attempted: end(attempted), unsent: end(unsent) }
      // After that time, another dispatcher may have claimed the delivery, or its endpoint may have been disabled.
      if (secondsSince(clock, order.claimedAt) > RetryPolicy.startTimeoutSeconds) ends.unsent(order.delivery)
      else startAttempt(order, ends)
    }
  })
  const poster: DeliveryPoster = {
    post: limiter.enqueue,
    close: () => limiter.close().map(({ delivery }) => delivery)
  }
  return poster
})
