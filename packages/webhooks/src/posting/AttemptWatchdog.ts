/** Ends attempts that take too long, and those that are running when the scope closes. */
import { RetryPolicy } from "@livery/domain"
import { type Clock, Effect } from "effect"

// The sender limits its own time. This limit applies if it fails to.
const maxAttemptNanos = BigInt(RetryPolicy.maxAttemptSeconds + 1) * 1_000_000_000n

/** A running attempt, which can be ended from outside. */
export interface RunningAttempt {
  /** Ends the attempt as a timeout. */
  readonly timeOut: () => void
  /** Ends the attempt without a result. */
  readonly cancel: () => void
}

/** Starts a watchdog in the scope. It checks the oldest attempts once a second, instead of with a timer for each. */
export const makeAttemptWatchdog = Effect.fnUntraced(function* (clock: Clock.Clock) {
  // Oldest first: a map iterates in the order of insertion.
  const startTimes = new Map<RunningAttempt, bigint>()
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const attempt of startTimes.keys()) attempt.cancel()
    })
  )
  yield* Effect.gen(function* () {
    yield* Effect.sleep("1 second")
    const now = clock.monotonicTimeNanosUnsafe()
    for (const [attempt, startedAt] of startTimes) {
      if (now - startedAt < maxAttemptNanos) return
      attempt.timeOut()
    }
  }).pipe(Effect.forever, Effect.forkScoped)
  return {
    started: (attempt: RunningAttempt) => startTimes.set(attempt, clock.monotonicTimeNanosUnsafe()),
    ended: (attempt: RunningAttempt) => startTimes.delete(attempt)
  }
})
