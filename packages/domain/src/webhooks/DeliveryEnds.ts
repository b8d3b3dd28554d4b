/** Counts final deliveries in the process that ends them: a dispatcher, or a process that disables endpoints. */
import { Effect, Metric } from "effect"
import type { DeliveryStatus } from "./Delivery.ts"

const ends = Metric.counter("livery_webhook_deliveries_total", {
  description: "Webhook deliveries that ended in this process, delivered or failed",
  incremental: true
})

/** Counts deliveries that ended with that status. Call it after the commit. */
export const countDeliveryEnds = (
  outcome: Exclude<DeliveryStatus, "pending">,
  count: number
): Effect.Effect<void> => Metric.update(Metric.withAttributes(ends, { outcome }), count)

/** Begins both counters at 0, so that a rate includes the first delivery that ends. */
export const startDeliveryEnds: Effect.Effect<void> = Effect.andThen(
  countDeliveryEnds("delivered", 0),
  countDeliveryEnds("failed", 0)
)
