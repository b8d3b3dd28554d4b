/**
 * Writes the results of attempts in batches, and retries until their claims expire. A result whose delivery is locked is
 * written later, so that it delays no other.
 */
import { DeliveryQueue, logFailure, makeBatchWriter, RetryPolicy, tracedRound } from "@livery/domain"
import type { AttemptResult, DeliveryVerdict } from "@livery/domain"
import { Clock, DateTime, Duration, Effect, Exit, FiberSet } from "effect"
import type { Scope } from "effect"
import { logFailures } from "./AttemptLog.ts"
import { nextPause, minPauseMillis, statementTimeout } from "./DatabaseBackoff.ts"
import { countAttempts, countVerdicts } from "./DeliveryMetrics.ts"

/** The pause before the result of a locked delivery is written again. */
export const lockedPause = Duration.millis(250)

/** When the claim of a result expires, in Unix milliseconds. After that the result cannot be written. */
const expiryOf = ({ delivery, startedAt }: AttemptResult): number =>
  DateTime.toEpochMillis(startedAt) + RetryPolicy.leaseSecondsOf(delivery.attempt) * 1000

/**
 * Starts the writer in the scope. `settled` is called with results after they were written, or after their claims have
 * expired and they can no longer be written. A failed attempt is logged then, because the state of its delivery is not
 * known earlier.
 */
export const makeResultWriter = Effect.fnUntraced(function* (options: {
  /** How long the first result of a batch waits for more. */
  readonly delay: () => Duration.Input
  readonly settled: (results: ReadonlyArray<AttemptResult>) => void
}): Effect.fn.Return<(result: AttemptResult) => void, never, DeliveryQueue | Scope.Scope> {
  const queue = yield* DeliveryQueue
  const fork = yield* FiberSet.makeRuntime<never, void>()
  // Results that an earlier batch has counted, but whose delivery was locked then.
  const counted = new WeakSet<AttemptResult>()

  /** Returns the verdicts; none, if the results could not be written in time. */
  const record = Effect.fnUntraced(function* (
    results: ReadonlyArray<AttemptResult>
  ): Effect.fn.Return<ReadonlyArray<DeliveryVerdict>> {
    for (let pause = minPauseMillis; ; pause = nextPause(pause)) {
      const exit = yield* Effect.exit(
        tracedRound("worker.record_results", Effect.timeout(queue.record(results), statementTimeout))
      )
      if (Exit.isSuccess(exit)) {
        const late = exit.value.filter((verdict) => verdict === "late").length
        if (late > 0) yield* Effect.logWarning(`${late} webhook results came after their claims had ended`)
        return exit.value
      }
      yield* logFailure("Webhook results could not be written", exit.cause)
      if ((yield* Clock.currentTimeMillis) + pause > Math.max(...results.map(expiryOf))) return []
      yield* Effect.sleep(pause)
    }
  })

  const write = Effect.fnUntraced(function* (results: ReadonlyArray<AttemptResult>) {
    yield* countAttempts(results.filter((result) => !counted.has(result)))
    const verdicts = yield* record(results)
    const now = yield* Clock.currentTimeMillis
    const locked: Array<AttemptResult> = []
    const settled: Array<AttemptResult> = []
    const verdictsOfSettled: Array<DeliveryVerdict> = []
    for (const [index, result] of results.entries()) {
      const verdict = verdicts[index] ?? "late"
      if (verdict === "locked" && now < expiryOf(result)) locked.push(result)
      else {
        settled.push(result)
        verdictsOfSettled.push(verdict)
      }
    }
    yield* countVerdicts(verdictsOfSettled)
    yield* logFailures(settled, verdictsOfSettled)
    options.settled(settled)
    for (const result of locked) counted.add(result)
    if (locked.length > 0)
      fork(
        Effect.delay(
          Effect.sync(() => locked.forEach((result) => add(result))),
          lockedPause
        )
      )
    // Interruptible, so that a database outage does not delay the end of the process.
  }, Effect.interruptible)

  const add = yield* makeBatchWriter<AttemptResult>({ delay: options.delay, write })
  return add
})
