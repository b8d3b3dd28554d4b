/**
 * What a process that serves no API tells of itself: `/metrics` and `/health/*`, and nothing else. In the same words,
 * with the same envelope and the same log lines, as where the API is.
 */
import { Layer } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { TrustedProxies } from "./http/ClientAddress.ts"
import { type Limits, RateLimits } from "./http/RateLimits.ts"
import * as RequestContext from "./http/RequestContext.ts"
import { RequestDecoding } from "./http/RequestDecoding.ts"
import { RequestDecodingLive } from "./http/RequestDecodingLive.ts"
import { HealthApi } from "./operations/HealthApi.ts"
import { HealthHandlers } from "./operations/HealthHandlers.ts"
import * as Metrics from "./operations/Metrics.ts"

// Of the same name as the API that the handlers are written for, of which it is a part.
const Probes = HttpApi.make("livery").add(HealthApi).middleware(RequestDecoding)

const methodsOf = (path: string): ReadonlyArray<string> =>
  /^\/(?:metrics|health\/(?:live|ready))\/?$/u.test(path) ? ["GET", "HEAD", "OPTIONS"] : []

/** The routes, ready for `HttpRouter.serve`. Needs the ports that they look at, and the domain's rate counters. */
export const layer = (options: { readonly limits: Limits; readonly trustedProxies: number }) =>
  Layer.mergeAll(
    RequestContext.layer(methodsOf),
    Metrics.layer,
    HttpApiBuilder.layer(Probes).pipe(Layer.provide(HealthHandlers), Layer.provide(RequestDecodingLive))
  ).pipe(
    Layer.provide(RateLimits.layer(options.limits)),
    Layer.provide(Layer.succeed(TrustedProxies, options.trustedProxies))
  )
