/** The rows of the store: the domain's records, with further fields that the ports store and never return. */
import type {
  ApiKey,
  Assignment,
  AssignmentId,
  Attempt,
  AuditEntry,
  Booking,
  Business,
  BusinessId,
  BusinessProfile,
  CalendarOwner,
  Car,
  CardIntent,
  ClaimSelection,
  CodePurpose,
  Customer,
  DeliveryId,
  DeviceRecord,
  SavedView,
  TripTemplate,
  DomainEvent,
  Driver,
  DriverId,
  DriverTerms,
  Endpoint,
  HeldErasure,
  InvitedMember,
  FailedLetter,
  FlightCheck,
  Invoice,
  InvoiceId,
  InvoiceTimelineEntry,
  MailMessage,
  Money,
  Notice,
  NoticePreferences,
  NoticeSettings,
  PaymentId,
  Position,
  Product,
  RemittanceId,
  ProductId,
  Quote,
  Reference,
  Role,
  SealedInvoice,
  SeatChanges,
  SessionId,
  StateMachine,
  StoredGateway,
  StoredRequest,
  StoredTariff,
  Tariff,
  TakenMark,
  TariffId,
  TimelineEntry,
  TripId,
  TripWindow,
  User,
  UserId
} from "@livery/domain"
import type { DateTime } from "effect"

/** A row of a table whose deleted rows are kept if others refer to them. */
export type Deletable<Row> = Row & { readonly deleted_at?: DateTime.Utc }

/** An entry of the audit log, with the request that caused it; null for a change by a command or a worker. */
export interface AuditRow extends AuditEntry {
  readonly auditId: number
  readonly at: DateTime.Utc
  readonly requestId: string | null
}

/** A business with its profile, and its subscription item at the payment provider; null without a subscription. */
export interface BusinessRow extends BusinessProfile, Business {
  readonly subscription_item_id: string | null
}

/** A user's membership in a business. */
export interface MemberRow {
  readonly business_id: BusinessId
  readonly user_id: UserId
  readonly role: Role
  readonly created_at: DateTime.Utc
}

/** An invitation of a member. `codeHash` is the SHA-256 of the code that was mailed. */
export interface MemberInvitationRow extends InvitedMember {
  readonly createdAt: DateTime.Utc
  readonly business_id: BusinessId
  readonly codeHash: string
  readonly expiresAt: DateTime.Utc
}

/** An account with the hash of its password. */
export interface UserRow extends User {
  readonly created_at: DateTime.Utc
  readonly updated_at: DateTime.Utc
  readonly passwordHash: string
}

/** A code that was mailed, as its SHA-256. `userId` is null if no account has the address. */
export interface CodeRow {
  readonly code_id: number
  readonly codeHash: string
  readonly userId: UserId | null
  readonly purpose: CodePurpose
  readonly expiresAt: DateTime.Utc
  readonly isUsed: boolean
}

/** A person's identity at an identity provider, linked to an account. */
export interface IdentityRow {
  readonly issuer: string
  readonly subject: string
  readonly userId: UserId
}

/** One sign-in. Its refresh tokens are rows of their own. */
export interface SessionRow {
  readonly session_id: SessionId
  readonly user_id: UserId
  readonly expiresAt: DateTime.Utc
  readonly isRevoked: boolean
  /** The sealed successor of the token that was rotated last, with that token's hash. */
  readonly successor: { readonly tokenHash: string; readonly sealed: string } | null
}

/** A refresh token, as its SHA-256. `rotatedAt` is null until it is exchanged for its successor. */
export interface RefreshTokenRow {
  readonly tokenHash: string
  readonly sessionId: SessionId
  readonly expiresAt: DateTime.Utc
  readonly rotatedAt: DateTime.Utc | null
}

/** A view with its user. */
export interface SavedViewRow extends SavedView {
  readonly user_id: UserId
}

/** A template of trips, with its business. */
export interface TripTemplateRow extends TripTemplate {
  readonly business_id: BusinessId
}

/** A device that receives push messages, with its user. */
export interface DeviceRow extends DeviceRecord {
  readonly user_id: UserId
  readonly updated_at: DateTime.Utc
}

/** An API key, as its SHA-256, with the user who created it. */
export interface ApiKeyRow extends ApiKey {
  readonly createdBy: UserId
  readonly business_id: BusinessId
  readonly keyHash: string
}

/** A car of a business; a deleted one has `deleted_at`. */
export type CarRow = Deletable<Car>

/** `former_user_id` is the account of a deleted driver. */
export type DriverRow = Deletable<Driver> & { readonly former_user_id?: UserId | null }

/** A customer of a business; a deleted one has `deleted_at`. */
export type CustomerRow = Deletable<Customer>

/** Places that were taken, or, with a negative count, given back. */
export interface PlacesRow {
  readonly productId: ProductId
  readonly from: number
  readonly to: number
  readonly count: number
}

/** A product of a business; a deleted one has `deleted_at`. */
export type ProductRow = Deletable<Product>

/** A booking of a product; a deleted one has `deleted_at`. */
export type BookingRow = Deletable<Booking>

/** A quote with its items; a deleted one has `deleted_at`. */
export type QuoteRow = Deletable<Quote>

/** A tariff with the content of its latest version; a deleted one has `deleted_at`. */
export type TariffRow = Deletable<StoredTariff>

/** One version of a tariff, which never changes. Fares refer to it. */
export interface TariffVersionRow {
  readonly business_id: BusinessId
  readonly tariff_id: TariffId
  readonly version: number
  readonly content: Tariff
  readonly valid_from: DateTime.Utc | null
  readonly created_at: DateTime.Utc
}

/** The schemes of a driver. */
export interface DriverPayRow {
  readonly business_id: BusinessId
  readonly schemes: DriverTerms["schemes"]
}

/** An invoice without its trips, which are the trips that refer to it. */
export interface InvoiceRow extends Omit<Invoice, "trip_ids"> {
  /** Its place in the order of the invoices of the business; 0 for a draft. */
  readonly drawn: number
}

/** An entry of an invoice's timeline, without the author's name, which is in the user's row. */
export interface InvoiceChangeRow extends Omit<InvoiceTimelineEntry, "actor_name"> {
  readonly business_id: BusinessId
  readonly invoice_id: InvoiceId
}

/** A letter to a customer that was given up. */
export interface FailedLetterRow extends FailedLetter {
  readonly business_id: BusinessId
}

/** What is stored of a sealed invoice. */
export interface InvoiceSnapshotRow extends SealedInvoice {
  readonly business_id: BusinessId
}

/** A payment that was started at the provider. `ended_at` is null while the provider may still report its result. */
export interface CardIntentRow extends CardIntent {
  readonly created_at: DateTime.Utc
  readonly ended_at: DateTime.Utc | null
}

/** An entry of the ledger that a remittance made. */
export interface RemittancePaymentRow {
  readonly remittance_id: RemittanceId
  readonly payment_id: PaymentId
}

/** A provider's notice that was received, so that a repeated one changes nothing. */
export interface PaymentNoticeRow {
  readonly received_at: DateTime.Utc
}

/** A paid seat of a driver beyond the plan's limit, with its monthly price. `endedAt` is null while it is occupied. */
export interface SeatRow {
  readonly seat_id: number
  readonly business_id: BusinessId
  readonly driver_id: DriverId
  readonly price: Money.Money
  readonly endedAt: DateTime.Utc | null
}

/** The state of a business's seats at the payment provider. */
export interface SeatSubscriptionRow extends SeatChanges {
  readonly business_id: BusinessId
}

/** A driver's invitation to an account. `codeHash` is the SHA-256 of the code that was mailed. */
export interface InvitationRow {
  readonly businessId: BusinessId
  readonly driverId: DriverId
  readonly email: string
  readonly codeHash: string
  readonly expiresAt: DateTime.Utc
  readonly isUsed: boolean
}

/** An assignment without the driver's name, which is in the driver's row. */
export interface AssignmentRow extends Omit<Assignment, "name"> {
  readonly business_id: BusinessId
  readonly trip_id: TripId
  readonly window: TripWindow
  /** Null once the assignment has ended. */
  readonly tokenHash: string | null
  /** The `tokenHash` that the ended assignment had. */
  readonly endedTokenHash: string | null
  readonly cancelledBy: StateMachine.Mover | null
  readonly enRouteAt: DateTime.Utc | null
  readonly completedAt: DateTime.Utc | null
  readonly createdAt: DateTime.Utc
  readonly cancelledAt: DateTime.Utc | null
}

/** An entry of a trip's timeline, without the author's name, which is in the user's row. */
export interface TimelineRow extends Omit<TimelineEntry, "actor_name"> {
  readonly business_id: BusinessId
  readonly trip_id: TripId
}

/** The last position of an assignment. */
export interface PositionRow extends Position {
  readonly assignment_id: AssignmentId
}

/** The public tracking link of a trip, as the SHA-256 of its token. */
export interface LinkRow {
  readonly business_id: BusinessId
  readonly trip_id: TripId
  readonly tokenHash: string
}

/** The check of a trip's flight. */
export interface FlightCheckRow extends FlightCheck {
  readonly business_id: BusinessId
  readonly flight: string
  readonly due_at: DateTime.Utc | null
}

/** The link of a calendar, as the SHA-256 of its token. */
export interface CalendarLinkRow {
  readonly business_id: BusinessId
  readonly owner: CalendarOwner
  readonly tokenHash: string
}

/** An unfinished erasure. Another process may continue it from `due_at` on. */
export interface ErasureRow extends HeldErasure {
  readonly due_at: DateTime.Utc
}

/** A record whose personal data was erased. */
export interface ErasedRow {
  readonly business_id: BusinessId
  readonly reference: Reference
}

/** The fields of an erased record that its invoices still show. */
export interface RetainedRow {
  readonly business_id: BusinessId
  readonly party: Readonly<Record<string, string | null>>
}

/** A message in the outbox, with the number of its attempts. */
export interface MailRow {
  readonly mail_id: number
  readonly message: MailMessage
  readonly attempt: number
  /** In milliseconds since 1970. */
  readonly postedAt: number
  readonly nextAttemptAt: number
  readonly lastError: string | null
}

/** When messages of a key were counted within the last hour, in milliseconds since 1970. */
export interface MailCountRow {
  readonly sentAt: ReadonlyArray<number>
}

/** `request` is null while the transaction that claimed the key runs. */
export interface IdempotencyRow {
  readonly key: string
  readonly request: StoredRequest | null
  readonly lease: number
  readonly leasedUntil: DateTime.Utc | null
  readonly createdAt: DateTime.Utc
}

/** An event with its position in the feed. */
export interface EventRow extends DomainEvent {
  /** Transactions run one after the other, so that an event has its position in the feed at once. */
  readonly position: number
  /** No list of events shows a sample. */
  readonly isSample: boolean
}

/** A webhook endpoint with its encrypted secrets. `isDeleted` ones are kept for their deliveries. */
export interface EndpointRow extends Endpoint {
  readonly sealedSecret: string
  /** The youngest first. `until` is in seconds since 1970. */
  readonly retiredSecrets: ReadonlyArray<{ readonly sealed: string; readonly until: number }>
  readonly isDeleted: boolean
}

/** Times are in seconds since 1970. */
export interface DeliveryRow extends ClaimSelection.Queued {
  readonly deliveryId: DeliveryId
  readonly eventId: string
  readonly createdAt: number
  readonly lastError: string | null
  readonly responseStatus: number | null
  readonly attempts: ReadonlyArray<Attempt>
}

/** A changed trip whose notices are not sent yet. */
export interface NoticeMarkRow extends TakenMark {
  readonly business_id: BusinessId
  readonly trip_id: TripId
  readonly due_at: DateTime.Utc
  readonly latest_at: DateTime.Utc
  readonly claimed_until: DateTime.Utc | null
}

/** A notice with its name at the gateway. */
export interface NoticeRow extends Notice {
  readonly business_id: BusinessId
  readonly reference: string | null
}

/** How a business tells. */
export interface NoticeSettingsRow {
  readonly settings: NoticeSettings | null
  readonly tells_customers: boolean
  readonly reminds: boolean
  readonly gateway: StoredGateway | null
}

/** What a customer wants. */
export interface NoticePreferencesRow extends NoticePreferences {
  readonly business_id: BusinessId
}
