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
  Car,
  CardIntent,
  ClaimSelection,
  CodePurpose,
  Customer,
  DeliveryId,
  DeviceRecord,
  DomainEvent,
  Driver,
  DriverId,
  DriverTerms,
  Endpoint,
  HeldErasure,
  InvitedMember,
  Invoice,
  MailMessage,
  Money,
  Position,
  Product,
  ProductId,
  Quote,
  Reference,
  Role,
  SeatChanges,
  SessionId,
  StoredRequest,
  StoredTariff,
  Tariff,
  TimelineEntry,
  TripId,
  TripWindow,
  User,
  UserId
} from "@livery/domain"
import type { DateTime } from "effect"

/** A row of a table whose deleted rows are kept if others refer to them. */
export type Deletable<Row> = Row & { readonly deleted_at?: DateTime.Utc }

export interface AuditRow extends AuditEntry {
  readonly auditId: number
  readonly at: DateTime.Utc
  readonly requestId: string | null
}

export interface BusinessRow extends BusinessProfile, Business {
  readonly subscription_item_id: string | null
}

export interface MemberRow {
  readonly business_id: BusinessId
  readonly user_id: UserId
  readonly role: Role
  readonly created_at: DateTime.Utc
}

export interface MemberInvitationRow extends InvitedMember {
  readonly createdAt: DateTime.Utc
  readonly business_id: BusinessId
  readonly codeHash: string
  readonly expiresAt: DateTime.Utc
}

export interface UserRow extends User {
  readonly created_at: DateTime.Utc
  readonly updated_at: DateTime.Utc
  readonly passwordHash: string
}

export interface CodeRow {
  readonly code_id: number
  readonly codeHash: string
  readonly userId: UserId | null
  readonly purpose: CodePurpose
  readonly expiresAt: DateTime.Utc
  readonly isUsed: boolean
}

export interface IdentityRow {
  readonly issuer: string
  readonly subject: string
  readonly userId: UserId
}

export interface SessionRow {
  readonly session_id: SessionId
  readonly user_id: UserId
  readonly expiresAt: DateTime.Utc
  readonly isRevoked: boolean
  /** The sealed successor of the token that was rotated last, with that token's hash. */
  readonly successor: { readonly of: string; readonly sealed: string } | null
}

export interface RefreshTokenRow {
  readonly tokenHash: string
  readonly sessionId: SessionId
  readonly expiresAt: DateTime.Utc
  readonly rotatedAt: DateTime.Utc | null
}

export interface DeviceRow extends DeviceRecord {
  readonly user_id: UserId
  readonly updated_at: DateTime.Utc
}

export interface ApiKeyRow extends ApiKey {
  readonly createdBy: UserId
  readonly business_id: BusinessId
  readonly keyHash: string
}

export type CarRow = Deletable<Car>

/** `former_user_id` is the account of a deleted driver. */
export type DriverRow = Deletable<Driver> & { readonly former_user_id?: UserId | null }

export type CustomerRow = Deletable<Customer>

/** Places that were taken, or, with a negative count, given back. */
export interface PlacesRow {
  readonly productId: ProductId
  readonly from: number
  readonly to: number
  readonly count: number
}

export type ProductRow = Deletable<Product>

export type BookingRow = Deletable<Booking>

export type QuoteRow = Deletable<Quote>

export type TariffRow = Deletable<StoredTariff>

export interface TariffVersionRow {
  readonly business_id: BusinessId
  readonly content: Tariff
}

/** The schemes of a driver. */
export interface DriverPayRow {
  readonly business_id: BusinessId
  readonly schemes: DriverTerms["schemes"]
}

/** An invoice without its trips, which are the trips that refer to it. */
export type InvoiceRow = Omit<Invoice, "trip_ids">

export interface CardIntentRow extends CardIntent {
  readonly created_at: DateTime.Utc
  readonly ended_at: DateTime.Utc | null
}

export interface PaymentNoticeRow {
  readonly received_at: DateTime.Utc
}

export interface SeatRow {
  readonly seat_id: number
  readonly business_id: BusinessId
  readonly driver_id: DriverId
  readonly price: Money.Money
  readonly endedAt: DateTime.Utc | null
}

export interface SeatSubscriptionRow extends SeatChanges {
  readonly business_id: BusinessId
}

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
  readonly enRouteAt: DateTime.Utc | null
  readonly completedAt: DateTime.Utc | null
}

export interface TimelineRow extends Omit<TimelineEntry, "actor_name"> {
  readonly business_id: BusinessId
  readonly trip_id: TripId
}

/** The last position of an assignment. */
export interface PositionRow extends Position {
  readonly assignment_id: AssignmentId
}

export interface LinkRow {
  readonly business_id: BusinessId
  readonly trip_id: TripId
  readonly tokenHash: string
}

/** An unfinished erasure. Another process may continue it from `due_at` on. */
export interface ErasureRow extends HeldErasure {
  readonly due_at: DateTime.Utc
}

export interface ErasedRow {
  readonly business_id: BusinessId
  readonly reference: Reference
}

/** The fields of an erased record that its invoices still show. */
export interface RetainedRow {
  readonly business_id: BusinessId
  readonly party: Readonly<Record<string, string | null>>
}

export interface MailRow {
  readonly mail_id: number
  readonly message: MailMessage
  readonly attempt: number
  /** In milliseconds since 1970. */
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

export interface EventRow extends DomainEvent {
  /** Transactions run one after the other, so that an event has its position in the feed at once. */
  readonly position: number
  /** No list of events shows a sample. */
  readonly isSample: boolean
}

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
