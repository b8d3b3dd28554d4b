/**
 * The routes of a process that does not serve the API: `/metrics` and `/health/*`, with the API's envelope and log
 * lines.
 */
import { Effect, Layer } from "effect"
import { HttpApi } from "effect/http-api"
import { RateLimits } from "./http/access/RateLimits.ts"
import { RequestDecoding, HealthApi } from "@livery/contract"
import { plansOf } from "./http/pipeline/EndpointPlan.ts"
import * as RequestSteps from "./http/pipeline/RequestSteps.ts"
import { makeRoutes, routesOf } from "./http/pipeline/Routes.ts"
import { TrustedProxies } from "./http/request/ClientAddress.ts"
import { HealthHandlers } from "./monitoring/HealthHandlers.ts"
import { makeMetricsPage, metricsRoute } from "./monitoring/Metrics.ts"

const probes = routesOf(HttpApi.make("probes").add(HealthApi).middleware(RequestDecoding))

/** The application with these routes. Requires the ports that they read, and the domain's rate counters. */
export const layer = (options: { readonly trustedProxies: number }) =>
  Layer.unwrap(
    Effect.gen(function* () {
      return RequestSteps.layer({
        routes: makeRoutes([...probes, metricsRoute]),
        plans: plansOf(probes, [yield* HealthHandlers]),
        pages: new Map([[metricsRoute, yield* makeMetricsPage()]])
      })
    })
  ).pipe(
    Layer.provide(RateLimits.layer()),
    Layer.provide(Layer.succeed(TrustedProxies, options.trustedProxies))
  )
