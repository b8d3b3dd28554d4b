import { Context, Effect, Exit } from "effect"
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

/** The ends of work that takes longer than its limit. */
interface LateEnds<E> {
  /** In milliseconds. */
  readonly limit: number
  /** How long the interruption of the work may take, in milliseconds. */
  readonly grace: number
  /** The work was interrupted, and ended within the grace. */
  readonly stopped: Effect.Effect<never, E>
  /** The work was interrupted, and has not ended within the grace. It ends in the background. */
  readonly silent: Effect.Effect<never, E>
}

/**
 * Runs work as {@link detached} does, and interrupts it if it takes longer than a limit. The time counts from the call of the
 * function that the work is given.
 */
export const detachedWithin = <A, E>(
  work: (begin: () => void) => Effect.Effect<A, E>,
  { grace, limit, silent, stopped }: LateEnds<E>,
  onStart: () => void
): Effect.Effect<A, E> =>
  Effect.callback((resume) => {
    let timer: NodeJS.Timeout | undefined
    let isLate = false
    const begin = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        isLate = true
        timer = setTimeout(() => resume(silent), grace)
        fiber.interruptUnsafe()
      }, limit)
    }
    const fiber = runFork(work(begin))
    onStart()
    fiber.addObserver((exit) => {
      clearTimeout(timer)
      resume(isLate && Exit.hasInterrupts(exit) ? stopped : exit)
    })
    return Effect.sync(() => {
      clearTimeout(timer)
      fiber.interruptUnsafe()
    })
  })
