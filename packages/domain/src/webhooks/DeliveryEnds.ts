/** How deliveries end, counted in every process in which they do: a dispatcher's, and one that disables endpoints. */
import { Effect, Metric } from "effect"
import type { DeliveryStatus } from "./Delivery.ts"

const ends = Metric.counter("livery_webhook_deliveries_total", {
  description: "Webhook deliveries that came to an end in this process, delivered or failed",
  incremental: true
})

/** Counts deliveries that came to this end. To be called once that is committed. */
export const countDeliveryEnds = (
  outcome: Exclude<DeliveryStatus, "pending">,
  count: number
): Effect.Effect<void> =>
  count === 0 ? Effect.void : Metric.update(Metric.withAttributes(ends, { outcome }), count)
