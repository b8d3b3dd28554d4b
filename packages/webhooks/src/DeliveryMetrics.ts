/**
 * What a dispatcher tells of itself, in Effect's metrics: how attempts end and how long they take, what becomes of
 * deliveries, and how long the first attempt of each has waited. Never whose, nor where to.
 *
 * An attempt is counted when it ends, whether or not that could be written; a delivery by what was written.
 */
import { countDeliveryEnds } from "@livery/domain"
import type { AttemptResult, Claims, DeliveryVerdict } from "@livery/domain"
import { Effect, Metric } from "effect"

const seconds = (...boundaries: ReadonlyArray<number>) => Metric.boundariesFromIterable(boundaries)

const attempts = Metric.counter("livery_webhook_attempts_total", {
  description: "Webhook attempts by how they ended",
  incremental: true
})

const attemptSeconds = Metric.histogram("livery_webhook_attempt_seconds", {
  description: "How long webhook attempts took",
  boundaries: seconds(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15)
})

const lagSeconds = Metric.histogram("livery_webhook_lag_seconds", {
  description: "From an event to the first attempt of each of its deliveries",
  boundaries: seconds(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300)
})

/** How an attempt ended, in one of a few words: a status by its hundred, a failure by its kind. */
const outcomeOf = ({ acknowledged, error, responseStatus }: AttemptResult): string => {
  if (acknowledged) return "acknowledged"
  if (responseStatus !== null) return `http_${Math.floor(responseStatus / 100)}xx`
  return (error ?? "unknown").replaceAll(" ", "_")
}

/** How many there are of each word. */
const tally = (words: Iterable<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Counts attempts that have ended, all at once: to look a metric up costs more than to add to it. */
export const countAttempts = (results: ReadonlyArray<AttemptResult>): Effect.Effect<void> =>
  Effect.contextWith((context) => {
    for (const [outcome, count] of tally(results.map(outcomeOf)))
      Metric.withAttributes(attempts, { outcome }).updateUnsafe(count, context)
    for (const { delivery, durationMs } of results) {
      attemptSeconds.updateUnsafe(durationMs / 1000, context)
      if (delivery.attempt === 1) lagSeconds.updateUnsafe(delivery.ageMs / 1000, context)
    }
    return Effect.void
  })

/** Counts the deliveries that came to an end by what was written. */
export const countVerdicts = (verdicts: ReadonlyArray<DeliveryVerdict>): Effect.Effect<void> => {
  let delivered = 0
  let failed = 0
  for (const verdict of verdicts)
    if (verdict === "delivered") delivered += 1
    else if (verdict === "failed") failed += 1
  return Effect.andThen(countDeliveryEnds("delivered", delivered), countDeliveryEnds("failed", failed))
}

/** Counts what a look at the queue found: attempts of dispatchers that stopped, and deliveries that it failed. */
export const countFound = ({ failed, silent }: Claims): Effect.Effect<void> =>
  Effect.andThen(
    silent.length === 0
      ? Effect.void
      : Metric.update(Metric.withAttributes(attempts, { outcome: "no_result" }), silent.length),
    countDeliveryEnds("failed", failed)
  )
