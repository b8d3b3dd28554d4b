/**
 * Posts claimed deliveries safely: only while their claim is young enough, few at a time, each signed, sent over a guarded
 * connection and bounded in time. It knows nothing of the queue that the deliveries come from.
 */
import { RetryPolicy } from "@livery/domain"
import type { AttemptResult, ClaimedDelivery } from "@livery/domain"
import { Clock, Duration, Effect } from "effect"
import { makeAttempt } from "./Attempt.ts"
import { makeAttemptLimiter } from "./AttemptLimiter.ts"

/** A delivery to post. */
export interface PostOrder {
  readonly delivery: ClaimedDelivery
  /** When its claim was requested, in nanoseconds of the monotonic clock. */
  readonly claimedAt: bigint
}

/** Every delivery that is ordered ends in one of the two callbacks, once, unless the scope closes before. */
export interface PosterOptions {
  /** Attempts at most that started less than 10 ms ago and have not ended. */
  readonly maxRecent: number
  /** An attempt was made. */
  readonly attempted: (result: AttemptResult) => void
  /** The delivery was not sent, and its claim is to be released. */
  readonly unsent: (delivery: ClaimedDelivery) => void
}

export interface DeliveryPoster {
  /** Posts these, in order, as soon as there is room for each. */
  readonly post: (orders: ReadonlyArray<PostOrder>) => void
  /** Starts no more attempts, and returns the deliveries that were not started. */
  readonly close: () => ReadonlyArray<ClaimedDelivery>
}

const recentFor = Duration.millis(10)

// A process that was frozen in between sends nothing that another may have taken over meanwhile, and nothing to an
// endpoint whose disabling was answered meanwhile.
const startWithin = BigInt(RetryPolicy.startsWithinSeconds) * 1_000_000_000n

/** Starts a poster in the scope. */
export const makeDeliveryPoster = Effect.fnUntraced(function* ({
  attempted,
  maxRecent,
  unsent
}: PosterOptions) {
  const clock = yield* Clock.Clock
  const startAttempt = yield* makeAttempt
  const limiter = yield* makeAttemptLimiter<PostOrder>({
    maxRecent,
    recentFor,
    start: (order) => {
      if (clock.monotonicTimeNanosUnsafe() - order.claimedAt > startWithin) {
        limiter.ended(order)
        unsent(order.delivery)
      } else
        startAttempt(order.delivery, (result) => {
          limiter.ended(order)
          attempted(result)
        })
    }
  })
  const poster: DeliveryPoster = {
    post: limiter.enqueue,
    close: () => limiter.close().map(({ delivery }) => delivery)
  }
  return poster
})
