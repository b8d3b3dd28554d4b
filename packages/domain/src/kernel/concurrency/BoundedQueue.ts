/**
 * A bounded queue with load shedding: some effects run concurrently, some more wait in order, and the rest are refused.
 */
import { Effect, Semaphore } from "effect"
import { TooManyRequests } from "../Errors.ts"

/** The two limits of a queue. */
export interface QueueBounds {
  /** How many effects run at the same time. */
  readonly concurrency: number
  /** How many more may wait. */
  readonly waiting: number
}

/**
 * Makes a queue: a function that runs an effect when its turn comes, first come, first served. When the queue is full,
 * it fails immediately with `TooManyRequests`. An effect that is interrupted while it waits leaves the queue
 * immediately.
 */
export const makeBoundedQueue = ({ concurrency, waiting }: QueueBounds) =>
  Effect.map(Semaphore.make(concurrency), (permits) => {
    let admitted = 0
    return <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | TooManyRequests, R> =>
      Effect.acquireUseRelease(
        Effect.suspend(() => {
          if (admitted >= concurrency + waiting)
            return Effect.fail(new TooManyRequests({ retryAfterSeconds: 1 }))
          admitted += 1
          return Effect.void
        }),
        () => permits.withPermit(work),
        () =>
          Effect.sync(() => {
            admitted -= 1
          })
      )
  })
