/**
 * The routes of a process that does not serve the API: `/metrics` and `/health/*`, with the API's envelope and log
 * lines.
 */
import { Layer } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { TrustedProxies } from "./http/request/ClientAddress.ts"
import { RateLimits } from "./http/access/RateLimits.ts"
import { RequestDecoding } from "./http/contract/RequestDecoding.ts"
import { RequestDecodingLive } from "./http/decoding/RequestDecodingLive.ts"
import * as RequestPipeline from "./http/pipeline/RequestPipeline.ts"
import { makeRoutes, routesOf } from "./http/pipeline/Routes.ts"
import { HealthApi } from "./monitoring/HealthApi.ts"
import { HealthHandlers } from "./monitoring/HealthHandlers.ts"
import * as Metrics from "./monitoring/Metrics.ts"

// It has the name of the whole API, because the handlers are typed for that name.
const Probes = HttpApi.make("livery").add(HealthApi).middleware(RequestDecoding)

const routes = makeRoutes([...routesOf(Probes), Metrics.metricsRoute])

/** The routes, for `HttpRouter.serve`. Requires the ports that they read, and the domain's rate counters. */
export const layer = (options: { readonly trustedProxies: number }) =>
  Layer.mergeAll(
    RequestPipeline.layer({ routes }),
    Metrics.layer(),
    HttpApiBuilder.layer(Probes).pipe(Layer.provide(HealthHandlers), Layer.provide(RequestDecodingLive))
  ).pipe(
    Layer.provide(RateLimits.layer()),
    Layer.provide(Layer.succeed(TrustedProxies, options.trustedProxies))
  )
