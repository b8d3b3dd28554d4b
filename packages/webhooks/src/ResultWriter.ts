/**
 * Writes what attempts came to, in batches: all that has ended by the time that the last batch was written, and a
 * few milliseconds more, goes in one statement.
 */
import { DeliveryQueue, RetryPolicy } from "@livery/domain"
import type { AttemptResult, DeliveryVerdict } from "@livery/domain"
import { Cause, Clock, DateTime, Effect, Exit, Latch } from "effect"
import type { Duration, Scope } from "effect"
import { tellFailures } from "./AttemptLog.ts"
import { countAttempts, countVerdicts } from "./DeliveryMetrics.ts"
import { nextPause, shortestPause, statementLimit } from "./Patience.ts"

/** When the last of the claims lapses, in Unix milliseconds: from then on nothing can be written any more. */
const lapseOf = (results: ReadonlyArray<AttemptResult>): number =>
  Math.max(
    ...results.map(
      ({ delivery, startedAt }) =>
        DateTime.toEpochMillis(startedAt) + RetryPolicy.recoveryAfter(delivery.attempt) * 1000
    )
  )

/**
 * Starts the writer in the scope. `settled` hears of each result once it is written, or once it cannot be written
 * any more because its claim has lapsed. While the database is away it is tried again and again until then. Only then
 * is it known what becomes of the delivery: a failure is told in the log here, not when the attempt ends.
 */
export const makeResultWriter = Effect.fnUntraced(function* (options: {
  readonly gather: () => Duration.Input
  readonly settled: (results: ReadonlyArray<AttemptResult>) => void
}): Effect.fn.Return<(result: AttemptResult) => void, never, DeliveryQueue | Scope.Scope> {
  const deliveries = yield* DeliveryQueue
  const some = Latch.makeUnsafe()
  let ended: Array<AttemptResult> = []

  /** Answers what became of the deliveries; nothing, if that could not be written in time. */
  const write = Effect.fnUntraced(function* (
    results: ReadonlyArray<AttemptResult>
  ): Effect.fn.Return<ReadonlyArray<DeliveryVerdict>> {
    for (let pause = shortestPause; ; pause = nextPause(pause)) {
      const exit = yield* Effect.exit(Effect.timeout(deliveries.record(results), statementLimit))
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

  yield* Effect.gen(function* () {
    yield* some.await
    yield* Effect.sleep(options.gather())
    const results = ended
    ended = []
    some.closeUnsafe()
    yield* countAttempts(results)
    const verdicts = yield* write(results)
    yield* countVerdicts(verdicts)
    yield* tellFailures(results, verdicts)
    options.settled(results)
  }).pipe(Effect.forever, Effect.forkScoped)

  return (result) => {
    ended.push(result)
    some.openUnsafe()
  }
})
