/** What the log tells of attempts: a line for each that failed, without the secret, the address and the body. */
import type { AttemptResult, SilentAttempt, DeliveryVerdict } from "@livery/domain"
import { Effect } from "effect"

interface Named extends Pick<
  SilentAttempt,
  "attempt" | "businessId" | "deliveryId" | "endpointId" | "eventId"
> {}

const tellFailure = (
  { attempt, businessId, deliveryId, endpointId, eventId }: Named,
  end: {
    readonly error: string | null
    readonly duration_ms: number | null
    readonly status: "pending" | "failed" | "unknown"
    /** Seconds until the next attempt; null when there is none to come that one knew of. */
    readonly retry_in_s: number | null
  }
) =>
  Effect.annotateLogs(Effect.logWarning("A webhook attempt failed"), {
    business_id: businessId,
    endpoint_id: endpointId,
    delivery_id: deliveryId,
    event_id: eventId,
    attempt,
    ...end
  })

const statusAfter = (verdict: DeliveryVerdict | undefined) => {
  if (verdict === undefined || verdict === "late") return "unknown"
  return verdict === "pending" ? "pending" : "failed"
}

/**
 * Tells the failures among results, each with where its delivery stands by the verdict on it: `unknown` where that
 * came too late, or never.
 */
export const tellFailures = (
  results: ReadonlyArray<AttemptResult>,
  verdicts: ReadonlyArray<DeliveryVerdict>
) =>
  Effect.gen(function* () {
    for (const [index, { acknowledged, delivery, durationMs, error, retryIn }] of results.entries()) {
      if (acknowledged) continue
      const status = statusAfter(verdicts[index])
      yield* tellFailure(delivery, {
        error,
        duration_ms: durationMs,
        status,
        retry_in_s: status !== "pending" || retryIn === null ? null : Math.round(retryIn)
      })
    }
  })

/** Tells attempts that other dispatchers never told the end of. What is pending is tried again right now. */
export const tellSilence = (attempts: ReadonlyArray<SilentAttempt>) =>
  Effect.forEach(
    attempts,
    (silent) =>
      tellFailure(silent, {
        error: "no result: the dispatcher stopped",
        duration_ms: null,
        status: silent.status,
        retry_in_s: silent.status === "pending" ? 0 : null
      }),
    { discard: true }
  )
