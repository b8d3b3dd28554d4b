/** Logs each failed attempt in one line, without the secret, the address and the body. */
import {
  type AttemptResult,
  type DeliveryVerdict,
  type UnreportedAttempt,
  unreportedError
} from "@livery/domain"
import { Effect } from "effect"

type AttemptKey = Pick<UnreportedAttempt, "attempt" | "businessId" | "deliveryId" | "endpointId" | "eventId">

const logFailure = (
  { attempt, businessId, deliveryId, endpointId, eventId }: AttemptKey,
  failure: {
    readonly error: string | null
    readonly duration_ms: number | null
    readonly status: "pending" | "failed" | "unknown"
    /** Seconds until the next attempt; null if there is none or its time is unknown. */
    readonly retry_in_s: number | null
  }
) =>
  Effect.annotateLogs(Effect.logWarning("A webhook attempt failed"), {
    business_id: businessId,
    endpoint_id: endpointId,
    delivery_id: deliveryId,
    event_id: eventId,
    attempt,
    ...failure
  })

const statusOf = (verdict: DeliveryVerdict | undefined) => {
  if (verdict === undefined || verdict === "late" || verdict === "locked") return "unknown"
  return verdict === "pending" ? "pending" : "failed"
}

/**
 * Logs the failures among results, each with the state of its delivery from the verdict. The state is `unknown` if the
 * result came too late or was never written.
 */
export const logFailures = (
  results: ReadonlyArray<AttemptResult>,
  verdicts: ReadonlyArray<DeliveryVerdict>
) =>
  Effect.gen(function* () {
    for (const [index, { acknowledged, delivery, durationMs, error, retryIn }] of results.entries()) {
      if (acknowledged) continue
      const status = statusOf(verdicts[index])
      yield* logFailure(delivery, {
        error,
        duration_ms: durationMs,
        status,
        retry_in_s: status !== "pending" || retryIn === null ? null : Math.round(retryIn)
      })
    }
  })

/** Logs attempts whose dispatchers stopped without a result. A pending delivery is due again at once. */
export const logUnreported = (attempts: ReadonlyArray<UnreportedAttempt>) =>
  Effect.forEach(
    attempts,
    (attempt) =>
      logFailure(attempt, {
        error: unreportedError,
        duration_ms: null,
        status: attempt.status,
        retry_in_s: attempt.status === "pending" ? 0 : null
      }),
    { discard: true }
  )
