/**
 * Yields the event loop between sign-ins. Node starts requests that arrive together one after the other, without polling
 * for other work in between, so two hundred sign-ins would delay all other responses and webhooks until they are done.
 * Therefore the requests to the public authentication routes start one at a time, and the event loop runs several times
 * for other work between two of them.
 */
import { Effect, Semaphore } from "effect"

/**
 * How many iterations of the event loop run between two sign-ins. A booking and its webhook need about as many between
 * two of their statements. An idle iteration takes some microseconds.
 */
const iterations = 8

/** Completes after some iterations of the event loop. */
const afterIterations = Effect.callback<void>((resume) => {
  let left = iterations
  const iterate = () => {
    left -= 1
    if (left === 0) resume(Effect.void)
    else next = setImmediate(iterate)
  }
  let next = setImmediate(iterate)
  return Effect.sync(() => clearImmediate(next))
})

/**
 * Makes an effect that lets its callers continue one at a time, in order of arrival, and yields to other work in
 * between.
 */
export const makeYield = Effect.map(Semaphore.make(1), (semaphore) => semaphore.withPermit(afterIterations))
