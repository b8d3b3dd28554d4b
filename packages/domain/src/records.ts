/**
 * The records of the domain: what the contract of the HTTP API says of them, and nothing that runs a use case or reaches
 * a port. `@livery/contract` imports this entry alone, so that a browser's bundle of it has no server code.
 */
export {
  AdminBusinessFilter,
  AdminBusinessPatch,
  AdminBusinessRecord,
  CreditsInput,
  SuspensionInput
} from "./administration/AdminBusiness.ts"
export { SettingInput, SettingRecord, SettingsRecord } from "./administration/AdminSetting.ts"
export {
  AdminPasswordInput,
  AdminUserFilter,
  AdminUserRecord,
  BusinessAssignmentBody,
  BusinessAssignmentRecord
} from "./administration/AdminUser.ts"
export { BusinessUsageRecord } from "./administration/BusinessUsage.ts"
export { PlanRecord } from "./administration/PlanRecord.ts"
export { SaasCouponRecord } from "./administration/SaasCoupon.ts"
export { SaasInvoiceRecord, SaasInvoiceSummary } from "./administration/SaasInvoice.ts"
export { AuditFilter, AuditRecord } from "./audit/AuditRecord.ts"
export { StatementEmailInput, StatementEmailRecord } from "./billing/documents/StatementEmail.ts"
export { CustomerStatementQuery, CustomerStatementRecord } from "./billing/ledger/Statement.ts"
export {
  ReminderInput,
  ReminderPreview,
  ReminderPreviewInput,
  ReminderRecord
} from "./billing/reminders/ReminderInput.ts"
export { BookFileQuery } from "./billing/accounting/BookFormat.ts"
export { TaxReport, TaxReportQuery } from "./billing/accounting/TaxReport.ts"
export { InvoiceEmailInput, InvoiceEmailRecord } from "./billing/documents/InvoiceEmail.ts"
export { XRechnungSyntax } from "./billing/documents/XRechnung.ts"
export { PdfUnavailable } from "./billing/documents/PdfUnavailable.ts"
export { AttachedTrips, DetachedTrips } from "./billing/invoice/AttachedTrips.ts"
export { InvoiceChanges, InvoiceInput, InvoiceRecord } from "./billing/invoice/Invoice.ts"
export { InvoiceCorrection } from "./billing/ledger/InvoiceCorrection.ts"
export { InvoiceTimelineRecord } from "./billing/invoice/InvoiceTimeline.ts"
export { FailedLetterRecord } from "./mail/FailedLetter.ts"
export { InvoiceNumberingChanges, InvoiceNumberingRecord } from "./billing/invoice/InvoiceNumbering.ts"
export { InvoiceFilter } from "./billing/invoice/InvoiceFilter.ts"
export { BilledStatus, InvoiceStatus } from "./billing/invoice/InvoiceStatus.ts"
export { MonthlyInvoiceInput, MonthlyInvoiceRecord } from "./billing/invoice/MonthlyInvoiceInput.ts"
export { MonthlyRunInput, MonthlyRunRecord } from "./billing/invoice/MonthlyRun.ts"
export { PaymentLinkInput, PaymentLinkRecord } from "./billing/invoice/PaymentLink.ts"
export { PublicInvoiceRecord } from "./billing/invoice/PublicInvoice.ts"
export { CreditNoteInput, CreditNoteRecord } from "./billing/ledger/CreditNote.ts"
export { CreditUseInput, CustomerCreditRecord } from "./billing/ledger/CustomerCredit.ts"
export {
  PaymentInput,
  PaymentRecord,
  ReceivedPaymentRecord,
  RefundInput,
  RefundRecord,
  ReversalInput,
  ReversalRecord
} from "./billing/ledger/Payment.ts"
export {
  BankEntryConfirmation,
  BankEntryFilter,
  BankEntryRecord,
  BankStatementRecord,
  StatementColumns
} from "./billing/bank/BankStatement.ts"
export { RemittanceInput, RemittanceRecord } from "./billing/ledger/Remittance.ts"
export { CardPaymentInput, CardPaymentRecord, NothingOutstanding } from "./billing/provider/CardPayment.ts"
export {
  PaymentNoticeRefused,
  PaymentProviderUnavailable,
  PaymentRefused
} from "./billing/provider/PaymentProviderErrors.ts"
export { BrandRecord } from "./business/Brand.ts"
export { ActingBusiness, BusinessRecord, BusinessSummary } from "./business/Business.ts"
export { type Area, CallerRole, type Permission, Rights, Role, mayDo } from "./business/Role.ts"
export { FlightSettingsChanges, FlightSettingsRecord } from "./flights/FlightSettings.ts"
export { CalendarLinkRecord } from "./calendars/CalendarLink.ts"
export { CustomerChanges, CustomerInput, CustomerRecord } from "./customers/Customer.ts"
export { CustomerFilter } from "./customers/CustomerSearch.ts"
export {
  DriverLocationRecord,
  LocationBatchInput,
  LocationBatchReceipt,
  LocationInput,
  LocationReceipt
} from "./driving/DriverLocation.ts"
export { DriverProfileRecord, DriverTripRecord } from "./driving/DriverTrip.ts"
export { DriverTripFilter } from "./driving/DriverTripFilter.ts"
export { EventBody } from "./events/EventBody.ts"
export { EmittedEventType } from "./events/EventType.ts"
export { EstimateRecord, EstimateRequest } from "./fares/estimates/Estimate.ts"
export { StatementQuery, StatementRecord } from "./fares/pay/DriverStatement.ts"
export { DriverPayChanges, DriverTermsRecord } from "./fares/pay/DriverTerms.ts"
export { Tariff } from "./fares/rules/Tariff.ts"
// The declarations of the contract name these.
export type { LocalWindow, LocalWindowInput } from "./fares/rules/When.ts"
export { PriceListTerms } from "./fares/tariffs/PriceListTerms.ts"
export {
  ListedTariffRecord,
  ListedTariffVersionRecord,
  TariffChanges,
  TariffInput,
  TariffRecord,
  TariffVersionNumber
} from "./fares/tariffs/TariffRecord.ts"
export { TripFareRecord, TripPricing } from "./fares/trips/TripFare.ts"
export {
  AbsenceFilter,
  AbsencesQuery,
  AbsenceInput,
  AbsenceRecord,
  AbsenceRemoval,
  AddedAbsences
} from "./fleet/availability/Absence.ts"
export { AvailabilityQuery, AvailabilityRecord } from "./fleet/availability/Availability.ts"
export { FreeDriverRecord, FreeDriversQuery } from "./fleet/availability/FreeDriver.ts"
export { CarChanges, CarInput, CarRecord } from "./fleet/cars/Car.ts"
export { DriverChanges, DriverInput, DriverRecord } from "./fleet/drivers/Driver.ts"
export { InvitationAcceptance } from "./fleet/invitations/InvitationAcceptance.ts"
export { BusinessCreationInput } from "./identity/accounts/BusinessCreationInput.ts"
export {
  PasswordChange,
  PasswordChangeResult,
  ResetConfirmation,
  ResetResult
} from "./identity/accounts/PasswordChange.ts"
export {
  RegistrationInput,
  RegistrationResult,
  SendingInput,
  SendingResult,
  VerificationInput,
  VerificationResult
} from "./identity/accounts/RegistrationInput.ts"
export type { UserPrincipal } from "./identity/credentials/Principal.ts"
export { DeviceInput, DeviceRecord, DeviceRemoval } from "./identity/devices/Device.ts"
export { PreferenceChanges, Preferences } from "./identity/screens/Preferences.ts"
export { SavedViewChanges, SavedViewInput, SavedViewRecord } from "./identity/screens/SavedView.ts"
export { ApiKeyDeletion, ApiKeyRecord, CreatedApiKey, DeletionResult } from "./identity/keys/ApiKey.ts"
export {
  OfferedProviderRecord,
  ProviderRedirect,
  ProviderRedirectInput,
  ProviderReturnInput,
  ProviderSignInInput,
  ProviderSignInResult
} from "./identity/provider/ProviderSignInInput.ts"
export {
  LoginInput,
  LoginResult,
  LogoutInput,
  LogoutResult,
  RefreshInput,
  RefreshResult
} from "./identity/sessions/Session.ts"
export type { ActingDriver, AssignedDriver } from "./identity/users/ActingDriver.ts"
export { UserChanges, UserRecord } from "./identity/users/User.ts"
export {
  AccountSuspended,
  AtStake,
  BusinessRequired,
  ConfirmationRequired,
  Conflict,
  EmailExists,
  EmailUnverified,
  FeatureUnavailable,
  Forbidden,
  InvalidCredentials,
  InvalidInput,
  NotFound,
  PlanLimitExceeded,
  TooManyRequests,
  Unauthorized,
  UsageLimitReached
} from "./kernel/Errors.ts"
export {
  SavedViewId,
  BookingId,
  BusinessId,
  CarId,
  CreditNoteId,
  ImportId,
  MonthlyRunId,
  BankEntryId,
  BankStatementId,
  RemittanceId,
  CustomerId,
  DeliveryId,
  DriverId,
  EndpointId,
  InvoiceId,
  PaymentId,
  PlanId,
  ProductId,
  QuoteId,
  TariffId,
  TripId,
  TripTemplateId,
  UserId
} from "./kernel/Ids.ts"
export { type Page, PageNumber, type PageRequest, PerPage, BoardPerPage } from "./kernel/Page.ts"
export { IllegalTransition } from "./kernel/StateMachine.ts"
export { type Bulk, type BulkBody, bulkOf, maxBulkItems, UnreadItem } from "./kernel/fields/Bulk.ts"
export { ImportColumns, ImportLineFilter, ImportLineRecord, ImportRecord } from "./moving/Import.ts"
export { ImportKind } from "./moving/ImportKind.ts"
export { ConfirmationInput } from "./kernel/fields/Confirmation.ts"
export { Issue, check } from "./kernel/fields/FieldIssue.ts"
export { NewUserInput } from "./platform/NewUserInput.ts"
export { StateMachineRecord } from "./platform/StateMachines.ts"
export { ContactErasureInput, ErasureInput, ErasureRecord, PersonErasureInput } from "./privacy/Person.ts"
export { ReportName, ReportQuery, ReportRecord } from "./reports/Report.ts"
export { BookingChanges, BookingInput, BookingRecord } from "./sales/bookings/Booking.ts"
export { BookingFilter } from "./sales/bookings/BookingFilter.ts"
export { BookingPaymentInput } from "./sales/bookings/BookingPaymentInput.ts"
export {
  BookingCancellation,
  ConfirmedCustomerEmailInput,
  CustomerEmailInput
} from "./sales/emails/CustomerEmailInput.ts"
export {
  BookingPageRecord,
  PublicBookingInput,
  PublicBookingRecord,
  PublicEstimateRecord,
  PublicEstimateRequest,
  PublicQuoteRequest,
  PublicTripInput,
  PublicTripRecord,
  RequestedQuoteRecord
} from "./sales/page/BookingPage.ts"
export { PlaceRecord, PlaceSearch } from "./sales/page/Place.ts"
export type { PublicAddressKind } from "./sales/page/PublicAddresses.ts"
export { DepartureRecord, PublicDepartureRecord } from "./sales/products/DepartureRecord.ts"
export { DepartureDays } from "./sales/products/Departures.ts"
export { ProductChanges, ProductInput, ProductRecord } from "./sales/products/Product.ts"
export {
  CustomerAcceptance,
  PublicQuoteRecord,
  QuoteAcceptance,
  QuoteChanges,
  QuoteInput,
  QuotePricing,
  QuoteRecord,
  QuoteRejection
} from "./sales/quotes/Quote.ts"
export { QuoteFilter } from "./sales/quotes/QuoteFilter.ts"
export { BusinessProfileChanges, BusinessProfileRecord } from "./settings/BusinessProfile.ts"
export { MemberChanges, MemberRecord } from "./staff/Member.ts"
export {
  AcceptedInvitation,
  InvitationRevocation,
  MemberInvitationInput,
  MemberInvitationRecord,
  OpenInvitationRecord
} from "./staff/MemberInvitation.ts"
export { TrackedTripRecord, TripLocationRecord } from "./tracking/TrackedTrip.ts"
export { TrackingLinkRecord } from "./tracking/TrackingLink.ts"
export { DispatchPlanRecord, DispatchPlanRequest } from "./planning/DispatchPlan.ts"
export { AssignmentBatch } from "./trips/assignments/AssignmentBatch.ts"
export { AssignmentRecord } from "./trips/assignments/AssignmentRecord.ts"
export { DriverSet } from "./trips/assignments/WantedDrivers.ts"
export { TripTemplateChanges, TripTemplateInput, TripTemplateRecord } from "./trips/templates/TripTemplate.ts"
export { ChangedGroup, GroupChange } from "./trips/groups/GroupChange.ts"
export { DayCopy, RepeatedTrip, TripRepetition } from "./trips/groups/TripRepetition.ts"
export { BoardCounts } from "./trips/lists/BoardCounts.ts"
export { BoardGap, BoardLeaving, BoardPositionChange } from "./trips/lists/BoardEvent.ts"
export { BoardFilter } from "./trips/lists/BoardFilter.ts"
export { BoardJobRecord } from "./trips/lists/BoardJob.ts"
export { tripCriteriaFields } from "./trips/lists/TripCriteria.ts"
export { TripFilter } from "./trips/lists/TripFilter.ts"
export { TimelineRecord } from "./trips/timeline/Timeline.ts"
export { AssignmentReport, DriverStatusReport } from "./trips/trip/Assignment.ts"
export { TripRecord } from "./trips/trip/Trip.ts"
export { TripChanges, TripInput, TripOverrides, TripReopening } from "./trips/trip/TripInput.ts"
export { TripRecordWithWarnings } from "./trips/trip/TripRecordWithWarnings.ts"
export { FilesUnavailable } from "./uploads/FilesUnavailable.ts"
export { UploadRecord } from "./uploads/Upload.ts"
export { DeliveryRecord, DeliveryStatus } from "./webhooks/Delivery.ts"
export { CreatedEndpointRecord, EndpointChanges, EndpointInput, EndpointRecord } from "./webhooks/Endpoint.ts"
export { eventData } from "./webhooks/EventData.ts"
export { FeedLimit } from "./webhooks/FeedLimit.ts"
export { SampleInput } from "./webhooks/SampleInput.ts"
export {
  DriverMessageInput,
  NoticePreview,
  NoticePreviewInput,
  PushKeyRecord
} from "./notices/NoticeInput.ts"
export { NoticeRecord } from "./notices/Notice.ts"
export { NoticePreferences, NoticeSettings, NoticeSettingsChanges } from "./notices/rules/NoticeSettings.ts"
export {
  StoredTextGatewayRecord,
  TextGateway,
  TextGatewayRecord,
  TextGatewayTest,
  TextGatewayTestResult
} from "./notices/texts/TextGateway.ts"
