/** The span of an attempt, in the trace of the request that caused the event. */
import { type ClaimedDelivery, endSpan, spanOfTraceParent, Tracing } from "@livery/domain"
import { Effect, type Tracer } from "effect"
import type { SendOutcome } from "./SendOutcome.ts"

/** Makes the function that starts spans. It returns `undefined` unless the request that caused the event was traced. */
export const makeSpanStarter = Effect.gen(function* () {
  const tracing = yield* Tracing
  return (delivery: ClaimedDelivery, startedAt: number): Tracer.Span | undefined => {
    const parent = tracing && spanOfTraceParent(delivery.traceParent)
    if (parent === undefined) return undefined
    const span = tracing?.start({ name: "webhook.attempt", kind: "client", parent, startedAt })
    span?.attribute("livery.business.id", delivery.businessId)
    span?.attribute("livery.endpoint.id", delivery.endpointId)
    span?.attribute("livery.delivery.id", delivery.deliveryId)
    span?.attribute("livery.delivery.attempt", delivery.attempt)
    span?.attribute("livery.event.id", delivery.eventId)
    span?.attribute("livery.event.type", delivery.eventType)
    return span
  }
})

/** Ends the span of an attempt at `now` (Unix milliseconds). */
export const endAttemptSpan = (
  span: Tracer.Span,
  { acknowledged, error, responseStatus }: SendOutcome,
  now: number
): void => {
  if (responseStatus !== null) span.attribute("http.response.status_code", responseStatus)
  endSpan(span, now, acknowledged ? undefined : (error ?? "refused"))
}
