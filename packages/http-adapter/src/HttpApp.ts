/** The API over the domain's use cases. */
import { Effect, Layer } from "effect"
import { HttpIncomingMessage } from "effect/http"
import { OpenApi } from "effect/http-api"
import { Api } from "@livery/contract"
import { makeDocumentPages } from "./Documents.ts"
import * as groups from "./Groups.ts"
import { maximumBody } from "./http/decoding/BodyMemory.ts"
import { TrustedProxies } from "./http/request/ClientAddress.ts"
import { PublicUrl, ServesPages, defaultAddress } from "./http/server/PublicUrl.ts"
import { type Limits, RateLimits } from "./http/access/RateLimits.ts"
import { makeRequestMetrics } from "./http/observation/RequestMetrics.ts"
import { makeMcpPage, mcpRoute } from "./mcp/McpPage.ts"
import { plansOf } from "./http/pipeline/EndpointPlan.ts"
import * as RequestSteps from "./http/pipeline/RequestSteps.ts"
import type { Route } from "./http/pipeline/Routes.ts"
import { makeMetricsPage, metricsRoute } from "./monitoring/Metrics.ts"
import { apiRoutes, routeTableWith } from "./RouteTable.ts"
import { type PagesOptions, staticPages } from "./StaticPages.ts"
import { makeMovesPage, movesRoute } from "./platform/MovesPage.ts"
import { makeServedFilesPage, servedFilesRoute } from "./uploads/ServedFiles.ts"

/** The settings of the API. */
export interface HttpOptions {
  /** Limits that replace those of the platform's settings. */
  readonly limits?: Partial<Limits>
  readonly trustedProxies: number
  /** The public address (`BASE_URL`), without a slash at its end. Without it, the documentation names no server. */
  readonly publicUrl?: string | undefined
  /** Where the server listens, for links to itself if there is no public address: `http://localhost` by default. */
  readonly address?: string | undefined
  /** The pages for people, served beside the API; none by default. */
  readonly pages?: PagesOptions | undefined
}

/**
 * The application with every route, the documentation page and `openapi.json` among them. Needs the domain's use cases and its
 * rate counters.
 */
export const layer = (options: HttpOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const Published = Api.annotateMerge(
        OpenApi.annotations({ servers: options.publicUrl === undefined ? [] : [{ url: options.publicUrl }] })
      )
      const metrics = makeRequestMetrics()
      const pages = yield* staticPages(options.pages)
      return RequestSteps.layer({
        routes: routeTableWith(pages.handlers.map(([route]) => route)),
        notFoundPage: pages.notFound,
        plans: plansOf(apiRoutes, yield* Effect.all(Object.values(groups))),
        pages: new Map<Route, RequestSteps.PageHandler>([
          ...(yield* makeDocumentPages(Published, options.pages === undefined ? "openapi.json" : "docs")),
          [metricsRoute, yield* makeMetricsPage(metrics)],
          [mcpRoute, yield* makeMcpPage],
          [movesRoute, yield* makeMovesPage],
          [servedFilesRoute, yield* makeServedFilesPage],
          ...pages.handlers
        ]),
        metrics
      })
    })
  ).pipe(
    Layer.provide(RateLimits.layer(options.limits)),
    Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, maximumBody)),
    Layer.provide(Layer.succeed(TrustedProxies, options.trustedProxies)),
    Layer.provide(Layer.succeed(ServesPages, options.pages !== undefined)),
    Layer.provide(Layer.succeed(PublicUrl, options.publicUrl ?? options.address ?? defaultAddress))
  )
