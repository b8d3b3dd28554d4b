/** The ports of the domain in memory, in one layer. */
import { Cryptography, RateCounters, Routing, WorkNotifier } from "@livery/domain"
import { Layer } from "effect"
import * as AdminBusinessRepositoryMemory from "./administration/AdminBusinessRepositoryMemory.ts"
import * as AdminUserRepositoryMemory from "./administration/AdminUserRepositoryMemory.ts"
import * as PlatformSettingRepositoryMemory from "./configuration/PlatformSettingRepositoryMemory.ts"
import * as PlanCatalogueMemory from "./administration/PlanCatalogueMemory.ts"
import * as SaasCouponRepositoryMemory from "./administration/SaasCouponRepositoryMemory.ts"
import * as SaasInvoiceRepositoryMemory from "./administration/SaasInvoiceRepositoryMemory.ts"
import * as AuditHistoryMemory from "./audit/AuditHistoryMemory.ts"
import * as AuditLogMemory from "./audit/AuditLogMemory.ts"
import * as BillableTripRepositoryMemory from "./billing/BillableTripRepositoryMemory.ts"
import * as CreditNoteRepositoryMemory from "./billing/CreditNoteRepositoryMemory.ts"
import * as InvoiceFactsRepositoryMemory from "./billing/InvoiceFactsRepositoryMemory.ts"
import * as InvoicedBookingsMemory from "./billing/InvoicedBookingsMemory.ts"
import * as InvoiceSnapshotRepositoryMemory from "./billing/InvoiceSnapshotRepositoryMemory.ts"
import * as InvoiceRepositoryMemory from "./billing/InvoiceRepositoryMemory.ts"
import * as AccountRepositoryMemory from "./billing/AccountRepositoryMemory.ts"
import * as CardIntentRepositoryMemory from "./billing/CardIntentRepositoryMemory.ts"
import * as PaymentRepositoryMemory from "./billing/PaymentRepositoryMemory.ts"
import * as ReminderRepositoryMemory from "./billing/ReminderRepositoryMemory.ts"
import * as BusinessRepositoryMemory from "./business/BusinessRepositoryMemory.ts"
import * as PlanRepositoryMemory from "./business/PlanRepositoryMemory.ts"
import * as SubscriptionStatusRepositoryMemory from "./business/SubscriptionStatusRepositoryMemory.ts"
import * as CustomerRepositoryMemory from "./customers/CustomerRepositoryMemory.ts"
import * as DriverLocationRepositoryMemory from "./driving/DriverLocationRepositoryMemory.ts"
import * as DriverTripRepositoryMemory from "./driving/DriverTripRepositoryMemory.ts"
import * as EventLogMemory from "./events/EventLogMemory.ts"
import * as DriverPayRepositoryMemory from "./fares/DriverPayRepositoryMemory.ts"
import * as TariffRepositoryMemory from "./fares/TariffRepositoryMemory.ts"
import * as TripFareRepositoryMemory from "./fares/TripFareRepositoryMemory.ts"
import * as CarRepositoryMemory from "./fleet/CarRepositoryMemory.ts"
import * as AbsenceRepositoryMemory from "./fleet/AbsenceRepositoryMemory.ts"
import * as DriverInvitationRepositoryMemory from "./fleet/DriverInvitationRepositoryMemory.ts"
import * as FreeDriverRepositoryMemory from "./fleet/FreeDriverRepositoryMemory.ts"
import * as DriverRepositoryMemory from "./fleet/DriverRepositoryMemory.ts"
import * as SeatRepositoryMemory from "./fleet/SeatRepositoryMemory.ts"
import * as SeatSubscriptionRepositoryMemory from "./fleet/SeatSubscriptionRepositoryMemory.ts"
import * as ApiKeyRepositoryMemory from "./identity/ApiKeyRepositoryMemory.ts"
import * as DeviceRepositoryMemory from "./identity/DeviceRepositoryMemory.ts"
import * as DriverTokenRepositoryMemory from "./identity/DriverTokenRepositoryMemory.ts"
import * as LinkedIdentityRepositoryMemory from "./identity/LinkedIdentityRepositoryMemory.ts"
import * as SessionRepositoryMemory from "./identity/SessionRepositoryMemory.ts"
import * as UserRepositoryMemory from "./identity/UserRepositoryMemory.ts"
import * as VerificationCodeRepositoryMemory from "./identity/VerificationCodeRepositoryMemory.ts"
import * as MailOutboxMemory from "./mail/MailOutboxMemory.ts"
import * as IdempotencyStoreMemory from "./platform/IdempotencyStoreMemory.ts"
import * as BookingRepositoryMemory from "./sales/BookingRepositoryMemory.ts"
import * as ProductRepositoryMemory from "./sales/ProductRepositoryMemory.ts"
import * as ErasureRepositoryMemory from "./privacy/ErasureRepositoryMemory.ts"
import * as PersonalDataMemory from "./privacy/PersonalDataMemory.ts"
import * as QuoteRepositoryMemory from "./sales/QuoteRepositoryMemory.ts"
import * as BusinessProfileRepositoryMemory from "./settings/BusinessProfileRepositoryMemory.ts"
import * as MemberInvitationRepositoryMemory from "./staff/MemberInvitationRepositoryMemory.ts"
import * as MemberRepositoryMemory from "./staff/MemberRepositoryMemory.ts"
import * as ReadinessMemory from "./store/ReadinessMemory.ts"
import * as TransactionMemory from "./store/TransactionMemory.ts"
import * as TrackingRepositoryMemory from "./tracking/TrackingRepositoryMemory.ts"
import * as AssignmentRepositoryMemory from "./trips/AssignmentRepositoryMemory.ts"
import * as DispatchBoardRepositoryMemory from "./trips/DispatchBoardRepositoryMemory.ts"
import * as ScheduleRepositoryMemory from "./trips/ScheduleRepositoryMemory.ts"
import * as TimelineRepositoryMemory from "./trips/TimelineRepositoryMemory.ts"
import * as TripListRepositoryMemory from "./trips/TripListRepositoryMemory.ts"
import * as TripReferencesMemory from "./trips/TripReferencesMemory.ts"
import * as TripIdsMemory from "./trips/TripIdsMemory.ts"
import * as TripRepositoryMemory from "./trips/TripRepositoryMemory.ts"
import * as UploadRepositoryMemory from "./uploads/UploadRepositoryMemory.ts"
import * as DeliveryQueueMemory from "./webhooks/DeliveryQueueMemory.ts"
import * as DeliveryRepositoryMemory from "./webhooks/DeliveryRepositoryMemory.ts"
import * as EndpointRepositoryMemory from "./webhooks/EndpointRepositoryMemory.ts"
import * as EventHistoryMemory from "./webhooks/EventHistoryMemory.ts"
import * as EventPositionsMemory from "./webhooks/EventPositionsMemory.ts"
import { Store } from "./store/Store.ts"

const Ports = Layer.mergeAll(
  AdminBusinessRepositoryMemory.layer,
  AdminUserRepositoryMemory.layer,
  PlanCatalogueMemory.layer,
  PlatformSettingRepositoryMemory.layer,
  SaasCouponRepositoryMemory.layer,
  SaasInvoiceRepositoryMemory.layer,
  AuditHistoryMemory.layer,
  AuditLogMemory.layer,
  InvoiceRepositoryMemory.layer,
  InvoiceFactsRepositoryMemory.layer,
  InvoiceSnapshotRepositoryMemory.layer,
  InvoicedBookingsMemory.layer,
  BillableTripRepositoryMemory.layer,
  PaymentRepositoryMemory.layer,
  CreditNoteRepositoryMemory.layer,
  ReminderRepositoryMemory.layer,
  CardIntentRepositoryMemory.layer,
  AccountRepositoryMemory.layer,
  BusinessRepositoryMemory.layer,
  PlanRepositoryMemory.layer,
  SubscriptionStatusRepositoryMemory.layer,
  CustomerRepositoryMemory.layer,
  MemberRepositoryMemory.layer,
  MemberInvitationRepositoryMemory.layer,
  DriverLocationRepositoryMemory.layer,
  DriverTripRepositoryMemory.layer,
  EventLogMemory.layer,
  CarRepositoryMemory.layer,
  AbsenceRepositoryMemory.layer,
  DriverInvitationRepositoryMemory.layer,
  FreeDriverRepositoryMemory.layer,
  DriverRepositoryMemory.layer,
  SeatRepositoryMemory.layer,
  SeatSubscriptionRepositoryMemory.layer,
  ApiKeyRepositoryMemory.layer,
  DeviceRepositoryMemory.layer,
  DriverTokenRepositoryMemory.layer,
  LinkedIdentityRepositoryMemory.layer,
  SessionRepositoryMemory.layer,
  UserRepositoryMemory.layer,
  VerificationCodeRepositoryMemory.layer,
  MailOutboxMemory.layer,
  IdempotencyStoreMemory.layer,
  BusinessProfileRepositoryMemory.layer,
  ReadinessMemory.layer,
  TransactionMemory.layer,
  TrackingRepositoryMemory.layer,
  AssignmentRepositoryMemory.layer,
  DispatchBoardRepositoryMemory.layer,
  ScheduleRepositoryMemory.layer,
  TimelineRepositoryMemory.layer,
  TripListRepositoryMemory.layer,
  TripReferencesMemory.layer,
  TripIdsMemory.layer,
  TripRepositoryMemory.layer,
  TariffRepositoryMemory.layer,
  TripFareRepositoryMemory.layer,
  DriverPayRepositoryMemory.layer,
  QuoteRepositoryMemory.layer,
  ErasureRepositoryMemory.layer,
  PersonalDataMemory.layer,
  ProductRepositoryMemory.layer,
  BookingRepositoryMemory.layer,
  UploadRepositoryMemory.layer,
  DeliveryQueueMemory.layer,
  DeliveryRepositoryMemory.layer,
  EndpointRepositoryMemory.layer,
  EventHistoryMemory.layer,
  EventPositionsMemory.layer
)

/** {@link layer} on a given store, for tests that prepare its rows. */
export const layerOn = (store: Layer.Layer<Store>) =>
  Ports.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        store,
        Cryptography.layerWebCrypto,
        RateCounters.layerMemory,
        Routing.layerGreatCircle,
        WorkNotifier.layer
      )
    )
  )

/**
 * All ports that a database implements, except those of `BusinessTransfer`, on a store of the layer's own, which is lost with
 * it; and the ports that need neither a database nor another service: `Cryptography`, `RateCounters`, `Routing`,
 * `WorkNotifier`. It also provides the `Store`.
 */
export const layer = layerOn(Store.layer)
