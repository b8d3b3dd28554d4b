/**
 * `GET /metrics` for Prometheus: the counters of this process and the current length of the webhook queue. As the probes,
 * it is outside of the API's base path, limits and documentation. No metric contains a business, an address or a secret.
 */
import { Effect, Layer, Metric } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { DeliveryQueue, TripWatch } from "@livery/domain"
import type { RequestMetrics } from "../http/RequestMetrics.ts"
import { route } from "../http/Routes.ts"
import { probe } from "../http/Traits.ts"

const backlog = Metric.gauge("livery_webhook_backlog", {
  description:
    "Webhook deliveries that are due and not claimed, counted up to 100000; NaN if the database does not respond"
})

const oldestDue = Metric.gauge("livery_webhook_oldest_due_seconds", {
  description: "The time since the oldest of them became due"
})

const followers = Metric.gauge("livery_trip_followers", {
  description: "Open streams that follow a trip"
})

const unknown = { due: Number.NaN, oldestDueSeconds: Number.NaN }

const metricsPath = "/metrics"

/** The route, for the table of routes. */
export const metricsRoute = route("GET", metricsPath, probe)

/**
 * Its handler, with the counters of requests if there are any. It reads the queue at most every two seconds, and waits at
 * most two seconds for the database.
 */
export const layer = (requests?: RequestMetrics) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const queue = yield* DeliveryQueue
      const watch = yield* TripWatch
      const sample = yield* Effect.cachedWithTTL(
        queue.backlog.pipe(
          Effect.timeout("2 seconds"),
          Effect.catchCause((cause) =>
            Effect.as(Effect.logDebug("the backlog could not be read", cause), unknown)
          )
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
          const others = yield* PrometheusMetrics.format()
          return HttpServerResponse.text(`${requests?.format() ?? ""}${others}`, {
            contentType: "text/plain; version=0.0.4; charset=utf-8"
          })
        })
      )
    })
  )
