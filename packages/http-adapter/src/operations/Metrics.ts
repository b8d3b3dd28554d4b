/**
 * `GET /metrics` for Prometheus: what this process counted, and how long the queue of webhooks is now. Outside of the
 * API's base path, its limits and its documentation, as the probes are. It names no business, no address, no secret.
 */
import { Effect, Layer, Metric } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { DeliveryQueue, TripWatch } from "@livery/domain"

const backlog = Metric.gauge("livery_webhook_backlog", {
  description:
    "Webhook deliveries that are due and not under way, counted to 100000; NaN while it cannot be told"
})

const oldestDue = Metric.gauge("livery_webhook_oldest_due_seconds", {
  description: "For how long the oldest of them has been due"
})

const followers = Metric.gauge("livery_trip_followers", {
  description: "Streams on which somebody follows a trip right now"
})

const unknown = { due: Number.NaN, oldestDueSeconds: Number.NaN }

/** Where it is. */
export const metricsPath = "/metrics"

/** However many scrape, the queue is looked at every few seconds; and a database that is away delays no answer. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const queue = yield* DeliveryQueue
    const watch = yield* TripWatch
    const sample = yield* Effect.cachedWithTTL(
      queue.backlog.pipe(
        Effect.timeout("2 seconds"),
        Effect.catchCause((cause) => Effect.as(Effect.logDebug("The backlog cannot be told", cause), unknown))
      ),
      "2 seconds"
    )
    return HttpRouter.add(
      "GET",
      metricsPath,
      Effect.gen(function* () {
        const { due, oldestDueSeconds } = yield* sample
        yield* Metric.update(backlog, due)
        yield* Metric.update(oldestDue, oldestDueSeconds)
        yield* Metric.update(followers, yield* watch.followers)
        return HttpServerResponse.text(yield* PrometheusMetrics.format(), {
          contentType: "text/plain; version=0.0.4; charset=utf-8"
        })
      })
    )
  })
)
