/** The contract of the API: every route with its inputs, results and errors. It imports no server code. */
import { mayDo, Role } from "@livery/domain/records"
import { HttpApi, OpenApi } from "effect/http-api"
import { AdminAuditApi } from "./administration/AdminAuditApi.ts"
import { AdminCouponsApi, AdminSaasInvoicesApi } from "./administration/AdminBillingApi.ts"
import { AdminBusinessesApi } from "./administration/AdminBusinessesApi.ts"
import { AdminPlansApi } from "./administration/AdminPlansApi.ts"
import { AdminSettingsApi } from "./administration/AdminSettingsApi.ts"
import { AdminUsersApi } from "./administration/AdminUsersApi.ts"
import { BusinessApi, apiVersion } from "./business/BusinessApi.ts"
import { CalendarsApi, PublicCalendarsApi } from "./calendars/CalendarsApi.ts"
import { SettingsApi } from "./settings/SettingsApi.ts"
import { CustomersApi } from "./customers/CustomersApi.ts"
import { TripBillingApi } from "./billing/TripBillingApi.ts"
import { PaymentNoticesApi, PublicInvoicesApi } from "./billing/PublicPaymentsApi.ts"
import { StatementsApi } from "./billing/StatementsApi.ts"
import { BookExportsApi } from "./billing/BookExportsApi.ts"
import { CreditNotesApi } from "./billing/CreditNotesApi.ts"
import { BankStatementsApi } from "./billing/BankStatementsApi.ts"
import { RemittancesApi } from "./billing/RemittancesApi.ts"
import { InvoicePdfsApi } from "./billing/InvoicePdfsApi.ts"
import { LettersApi } from "./billing/LettersApi.ts"
import { InvoicesApi } from "./billing/InvoicesApi.ts"
import { CarsApi } from "./fleet/CarsApi.ts"
import { DriversApi } from "./fleet/DriversApi.ts"
import { DriverPayApi } from "./fares/DriverPayApi.ts"
import { FaresApi } from "./fares/FaresApi.ts"
import { BookingPagesApi } from "./sales/BookingPagesApi.ts"
import { BookingBillingApi } from "./sales/BookingBillingApi.ts"
import { BookingsApi, ProductsApi } from "./sales/BookingsApi.ts"
import { PublicQuotesApi, QuotesApi } from "./sales/QuotesApi.ts"
import { DriverAccountApi } from "./driving/DriverAccountApi.ts"
import { DriverTokenApi } from "./driving/DriverTokenApi.ts"
import { actsForBusiness, permissionOf, callerKindsOf } from "./http/Access.ts"
import { withOperations } from "./http/OperationDocumentation.ts"
import { RequestDecoding } from "./http/RequestDecoding.ts"
import { uncached } from "./http/Traits.ts"
import { AuthApi } from "./identity/AuthApi.ts"
import { MeApi } from "./identity/MeApi.ts"
import { HealthApi } from "./monitoring/HealthApi.ts"
import { AdminPrivacyApi, PrivacyApi } from "./privacy/PrivacyApi.ts"
import { ImportsApi } from "./moving/ImportsApi.ts"
import { NoticesApi, TextCallbacksApi } from "./notices/NoticesApi.ts"
import { MetaApi } from "./platform/MetaApi.ts"
import { ReportsApi } from "./reports/ReportsApi.ts"
import { DispatchApi } from "./trips/DispatchApi.ts"
import { StaffApi } from "./staff/StaffApi.ts"
import { PublicTrackingApi, TrackingApi } from "./tracking/TrackingApi.ts"
import { TripsApi } from "./trips/TripsApi.ts"
import { TripTemplatesApi } from "./trips/TripTemplatesApi.ts"
import { UploadsApi } from "./uploads/UploadsApi.ts"
import { EventsApi } from "./webhooks/EventsApi.ts"
import { withWebhooks } from "./webhooks/EventDocumentation.ts"
import { WebhooksApi } from "./webhooks/WebhooksApi.ts"

const Contract = HttpApi.make("livery")
  // Decoding collects every wrong field. The issues carry the input for that; responses do not contain it.
  .annotate(HttpApi.ParseOptions, { errors: "all", reportInput: true })
  // Refuse unknown query parameters: a misspelled filter that was ignored would return unfiltered results.
  .annotate(HttpApi.QueryParseOptions, { errors: "all", reportInput: true, onExcessProperty: "error" })
  .annotateMerge(uncached)
  .add(
    AuthApi,
    MeApi,
    BusinessApi,
    StaffApi,
    SettingsApi,
    CarsApi,
    DriversApi,
    CustomersApi,
    ImportsApi,
    FaresApi,
    DriverPayApi,
    ProductsApi,
    BookingsApi,
    BookingBillingApi,
    BookingPagesApi,
    QuotesApi,
    PublicQuotesApi,
    TripsApi,
    InvoicesApi,
    InvoicePdfsApi,
    CreditNotesApi,
    LettersApi,
    RemittancesApi,
    BankStatementsApi,
    TripBillingApi,
    BookExportsApi,
    StatementsApi,
    PublicInvoicesApi,
    PaymentNoticesApi,
    WebhooksApi,
    EventsApi,
    UploadsApi,
    HealthApi
  )
  .add(DriverAccountApi, DriverTokenApi, TrackingApi, PublicTrackingApi, DispatchApi, ReportsApi, MetaApi)
  .add(CalendarsApi, PublicCalendarsApi, TripTemplatesApi)
  .add(AdminAuditApi, AdminBusinessesApi, AdminUsersApi, AdminPlansApi, AdminSettingsApi)
  .add(AdminCouponsApi, AdminSaasInvoicesApi)
  .add(PrivacyApi, AdminPrivacyApi)
  .add(NoticesApi, TextCallbacksApi)
  .middleware(RequestDecoding)

/** The ids of the operations that declare 404 themselves. Routes with an id in their path may respond 404 anyway. */
const declaringNotFound = new Set<string>()
/** The members' roles that may call an operation, by the id of the operation. */
const rolesOf = new Map<string, ReadonlyArray<Role>>()
HttpApi.reflect(Contract, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group, mergedAnnotations }) => {
    const id = `${group.identifier}.${endpoint.identifier}`
    if (callerKindsOf(endpoint).some(actsForBusiness)) {
      const permission = permissionOf(endpoint, mergedAnnotations)
      if (permission === undefined)
        throw new Error(`${id} acts for a business: put it into an area of the access table with inArea`)
      rolesOf.set(
        id,
        Role.literals.filter((role) => mayDo(role, permission))
      )
    }
    if ([...endpoint.error].some(({ ast }) => ast.context?.annotations?.["httpApiStatus"] === 404))
      declaringNotFound.add(id)
  }
})

/** The contract with its documentation. */
export const Api = Contract.annotateMerge(
  OpenApi.annotations({
    title: "Livery",
    transform: (document) =>
      withOperations(withWebhooks(document), {
        declaresNotFound: (id) => declaringNotFound.has(id),
        rolesOf: (id) => rolesOf.get(id)
      }),
    version: apiVersion,
    description:
      "The backend for chauffeur and ground-transport businesses. Every response is one envelope: " +
      "`{ data, meta }` or `{ error, meta }`; branch on the status and on `error.type`."
  })
)
