import { Context, Effect } from "effect"
import type { Fiber } from "effect"

/** Sessions live outside of any request: by the machine's clock, and with none of the request's services. */
const runFork = Effect.runForkWith(Context.empty())

/** Starts work that ends by itself. */
export const startDetached = <A, E>(work: Effect.Effect<A, E>): Fiber.Fiber<A, E> => runFork(work)

/**
 * Runs work in a fiber of its own. An interruption of the caller interrupts the work, and does not wait for its end:
 * `@effect/sql-pg` waits up to 5 s for what a server says to the cancelling of a statement.
 */
export const detached = <A, E>(
  work: Effect.Effect<A, E>,
  onStart?: (fiber: Fiber.Fiber<A, E>) => void
): Effect.Effect<A, E> =>
  Effect.callback((resume) => {
    const fiber = runFork(work)
    onStart?.(fiber)
    fiber.addObserver(resume)
    return Effect.sync(() => fiber.interruptUnsafe())
  })

/**
 * Runs work in a fiber of its own, which is not interrupted, and waits for it for at most `limit` milliseconds. Then the
 * caller gets `late`, and the work goes on.
 */
export const detachedFor = <A, E>(
  work: Effect.Effect<A, E>,
  limit: number,
  late: A,
  onStart: (fiber: Fiber.Fiber<A, E>) => void
): Effect.Effect<A, E> =>
  Effect.callback((resume) => {
    const fiber = runFork(work)
    onStart(fiber)
    const timer = setTimeout(() => resume(Effect.succeed(late)), limit)
    fiber.addObserver((exit) => {
      clearTimeout(timer)
      resume(exit)
    })
  })
