/** Counts requests and how long they took, by route: by its pattern, so that no id and no token is told. */
import { Clock, Effect, Metric } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest } from "effect/http"
import { pathOf } from "./CanonicalPath.ts"

const requests = Metric.counter("livery_http_requests_total", {
  description: "Requests by route and status",
  incremental: true
})

const requestSeconds = Metric.histogram("livery_http_request_seconds", {
  description: "How long requests took, by route",
  boundaries: Metric.boundariesFromIterable([0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10])
})

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/**
 * - `routeOf`: the pattern of a path, or undefined if it has none.
 */
export const layer = (routeOf: (path: string) => string | undefined) =>
  HttpRouter.middleware(
    (app) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const started = yield* Clock.monotonicTimeNanos
        yield* HttpEffect.appendPreResponseHandler((_request, response) =>
          Effect.gen(function* () {
            const labels = {
              // Whoever asks chooses the words: what is not one of ours must not become a series of its own.
              method: methods.has(request.method) ? request.method : "other",
              route: routeOf(pathOf(request.url)) ?? "unknown"
            }
            const took = Number((yield* Clock.monotonicTimeNanos) - started) / 1e9
            yield* Metric.update(
              Metric.withAttributes(requests, { ...labels, status: String(response.status) }),
              1
            )
            yield* Metric.update(Metric.withAttributes(requestSeconds, labels), took)
            return response
          })
        )
        return yield* app
      }),
    { global: true }
  )
