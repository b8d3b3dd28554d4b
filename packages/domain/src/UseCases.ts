/** The use cases in one layer. */
import { Layer } from "effect"
import { AdminAudit } from "./administration/AdminAudit.ts"
import { AdminBusinesses } from "./administration/AdminBusinesses.ts"
import { AdminCoupons } from "./administration/AdminCoupons.ts"
import { AdminPlans } from "./administration/AdminPlans.ts"
import { AdminSaasInvoices } from "./administration/AdminSaasInvoices.ts"
import { AdminSettings } from "./administration/AdminSettings.ts"
import { AdminUsers } from "./administration/AdminUsers.ts"
import { CardPayments } from "./billing/provider/CardPayments.ts"
import { CreditNotePdfs } from "./billing/documents/CreditNotePdfs.ts"
import { CreditNotes } from "./billing/CreditNotes.ts"
import { FailedLetters } from "./settings/FailedLetters.ts"
import { InvoiceCorrections } from "./billing/InvoiceCorrections.ts"
import { Invoices } from "./billing/Invoices.ts"
import { InvoicePdfs } from "./billing/documents/InvoicePdfs.ts"
import { InvoiceTrips } from "./billing/InvoiceTrips.ts"
import { BookExports } from "./billing/BookExports.ts"
import { InvoiceReminders } from "./billing/reminders/InvoiceReminders.ts"
import { CustomerStatements } from "./billing/CustomerStatements.ts"
import { XRechnungFiles } from "./billing/documents/XRechnungFiles.ts"
import { MoneyCheck } from "./billing/ledger/MoneyCheck.ts"
import { InvoiceNumbers } from "./billing/InvoiceNumbers.ts"
import { MonthlyRuns } from "./billing/MonthlyRuns.ts"
import { Imports } from "./moving/Imports.ts"
import { MovedInvoices } from "./billing/MovedInvoices.ts"
import { MonthlyInvoices } from "./billing/MonthlyInvoices.ts"
import { PaymentLinks } from "./billing/PaymentLinks.ts"
import { OpenIntents } from "./billing/provider/OpenIntents.ts"
import { ProviderNotices } from "./billing/provider/ProviderNotices.ts"
import { CustomerCredits } from "./billing/CustomerCredits.ts"
import { PaymentReversals } from "./billing/PaymentReversals.ts"
import { Payments } from "./billing/Payments.ts"
import { BankStatements } from "./billing/BankStatements.ts"
import { Remittances } from "./billing/Remittances.ts"
import { Businesses } from "./business/Businesses.ts"
import { Flights } from "./flights/Flights.ts"
import { Calendars } from "./calendars/Calendars.ts"
import { PlatformSettings } from "./configuration/PlatformSettings.ts"
import { responseRetentionLayer } from "./configuration/RetentionPeriods.ts"
import { Customers } from "./customers/Customers.ts"
import { DriverLocations } from "./driving/DriverLocations.ts"
import { DriverTrips } from "./driving/DriverTrips.ts"
import { DriverStatements } from "./fares/pay/DriverStatements.ts"
import { FareEstimates } from "./fares/estimates/FareEstimates.ts"
import { Tariffs } from "./fares/tariffs/Tariffs.ts"
import { TripFares } from "./fares/trips/TripFares.ts"
import * as FinalFares from "./fares/trips/FinalFares.ts"
import { Absences } from "./fleet/availability/Absences.ts"
import { Cars } from "./fleet/cars/Cars.ts"
import { DriverInvitations } from "./fleet/invitations/DriverInvitations.ts"
import { Drivers } from "./fleet/Drivers.ts"
import { FreeDrivers } from "./fleet/availability/FreeDrivers.ts"
import { Accounts } from "./identity/accounts/Accounts.ts"
import { ApiKeys } from "./identity/ApiKeys.ts"
import { Authentication } from "./identity/credentials/Authentication.ts"
import { BusinessCreation } from "./identity/accounts/BusinessCreation.ts"
import { CredentialCache } from "./identity/credentials/CredentialCache.ts"
import { CredentialWatch } from "./identity/credentials/CredentialWatch.ts"
import { Devices } from "./identity/devices/Devices.ts"
import { DriverTokens } from "./identity/links/DriverTokens.ts"
import { Passwords } from "./identity/accounts/Passwords.ts"
import { ProviderSignIn } from "./identity/provider/ProviderSignIn.ts"
import { Registration } from "./identity/accounts/Registration.ts"
import { Screens } from "./identity/screens/Screens.ts"
import { Sessions } from "./identity/Sessions.ts"
import { Idempotency } from "./kernel/idempotency/Idempotency.ts"
import { ErasureRun } from "./privacy/ErasureRun.ts"
import { Erasures } from "./privacy/Erasures.ts"
import { DispatchPlans } from "./planning/DispatchPlans.ts"
import { Administration } from "./platform/Administration.ts"
import { Demonstration } from "./platform/Demonstration.ts"
import { BookingPagePlaces } from "./sales/page/BookingPagePlaces.ts"
import { BookingPageRides } from "./sales/page/BookingPageRides.ts"
import { BookingPages } from "./sales/page/BookingPages.ts"
import { BookingPayments } from "./sales/bookings/BookingPayments.ts"
import { Bookings } from "./sales/bookings/Bookings.ts"
import { Reports } from "./reports/Reports.ts"
import { SalesEmails } from "./sales/emails/SalesEmails.ts"
import { TripEmails } from "./sales/emails/TripEmails.ts"
import { Products } from "./sales/products/Products.ts"
import { PublicAddresses } from "./sales/page/PublicAddresses.ts"
import { PublicQuotes } from "./sales/PublicQuotes.ts"
import { Quotes } from "./sales/quotes/Quotes.ts"
import { Notices } from "./notices/Notices.ts"
import { TextGateways } from "./notices/TextGateways.ts"
import { BusinessProfiles } from "./settings/BusinessProfiles.ts"
import { MemberInvitations } from "./staff/MemberInvitations.ts"
import { Members } from "./staff/Members.ts"
import { Tracking } from "./tracking/Tracking.ts"
import { TripWatch } from "./tracking/TripWatch.ts"
import { Assignments } from "./trips/assignments/Assignments.ts"
import { BatchAssignments } from "./trips/assignments/BatchAssignments.ts"
import { Detaching } from "./trips/assignments/Detaching.ts"
import { BoardWatch } from "./trips/lists/BoardWatch.ts"
import { DispatchBoard } from "./trips/lists/DispatchBoard.ts"
import { TripGroups } from "./trips/TripGroups.ts"
import { TripList } from "./trips/lists/TripList.ts"
import { TripRepeats } from "./trips/TripRepeats.ts"
import { TripTemplates } from "./trips/TripTemplates.ts"
import { Trips } from "./trips/Trips.ts"
import { Uploads } from "./uploads/Uploads.ts"
import { EventFeed } from "./webhooks/EventFeed.ts"
import { WebhookDeliveries } from "./webhooks/WebhookDeliveries.ts"
import { Webhooks } from "./webhooks/Webhooks.ts"

/** The use cases of drivers and of live tracking, which share one `TripWatch`. */
const DriverUseCases = Layer.mergeAll(
  DriverTokens.layer,
  DriverTrips.layer.pipe(Layer.provide(Assignments.layer)),
  DriverLocations.layer,
  Tracking.layer
).pipe(Layer.provideMerge(TripWatch.layer))

/** The use cases of billing that others build on. */
const BillingUseCases = Layer.mergeAll(
  PaymentLinks.layer,
  MonthlyInvoices.layer,
  CreditNotes.layer,
  InvoiceCorrections.layer,
  CustomerCredits.layer,
  PaymentReversals.layer,
  BankStatements.layer.pipe(Layer.provideMerge(Remittances.layer))
).pipe(
  Layer.provideMerge(Layer.mergeAll(Invoices.layer, InvoiceTrips.layer, CardPayments.layer, Payments.layer))
)

/** The use cases of sales, with the trips that they book, the tariffs that price them, and their invoices. */
const SalesUseCases = Layer.mergeAll(
  Layer.mergeAll(BookingPages.layer, BookingPageRides.layer, BookingPagePlaces.layer).pipe(
    Layer.provide(Layer.merge(Idempotency.layer, Tracking.layer.pipe(Layer.provide(TripWatch.layer))))
  ),
  SalesEmails.layer,
  TripEmails.layer
).pipe(
  Layer.provideMerge(
    Layer.mergeAll(Quotes.layer, PublicQuotes.layer, PublicAddresses.layer, Products.layer, Bookings.layer)
  ),
  Layer.provideMerge(BookingPayments.layer),
  Layer.provideMerge(TripFares.layer),
  Layer.provideMerge(Layer.mergeAll(Trips.layer, FareEstimates.layer, BillingUseCases))
)

/**
 * All use cases of the domain except `BusinessTransfer`, whose ports only PostgreSQL implements. The layer requires an
 * implementation of every other port.
 */
export const UseCases = Layer.mergeAll(
  Demonstration.layer,
  Imports.layer.pipe(Layer.provide(MovedInvoices.layer)),
  MonthlyRuns.layer,
  AdminUsers.layer.pipe(Layer.provideMerge(Administration.layer)),
  AdminAudit.layer,
  AdminBusinesses.layer,
  AdminPlans.layer,
  AdminSettings.layer,
  AdminCoupons.layer,
  AdminSaasInvoices.layer,
  Erasures.layer.pipe(Layer.provideMerge(ErasureRun.layer))
).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      Registration.layer,
      Idempotency.layer,
      Sessions.layer,
      ProviderSignIn.layer,
      BusinessCreation.layer,
      BusinessProfiles.layer,
      InvoiceNumbers.layer,
      Passwords.layer,
      Accounts.layer,
      ApiKeys.layer,
      Devices.layer,
      Screens.layer,
      Cars.layer,
      Drivers.layer,
      Absences.layer,
      FreeDrivers.layer,
      MemberInvitations.layer.pipe(Layer.provideMerge(DriverInvitations.layer)),
      Members.layer,
      Customers.layer,
      Tariffs.layer,
      DriverStatements.layer,
      ProviderNotices.layer,
      OpenIntents.layer,
      MoneyCheck.layer,
      BookExports.layer,
      InvoiceReminders.layer,
      XRechnungFiles.layer,
      SalesUseCases,
      TripList.layer,
      TripGroups.layer,
      TripRepeats.layer,
      TripTemplates.layer,
      DispatchBoard.layer,
      DispatchPlans.layer,
      BoardWatch.layer,
      Reports.layer,
      Assignments.layer,
      BatchAssignments.layer,
      DriverUseCases,
      FailedLetters.layer,
      Notices.layer.pipe(Layer.provide(Tracking.layer.pipe(Layer.provide(TripWatch.layer)))),
      TextGateways.layer,
      Calendars.layer,
      Flights.layer,
      Webhooks.layer,
      WebhookDeliveries.layer,
      EventFeed.layer,
      Layer.mergeAll(InvoicePdfs.layer, CreditNotePdfs.layer, CustomerStatements.layer).pipe(
        Layer.provideMerge(Uploads.layer)
      )
    ).pipe(Layer.provide(responseRetentionLayer))
  ),
  Layer.provideMerge(
    Layer.mergeAll(Businesses.layer, Authentication.layer, CredentialWatch.layer, Detaching.layer)
  ),
  Layer.provideMerge(Layer.merge(CredentialCache.layer, PlatformSettings.layer)),
  Layer.provide(FinalFares.layer.pipe(Layer.provide(FareEstimates.layer)))
)
