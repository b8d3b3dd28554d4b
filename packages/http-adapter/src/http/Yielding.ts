/**
 * Yields the event loop between sign-ins. Node starts requests that arrive together one after the other, without
 * looking at what else has become ready: two hundred sign-ins would delay every response and every webhook by the time
 * that all of them take. So each request to the public authentication routes waits its turn, and between two turns
 * the event loop runs several times for everything else.
 */
import { Effect, Semaphore } from "effect"

/**
 * How many iterations of the event loop lie between two turns. A booking and its webhook need about as many between
 * two of their statements, and an iteration in which nothing is ready takes some microseconds.
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

/** Makes an effect that completes for one caller at a time, in order of arrival, and yields to other work in between. */
export const makeYield = Effect.map(Semaphore.make(1), (turns) => turns.withPermit(afterIterations))
