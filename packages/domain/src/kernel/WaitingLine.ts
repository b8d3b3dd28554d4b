/** A bounded place to wait: so many are served at once, so many wait in order, and the rest are sent away. */
import { Effect, Semaphore } from "effect"
import { TooManyRequests } from "./Errors.ts"

/** The two bounds of a waiting line. */
export interface WaitingLineOptions {
  /** How many are served at the same time. */
  readonly atOnce: number
  /** How many more may wait for their turn. */
  readonly waiting: number
}

/**
 * Makes a waiting line: a function that runs an effect when its turn comes, first come, first served. When the
 * line is full, it fails at once with `TooManyRequests`. Interrupted while waiting, it gives its place up at once.
 */
export const makeWaitingLine = ({ atOnce, waiting }: WaitingLineOptions) =>
  Effect.map(Semaphore.make(atOnce), (turns) => {
    let inside = 0
    return <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | TooManyRequests, R> =>
      Effect.acquireUseRelease(
        Effect.suspend(() => {
          if (inside >= atOnce + waiting) return Effect.fail(new TooManyRequests({ retryAfterSeconds: 1 }))
          inside += 1
          return Effect.void
        }),
        () => turns.withPermit(work),
        () =>
          Effect.sync(() => {
            inside -= 1
          })
      )
  })
