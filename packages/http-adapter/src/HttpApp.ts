/** The API as one layer of routes over the domain's use cases. */
import { ByteSize, Layer } from "effect"
import { HttpIncomingMessage, HttpRouter } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiScalar, OpenApi } from "effect/http-api"
import { Api } from "./Api.ts"
import { BusinessHandlers } from "./business/BusinessHandlers.ts"
import { SettingsHandlers } from "./settings/SettingsHandlers.ts"
import { CustomersHandlers } from "./customers/CustomersHandlers.ts"
import { CarsHandlers } from "./fleet/CarsHandlers.ts"
import { DriversHandlers } from "./fleet/DriversHandlers.ts"
import { DriverAccountHandlers } from "./driving/DriverAccountHandlers.ts"
import { DriverTokenHandlers } from "./driving/DriverTokenHandlers.ts"
import { AccessLive } from "./http/AccessLive.ts"
import { TrustedProxies } from "./http/ClientAddress.ts"
import { PublicUrl, usualAddress } from "./http/PublicUrl.ts"
import { type Limits, RateLimits } from "./http/RateLimits.ts"
import * as RequestContext from "./http/RequestContext.ts"
import * as RequestMetrics from "./http/RequestMetrics.ts"
import { RequestDecodingLive } from "./http/RequestDecodingLive.ts"
import * as CanonicalPath from "./http/CanonicalPath.ts"
import * as Yielding from "./http/Yielding.ts"
import { AuthHandlers } from "./identity/AuthHandlers.ts"
import { MeHandlers } from "./identity/MeHandlers.ts"
import { HealthHandlers } from "./monitoring/HealthHandlers.ts"
import * as Metrics from "./monitoring/Metrics.ts"
import { MetaHandlers } from "./platform/MetaHandlers.ts"
import { DispatchHandlers } from "./trips/DispatchHandlers.ts"
import { PublicTrackingHandlers, TrackingHandlers } from "./tracking/TrackingHandlers.ts"
import { TripsHandlers } from "./trips/TripsHandlers.ts"
import * as ServedFiles from "./uploads/ServedFiles.ts"
import { UploadsHandlers } from "./uploads/UploadsHandlers.ts"
import { EventsHandlers } from "./webhooks/EventsHandlers.ts"
import { WebhooksHandlers } from "./webhooks/WebhooksHandlers.ts"

/** What the API is told by its settings. */
export interface HttpOptions {
  readonly limits: Limits
  readonly trustedProxies: number
  /** The public address (`BASE_URL`), without a slash at its end. The documentation calls it by no name unless told. */
  readonly publicUrl?: string | undefined
  /** Where the server listens, for links to itself unless a public address is told: `http://localhost` by default. */
  readonly address?: string | undefined
}

/** A body may be this large; uploads have a limit of their own. */
const maximumBody = ByteSize.mebibytes(1)

const routes = (() => {
  const known: Array<{ readonly method: string; readonly path: RegExp; readonly pattern: string }> = [
    { method: "GET", path: /^\/openapi\.json$/u, pattern: "/openapi.json" },
    { method: "GET", path: /^\/docs\/?$/u, pattern: "/docs" },
    { method: "GET", path: /^\/metrics\/?$/u, pattern: Metrics.metricsPath },
    { method: "GET", path: /^\/uploads\/[^/]+\/?$/u, pattern: ServedFiles.servedFilesPath }
  ]
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const pattern = endpoint.path.replace(/\/$/u, "")
      const path = new RegExp(`^${pattern.replaceAll(/:[A-Za-z_]+/gu, "[^/]+")}/?$`, "u")
      known.push({ method: endpoint.method, path, pattern })
    }
  })
  return known
})()

/** The methods that a path knows, for the `Allow` header; none if the path is unknown. */
export const methodsOf = (path: string): ReadonlyArray<string> => {
  const methods = routes.filter((route) => route.path.test(path)).map(({ method }) => method)
  if (methods.length === 0) return []
  return [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"])]
}

/** The pattern of the route that a path belongs to. */
const routeOf = (path: string) => routes.find((route) => route.path.test(path))?.pattern

const Cors = HttpRouter.cors({
  allowedOrigins: ["*"],
  allowedMethods: ["GET", "HEAD", "POST", "PATCH", "DELETE"],
  allowedHeaders: ["Authorization", "Content-Type", "X-Business-Id", "Idempotency-Key", "If-Match"],
  exposedHeaders: [
    "X-Request-Id",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "ETag",
    "Retry-After",
    "Idempotency-Replayed"
  ],
  maxAge: 86_400
})

const Handlers = Layer.mergeAll(
  AuthHandlers,
  MeHandlers,
  BusinessHandlers,
  SettingsHandlers,
  CarsHandlers,
  DriversHandlers,
  CustomersHandlers,
  TripsHandlers,
  DriverAccountHandlers,
  DriverTokenHandlers,
  TrackingHandlers,
  PublicTrackingHandlers,
  WebhooksHandlers,
  EventsHandlers,
  UploadsHandlers,
  MetaHandlers,
  DispatchHandlers,
  HealthHandlers
)

/**
 * Every route, the documentation page and `openapi.json` among them, ready for `HttpRouter.serve` or
 * `HttpRouter.toWebHandler`. Needs the domain's use cases and its rate counters.
 */
export const layer = (options: HttpOptions) => {
  const Published = Api.annotateMerge(OpenApi.annotations({ servers: [{ url: options.publicUrl ?? "/" }] }))
  const ApiRoutes = HttpApiBuilder.layer(Published, { openapiPath: "/openapi.json" }).pipe(
    Layer.provide(Handlers),
    Layer.provide([AccessLive, RequestDecodingLive])
  )
  // The first that registers is the outermost: a refused pre-flight has a request id, too.
  return Layer.mergeAll(
    RequestContext.layer(methodsOf),
    RequestMetrics.layer(routeOf),
    Yielding.layer,
    Metrics.layer,
    ServedFiles.layer,
    Cors,
    // Within all others, so that what it refuses is counted, logged and told as any unknown path is.
    CanonicalPath.layer((path) => routeOf(path) !== undefined),
    ApiRoutes,
    HttpApiScalar.layer(Published, { path: "/docs" })
  ).pipe(
    Layer.provide(RateLimits.layer(options.limits)),
    Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, maximumBody)),
    Layer.provide(Layer.succeed(TrustedProxies, options.trustedProxies)),
    Layer.provide(Layer.succeed(PublicUrl, options.publicUrl ?? options.address ?? usualAddress))
  )
}
