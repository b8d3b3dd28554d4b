/** Counts deliveries that end, in each process that ends them: dispatchers, and those that disable endpoints. */
import { Effect, Metric } from "effect"
import type { DeliveryStatus } from "./Delivery.ts"

const ends = Metric.counter("livery_webhook_deliveries_total", {
  description: "Webhook deliveries that ended in this process, delivered or failed",
  incremental: true
})

/** Counts deliveries that ended so. To be called after the commit. */
export const countDeliveryEnds = (
  outcome: Exclude<DeliveryStatus, "pending">,
  count: number
): Effect.Effect<void> =>
  count === 0 ? Effect.void : Metric.update(Metric.withAttributes(ends, { outcome }), count)
