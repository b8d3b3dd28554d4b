/** All ports of the domain that PostgreSQL implements, in one layer. */
import { Layer } from "effect"
import * as BillableTripRepositoryPg from "./billing/BillableTripRepositoryPg.ts"
import * as CreditNoteRepositoryPg from "./billing/CreditNoteRepositoryPg.ts"
import * as InvoiceFactsRepositoryPg from "./billing/InvoiceFactsRepositoryPg.ts"
import * as InvoicedBookingsPg from "./billing/InvoicedBookingsPg.ts"
import * as InvoiceSnapshotRepositoryPg from "./billing/InvoiceSnapshotRepositoryPg.ts"
import * as InvoiceRepositoryPg from "./billing/InvoiceRepositoryPg.ts"
import * as AccountRepositoryPg from "./billing/AccountRepositoryPg.ts"
import * as CardIntentRepositoryPg from "./billing/CardIntentRepositoryPg.ts"
import * as PaymentRepositoryPg from "./billing/PaymentRepositoryPg.ts"
import * as ReminderRepositoryPg from "./billing/ReminderRepositoryPg.ts"
import * as BusinessRepositoryPg from "./business/BusinessRepositoryPg.ts"
import * as PlanRepositoryPg from "./business/PlanRepositoryPg.ts"
import * as SubscriptionStatusRepositoryPg from "./business/SubscriptionStatusRepositoryPg.ts"
import * as CustomerRepositoryPg from "./customers/CustomerRepositoryPg.ts"
import * as DriverPayRepositoryPg from "./fares/DriverPayRepositoryPg.ts"
import * as TariffRepositoryPg from "./fares/TariffRepositoryPg.ts"
import * as TripFareRepositoryPg from "./fares/TripFareRepositoryPg.ts"
import * as AbsenceRepositoryPg from "./fleet/AbsenceRepositoryPg.ts"
import * as DriverInvitationRepositoryPg from "./fleet/DriverInvitationRepositoryPg.ts"
import * as FreeDriverRepositoryPg from "./fleet/FreeDriverRepositoryPg.ts"
import * as DriverRepositoryPg from "./fleet/DriverRepositoryPg.ts"
import * as CarRepositoryPg from "./fleet/CarRepositoryPg.ts"
import * as SeatRepositoryPg from "./fleet/SeatRepositoryPg.ts"
import * as SeatSubscriptionRepositoryPg from "./fleet/SeatSubscriptionRepositoryPg.ts"
import * as BookingRepositoryPg from "./sales/BookingRepositoryPg.ts"
import * as ProductRepositoryPg from "./sales/ProductRepositoryPg.ts"
import * as QuoteRepositoryPg from "./sales/QuoteRepositoryPg.ts"
import * as ErasureRepositoryPg from "./privacy/ErasureRepositoryPg.ts"
import * as PersonalDataPg from "./privacy/PersonalDataPg.ts"
import * as BusinessProfileRepositoryPg from "./settings/BusinessProfileRepositoryPg.ts"
import * as ApiKeyRepositoryPg from "./identity/ApiKeyRepositoryPg.ts"
import * as DriverTokenRepositoryPg from "./identity/DriverTokenRepositoryPg.ts"
import * as LinkedIdentityRepositoryPg from "./identity/LinkedIdentityRepositoryPg.ts"
import * as DeviceRepositoryPg from "./identity/DeviceRepositoryPg.ts"
import * as SessionRepositoryPg from "./identity/SessionRepositoryPg.ts"
import * as UserRepositoryPg from "./identity/UserRepositoryPg.ts"
import * as VerificationCodeRepositoryPg from "./identity/VerificationCodeRepositoryPg.ts"
import * as MailOutboxPg from "./mail/MailOutboxPg.ts"
import * as AdminBusinessRepositoryPg from "./administration/AdminBusinessRepositoryPg.ts"
import * as AdminUserRepositoryPg from "./administration/AdminUserRepositoryPg.ts"
import * as PlatformSettingRepositoryPg from "./configuration/PlatformSettingRepositoryPg.ts"
import * as PlanCataloguePg from "./administration/PlanCataloguePg.ts"
import * as SaasCouponRepositoryPg from "./administration/SaasCouponRepositoryPg.ts"
import * as SaasInvoiceRepositoryPg from "./administration/SaasInvoiceRepositoryPg.ts"
import * as AuditHistoryPg from "./audit/AuditHistoryPg.ts"
import * as AuditLogPg from "./audit/AuditLogPg.ts"
import * as BusinessRowsPg from "./platform/BusinessRowsPg.ts"
import * as ImportedBusinessesPg from "./platform/ImportedBusinessesPg.ts"
import * as IdempotencyStorePg from "./platform/IdempotencyStorePg.ts"
import * as ReadinessPg from "./sql/schema/ReadinessPg.ts"
import * as TransactionPg from "./sql/transactions/TransactionPg.ts"
import * as MemberInvitationRepositoryPg from "./staff/MemberInvitationRepositoryPg.ts"
import * as MemberRepositoryPg from "./staff/MemberRepositoryPg.ts"
import * as TripReferencesPg from "./trips/TripReferencesPg.ts"
import * as DriverLocationRepositoryPg from "./driving/DriverLocationRepositoryPg.ts"
import * as DriverTripRepositoryPg from "./driving/DriverTripRepositoryPg.ts"
import * as TrackingRepositoryPg from "./tracking/TrackingRepositoryPg.ts"
import * as AssignmentRepositoryPg from "./trips/AssignmentRepositoryPg.ts"
import * as ScheduleRepositoryPg from "./trips/ScheduleRepositoryPg.ts"
import * as TimelineRepositoryPg from "./trips/TimelineRepositoryPg.ts"
import * as DispatchBoardRepositoryPg from "./trips/DispatchBoardRepositoryPg.ts"
import * as TripListRepositoryPg from "./trips/TripListRepositoryPg.ts"
import * as TripIdsPg from "./trips/TripIdsPg.ts"
import * as TripRepositoryPg from "./trips/TripRepositoryPg.ts"
import * as UploadRepositoryPg from "./uploads/UploadRepositoryPg.ts"
import * as DeliveryQueuePg from "./webhooks/DeliveryQueuePg.ts"
import * as DeliveryRepositoryPg from "./webhooks/DeliveryRepositoryPg.ts"
import * as EndpointRepositoryPg from "./webhooks/EndpointRepositoryPg.ts"
import * as EventHistoryPg from "./webhooks/EventHistoryPg.ts"
import * as EventPositionsPg from "./webhooks/EventPositionsPg.ts"
import * as EventLogPg from "./events/EventLogPg.ts"

/** Requires a `SqlClient`, the `SecretBox` that encrypts messages, and the `WorkNotifier` that commits notify. */
export const layer = Layer.mergeAll(
  TransactionPg.layer,
  ReadinessPg.layer,
  BusinessRepositoryPg.layer,
  BusinessProfileRepositoryPg.layer,
  UserRepositoryPg.layer,
  VerificationCodeRepositoryPg.layer,
  LinkedIdentityRepositoryPg.layer,
  SessionRepositoryPg.layer,
  DeviceRepositoryPg.layer,
  ApiKeyRepositoryPg.layer,
  PlanRepositoryPg.layer,
  SubscriptionStatusRepositoryPg.layer,
  CarRepositoryPg.layer,
  DriverRepositoryPg.layer,
  SeatRepositoryPg.layer,
  SeatSubscriptionRepositoryPg.layer,
  AbsenceRepositoryPg.layer,
  DriverInvitationRepositoryPg.layer,
  FreeDriverRepositoryPg.layer,
  CustomerRepositoryPg.layer,
  MemberRepositoryPg.layer,
  MemberInvitationRepositoryPg.layer,
  InvoiceRepositoryPg.layer,
  InvoiceFactsRepositoryPg.layer,
  InvoiceSnapshotRepositoryPg.layer,
  InvoicedBookingsPg.layer,
  BillableTripRepositoryPg.layer,
  PaymentRepositoryPg.layer,
  ReminderRepositoryPg.layer,
  CardIntentRepositoryPg.layer,
  CreditNoteRepositoryPg.layer,
  AccountRepositoryPg.layer,
  TripReferencesPg.layer,
  TripIdsPg.layer,
  TripRepositoryPg.layer,
  TripListRepositoryPg.layer,
  DispatchBoardRepositoryPg.layer,
  AssignmentRepositoryPg.layer,
  ScheduleRepositoryPg.layer,
  TimelineRepositoryPg.layer,
  DriverTokenRepositoryPg.layer,
  DriverTripRepositoryPg.layer,
  DriverLocationRepositoryPg.layer,
  TrackingRepositoryPg.layer,
  TariffRepositoryPg.layer,
  TripFareRepositoryPg.layer,
  DriverPayRepositoryPg.layer,
  QuoteRepositoryPg.layer,
  ErasureRepositoryPg.layer,
  PersonalDataPg.layer,
  ProductRepositoryPg.layer,
  BookingRepositoryPg.layer,
  UploadRepositoryPg.layer,
  EventLogPg.layer,
  EndpointRepositoryPg.layer,
  DeliveryQueuePg.layer,
  DeliveryRepositoryPg.layer,
  EventHistoryPg.layer,
  EventPositionsPg.layer,
  MailOutboxPg.layer,
  IdempotencyStorePg.layer,
  BusinessRowsPg.layer,
  ImportedBusinessesPg.layer,
  AdminBusinessRepositoryPg.layer,
  AdminUserRepositoryPg.layer,
  PlanCataloguePg.layer,
  PlatformSettingRepositoryPg.layer,
  SaasCouponRepositoryPg.layer,
  SaasInvoiceRepositoryPg.layer,
  AuditHistoryPg.layer,
  AuditLogPg.layer
)
