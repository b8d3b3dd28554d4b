import { Context, Effect } from "effect"
import type { Fiber } from "effect"

/** Sessions outlive requests, so their work runs on the machine's clock and without the services of a request. */
const runFork = Effect.runForkWith(Context.empty())

/** Starts work in the background. It ends by itself. */
export const startDetached = <A, E>(work: Effect.Effect<A, E>): Fiber.Fiber<A, E> => runFork(work)

/**
 * Runs work in a fiber of its own. An interruption of the caller interrupts the work without waiting for its end:
 * `@effect/sql-pg` waits up to 5 s for the server to confirm a cancelled statement.
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
 * Runs work in a fiber of its own, which is not interrupted, and waits for it for at most `limit` milliseconds. After
 * that the caller gets `late`, and the work continues.
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
