/** The API over the domain's use cases. */
import { Effect, Layer } from "effect"
import { HttpIncomingMessage } from "effect/http"
import { OpenApi } from "effect/http-api"
import { Api } from "@livery/contract"
import { makeDocumentPages } from "./Documents.ts"
import { AdminAuditHandlers } from "./administration/AdminAuditHandlers.ts"
import { AdminCouponsHandlers, AdminSaasInvoicesHandlers } from "./administration/AdminBillingHandlers.ts"
import { AdminBusinessesHandlers } from "./administration/AdminBusinessesHandlers.ts"
import { AdminPlansHandlers } from "./administration/AdminPlansHandlers.ts"
import { AdminSettingsHandlers } from "./administration/AdminSettingsHandlers.ts"
import { AdminUsersHandlers } from "./administration/AdminUsersHandlers.ts"
import { BusinessHandlers } from "./business/BusinessHandlers.ts"
import { SettingsHandlers } from "./settings/SettingsHandlers.ts"
import { StaffHandlers } from "./staff/StaffHandlers.ts"
import { CustomersHandlers } from "./customers/CustomersHandlers.ts"
import { AdminPrivacyHandlers, PrivacyHandlers } from "./privacy/PrivacyHandlers.ts"
import { TripBillingHandlers } from "./billing/TripBillingHandlers.ts"
import { PaymentNoticesHandlers, PublicInvoicesHandlers } from "./billing/PublicPaymentsHandlers.ts"
import { CreditNotesHandlers } from "./billing/CreditNotesHandlers.ts"
import { InvoicePdfsHandlers } from "./billing/InvoicePdfsHandlers.ts"
import { InvoicesHandlers } from "./billing/InvoicesHandlers.ts"
import { CarsHandlers } from "./fleet/CarsHandlers.ts"
import { DriversHandlers } from "./fleet/DriversHandlers.ts"
import { DriverPayHandlers } from "./fares/DriverPayHandlers.ts"
import { FaresHandlers } from "./fares/FaresHandlers.ts"
import { BookingPagesHandlers } from "./sales/BookingPagesHandlers.ts"
import { BookingBillingHandlers } from "./sales/BookingBillingHandlers.ts"
import { BookingsHandlers, ProductsHandlers } from "./sales/BookingsHandlers.ts"
import { PublicQuotesHandlers, QuotesHandlers } from "./sales/QuotesHandlers.ts"
import { DriverAccountHandlers } from "./driving/DriverAccountHandlers.ts"
import { DriverTokenHandlers } from "./driving/DriverTokenHandlers.ts"
import { maximumBody } from "./http/decoding/BodyMemory.ts"
import { TrustedProxies } from "./http/request/ClientAddress.ts"
import { PublicUrl, ServesPages, defaultAddress } from "./http/server/PublicUrl.ts"
import { type Limits, RateLimits } from "./http/access/RateLimits.ts"
import { makeRequestMetrics } from "./http/observation/RequestMetrics.ts"
import { AuthHandlers } from "./identity/AuthHandlers.ts"
import { makeMcpPage, mcpRoute } from "./mcp/McpPage.ts"
import { MeHandlers } from "./identity/MeHandlers.ts"
import { HealthHandlers } from "./monitoring/HealthHandlers.ts"
import { MetaHandlers } from "./platform/MetaHandlers.ts"
import { DispatchHandlers } from "./trips/DispatchHandlers.ts"
import { PublicTrackingHandlers, TrackingHandlers } from "./tracking/TrackingHandlers.ts"
import { TripsHandlers } from "./trips/TripsHandlers.ts"
import { plansOf } from "./http/pipeline/EndpointPlan.ts"
import * as RequestSteps from "./http/pipeline/RequestSteps.ts"
import type { Route } from "./http/pipeline/Routes.ts"
import { makeMetricsPage, metricsRoute } from "./monitoring/Metrics.ts"
import { apiRoutes, routeTableWith } from "./RouteTable.ts"
import { type PagesOptions, staticPages } from "./StaticPages.ts"
import { makeServedFilesPage, servedFilesRoute } from "./uploads/ServedFiles.ts"
import { UploadsHandlers } from "./uploads/UploadsHandlers.ts"
import { EventsHandlers } from "./webhooks/EventsHandlers.ts"
import { WebhooksHandlers } from "./webhooks/WebhooksHandlers.ts"

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

/** The handlers of every group of the contract. */
const makeHandlers = Effect.all([
  AuthHandlers,
  MeHandlers,
  BusinessHandlers,
  SettingsHandlers,
  StaffHandlers,
  CarsHandlers,
  DriversHandlers,
  CustomersHandlers,
  PrivacyHandlers,
  AdminPrivacyHandlers,
  FaresHandlers,
  DriverPayHandlers,
  ProductsHandlers,
  BookingsHandlers,
  BookingBillingHandlers,
  BookingPagesHandlers,
  QuotesHandlers,
  PublicQuotesHandlers,
  TripsHandlers,
  InvoicesHandlers,
  InvoicePdfsHandlers,
  CreditNotesHandlers,
  TripBillingHandlers,
  PublicInvoicesHandlers,
  PaymentNoticesHandlers,
  DriverAccountHandlers,
  DriverTokenHandlers,
  TrackingHandlers,
  PublicTrackingHandlers,
  WebhooksHandlers,
  EventsHandlers,
  UploadsHandlers,
  MetaHandlers,
  DispatchHandlers,
  HealthHandlers,
  AdminAuditHandlers,
  AdminBusinessesHandlers,
  AdminUsersHandlers,
  AdminPlansHandlers,
  AdminSettingsHandlers,
  AdminCouponsHandlers,
  AdminSaasInvoicesHandlers
])

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
        plans: plansOf(apiRoutes, yield* makeHandlers),
        pages: new Map<Route, RequestSteps.PageHandler>([
          ...(yield* makeDocumentPages(Published, options.pages === undefined ? "openapi.json" : "docs")),
          [metricsRoute, yield* makeMetricsPage(metrics)],
          [mcpRoute, yield* makeMcpPage],
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
