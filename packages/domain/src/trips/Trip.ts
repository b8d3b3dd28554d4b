/** A trip: someone is picked up somewhere, some time, and taken somewhere (docs/api/trips.md). */
import { type DateTime, Option, Schema } from "effect"
import type { Currency } from "../kernel/money/Currency.ts"
import type { BusinessId, InvoiceId, TripId } from "../kernel/Ids.ts"
import * as Money from "../kernel/money/Money.ts"
import { rfc3339, wallClock } from "../kernel/time/WallClock.ts"
import { type Assignment, AssignmentStatus, Milestone } from "./Assignment.ts"
import type { TripInput } from "./TripInput.ts"
import { CancelReason, DriverStatus, PaymentStatus, tripMachine, TripStatus, TripType } from "./TripStatus.ts"

/** What a trip repeats of its input as it stands. */
type Repeated = Omit<TripInput, "trip_date" | "total_amount" | "currency">

/** A trip as stored. */
export interface Trip extends Repeated {
  readonly trip_id: TripId
  readonly business_id: BusinessId
  readonly reference: string
  readonly status: TripStatus
  readonly driver_status: DriverStatus
  readonly payment_status: PaymentStatus
  readonly trip_date: DateTime.Utc
  /** The price in minor units of `currency`; null while there is none. */
  readonly total_minor: number | null
  readonly currency: Currency
  /** The invoice that it is on. */
  readonly invoice_id: InvoiceId | null
  readonly cancel_reason: CancelReason | null
  /** Who cancelled it, by part: `operator`, `customer`, … */
  readonly cancelled_by: string | null
  /** What is owed all the same, in minor units of `currency`. */
  readonly cancellation_fee_minor: number | null
  readonly cancelled_at: DateTime.Utc | null
  readonly completed_at: DateTime.Utc | null
  /** Its assignments but for the cancelled ones, in the order in which they were made. */
  readonly drivers: ReadonlyArray<Assignment>
  readonly created_at: DateTime.Utc
  readonly updated_at: DateTime.Utc
  /** Only of a trip that is being deleted: one that was is absent. */
  readonly deleted_at?: DateTime.Utc
}

/** A trip that has no id yet, and therefore neither drivers nor an end. */
export type NewTrip = Repeated &
  Pick<
    Trip,
    "business_id" | "reference" | "status" | "payment_status" | "trip_date" | "total_minor" | "currency"
  >

/** A new trip as it stands once it has its id: nobody drives it, nothing ended it, it is on no invoice. */
export const storedTrip = (trip: NewTrip, tripId: TripId, now: DateTime.Utc): Trip => ({
  ...trip,
  trip_id: tripId,
  driver_status: "unassigned",
  invoice_id: null,
  cancel_reason: null,
  cancelled_by: null,
  cancellation_fee_minor: null,
  cancelled_at: null,
  completed_at: null,
  drivers: [],
  created_at: now,
  updated_at: now
})

/** A milestone in an answer. */
export const MilestoneRecord = Schema.Struct({
  milestone: Milestone,
  at: Schema.String,
  lat: Schema.NullOr(Schema.Finite),
  lng: Schema.NullOr(Schema.Finite)
})
export type MilestoneRecord = typeof MilestoneRecord.Type

/** A driver of a trip in an answer: where their part stands, and what they reported of it, in order of time. */
export const TripDriverRecord = Schema.Struct({
  driver_id: Schema.Int,
  name: Schema.String,
  status: AssignmentStatus,
  milestones: Schema.Array(MilestoneRecord)
})
export type TripDriverRecord = typeof TripDriverRecord.Type

/** The record of a driver of a trip. */
export const tripDriverRecord = ({ driver_id, milestones, name, status }: Assignment): TripDriverRecord => ({
  driver_id,
  name,
  status,
  milestones: milestones.map(({ at, lat, lng, milestone }) => ({ milestone, at: rfc3339(at), lat, lng }))
})

/**
 * A trip in answers and events. `trip_date` is the instant of pickup in UTC, `pickup_at` the same on the business's
 * clock; `total_amount` and `cancellation_fee` are in major units of `currency`. `drivers` are those who have it to
 * do or have done it, `driver_ids` the same in short.
 */
export const TripRecord = Schema.Struct({
  trip_id: Schema.Int,
  reference: Schema.String,
  status: TripStatus,
  driver_status: DriverStatus,
  payment_status: PaymentStatus,
  allowed_transitions: Schema.Array(TripStatus),
  trip_type: TripType,
  trip_date: Schema.String,
  pickup_at: Schema.String,
  duration_minutes: Schema.NullOr(Schema.Int),
  pickup_address: Schema.String,
  pickup_postal_code: Schema.NullOr(Schema.String),
  pickup_lat: Schema.NullOr(Schema.Finite),
  pickup_lng: Schema.NullOr(Schema.Finite),
  dropoff_address: Schema.String,
  dropoff_postal_code: Schema.NullOr(Schema.String),
  dropoff_lat: Schema.NullOr(Schema.Finite),
  dropoff_lng: Schema.NullOr(Schema.Finite),
  customer_id: Schema.NullOr(Schema.Int),
  customer_name: Schema.String,
  customer_email: Schema.NullOr(Schema.String),
  customer_phone: Schema.NullOr(Schema.String),
  car_id: Schema.NullOr(Schema.Int),
  driver_ids: Schema.Array(Schema.Int),
  drivers: Schema.Array(TripDriverRecord),
  total_amount: Schema.NullOr(Schema.Finite),
  currency: Schema.String,
  flight_number: Schema.NullOr(Schema.String),
  terminal: Schema.NullOr(Schema.String),
  participants_count: Schema.NullOr(Schema.Int),
  notes: Schema.NullOr(Schema.String),
  special_requirements: Schema.NullOr(Schema.String),
  cancel_reason: Schema.NullOr(CancelReason),
  cancelled_by: Schema.NullOr(Schema.String),
  cancellation_fee: Schema.NullOr(Schema.Finite),
  cancelled_at: Schema.NullOr(Schema.String),
  completed_at: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.String
})
export type TripRecord = typeof TripRecord.Type

const major = (minor: number | null, currency: Currency) =>
  minor === null ? null : Money.toMajor({ minor, currency })

const moment = (at: DateTime.Utc | null) => (at === null ? null : rfc3339(at))

/** The record of a trip, on the clock of a business in `timezone`. */
export const tripRecord = (trip: Trip, timezone: string): TripRecord => ({
  trip_id: trip.trip_id,
  reference: trip.reference,
  status: trip.status,
  driver_status: trip.driver_status,
  payment_status: trip.payment_status,
  allowed_transitions: tripMachine.next(trip.status),
  trip_type: trip.trip_type,
  trip_date: rfc3339(trip.trip_date),
  pickup_at: wallClock(trip.trip_date, timezone),
  duration_minutes: trip.duration_minutes,
  pickup_address: trip.pickup_address,
  pickup_postal_code: trip.pickup_postal_code,
  pickup_lat: trip.pickup_lat,
  pickup_lng: trip.pickup_lng,
  dropoff_address: trip.dropoff_address,
  dropoff_postal_code: trip.dropoff_postal_code,
  dropoff_lat: trip.dropoff_lat,
  dropoff_lng: trip.dropoff_lng,
  customer_id: trip.customer_id,
  customer_name: trip.customer_name,
  customer_email: trip.customer_email,
  customer_phone: trip.customer_phone,
  car_id: trip.car_id,
  driver_ids: trip.drivers.map(({ driver_id }) => driver_id),
  drivers: trip.drivers.map(tripDriverRecord),
  total_amount: major(trip.total_minor, trip.currency),
  currency: trip.currency,
  flight_number: trip.flight_number,
  terminal: trip.terminal,
  participants_count: trip.participants_count,
  notes: trip.notes,
  special_requirements: trip.special_requirements,
  cancel_reason: trip.cancel_reason,
  cancelled_by: trip.cancelled_by,
  cancellation_fee: major(trip.cancellation_fee_minor, trip.currency),
  cancelled_at: moment(trip.cancelled_at),
  completed_at: moment(trip.completed_at),
  created_at: rfc3339(trip.created_at),
  updated_at: rfc3339(trip.updated_at)
})

/** The price of an input in minor units of `currency`; `None` if it has more decimals than the currency. */
export const priceOf = (amount: number | null, currency: Currency): Option.Option<number | null> =>
  amount === null ? Option.some(null) : Option.map(Money.fromMajor(amount, currency), ({ minor }) => minor)
