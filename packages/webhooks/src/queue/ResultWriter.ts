/** Writes the results of attempts in batches, again and again until their claims lapse. */
import { DeliveryQueue, makeBatchWriter, RetryPolicy } from "@livery/domain"
import type { AttemptResult, DeliveryVerdict } from "@livery/domain"
import { Cause, Clock, DateTime, Effect, Exit } from "effect"
import type { Duration, Scope } from "effect"
import { logFailures } from "./AttemptLog.ts"
import { countAttempts, countVerdicts } from "./DeliveryMetrics.ts"
import { nextPause, shortestPause, statementTimeout } from "./DatabaseBackoff.ts"

/** When the last claim of these lapses, in Unix milliseconds. After that, none of the results can be written. */
const lapseOf = (results: ReadonlyArray<AttemptResult>): number =>
  Math.max(
    ...results.map(
      ({ delivery, startedAt }) =>
        DateTime.toEpochMillis(startedAt) + RetryPolicy.recoveryAfter(delivery.attempt) * 1000
    )
  )

/**
 * Starts the writer in the scope. `settled` is called with results once they are written, or once their claims have
 * lapsed so that they cannot be written any more. A failed attempt is logged then and not when it ends, since only then
 * is the state of its delivery known.
 */
export const makeResultWriter = Effect.fnUntraced(function* (options: {
  /** How long the first result of a batch waits for more. */
  readonly delay: () => Duration.Input
  readonly settled: (results: ReadonlyArray<AttemptResult>) => void
}): Effect.fn.Return<(result: AttemptResult) => void, never, DeliveryQueue | Scope.Scope> {
  const queue = yield* DeliveryQueue

  /** Returns the states of the deliveries; none, if the results could not be written in time. */
  const record = Effect.fnUntraced(function* (
    results: ReadonlyArray<AttemptResult>
  ): Effect.fn.Return<ReadonlyArray<DeliveryVerdict>> {
    for (let pause = shortestPause; ; pause = nextPause(pause)) {
      const exit = yield* Effect.exit(Effect.timeout(queue.record(results), statementTimeout))
      if (Exit.isSuccess(exit)) {
        const late = exit.value.filter((verdict) => verdict === "late").length
        if (late > 0) yield* Effect.logWarning(`${late} webhook results came after their claims had ended`)
        return exit.value
      }
      yield* Effect.logWarning("Webhook results could not be written", Cause.pretty(exit.cause))
      if ((yield* Clock.currentTimeMillis) + pause > lapseOf(results)) return []
      yield* Effect.sleep(pause)
    }
  })

  return yield* makeBatchWriter<AttemptResult>({
    delay: options.delay,
    write: Effect.fnUntraced(function* (results) {
      yield* countAttempts(results)
      const verdicts = yield* record(results)
      yield* countVerdicts(verdicts)
      yield* logFailures(results, verdicts)
      options.settled(results)
      // A database that stays away must not hold up the end of the process.
    }, Effect.interruptible)
  })
})
