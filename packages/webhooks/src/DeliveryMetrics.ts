/**
 * What a dispatcher tells of itself, in Effect's metrics: how attempts end and how long they take, what becomes of
 * deliveries, and how long the first attempt of each has waited. Never whose, nor where to.
 */
import type { AttemptResult } from "@livery/domain"
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

const deliveries = Metric.counter("livery_webhook_deliveries_total", {
  description: "Webhook deliveries that came to an end, delivered or failed",
  incremental: true
})

/** How an attempt ended, in one of a few words: a status by its hundred, a failure by its kind. */
const outcomeOf = ({ acknowledged, error, responseStatus }: AttemptResult): string => {
  if (acknowledged) return "acknowledged"
  if (responseStatus !== null) return `http_${Math.floor(responseStatus / 100)}xx`
  return (error ?? "unknown").replaceAll(" ", "_")
}

const endOf = ({ acknowledged, retryIn }: AttemptResult): string | undefined => {
  if (acknowledged) return "delivered"
  return retryIn === null ? "failed" : undefined
}

/** How many there are of each word. */
const tally = (words: Iterable<string | undefined>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const word of words) if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Counts attempts that have ended, all at once: to look a metric up costs more than to add to it. */
export const countAttempts = (results: ReadonlyArray<AttemptResult>): Effect.Effect<void> =>
  Effect.contextWith((context) => {
    for (const [outcome, count] of tally(results.map(outcomeOf)))
      Metric.withAttributes(attempts, { outcome }).updateUnsafe(count, context)
    for (const [outcome, count] of tally(results.map(endOf)))
      Metric.withAttributes(deliveries, { outcome }).updateUnsafe(count, context)
    for (const { delivery, durationMs } of results) {
      attemptSeconds.updateUnsafe(durationMs / 1000, context)
      if (delivery.attempt === 1) lagSeconds.updateUnsafe(delivery.ageMs / 1000, context)
    }
    return Effect.void
  })
