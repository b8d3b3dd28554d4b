/** A trip: someone is picked up somewhere, some time, and taken somewhere (specification, Trip). */
import { type DateTime, Effect, Option, Schema, SchemaTransformation } from "effect"
import { Currency } from "../kernel/Currency.ts"
import { check } from "../kernel/FieldIssue.ts"
import { type BusinessId, CarId, type TripId } from "../kernel/Ids.ts"
import * as Money from "../kernel/Money.ts"
import { optionalEmailAddress, optionalText, orNull, text } from "../kernel/Text.ts"
import { rfc3339, Timestamp, wallClock } from "../kernel/WallClock.ts"
import { DriverStatus, PaymentStatus, tripMachine, TripStatus, TripType } from "./TripStatus.ts"

const degrees = (limit: number) =>
  Schema.Finite.check(
    check<number>("out_of_range", (value) => Math.abs(value) <= limit, { minimum: -limit, maximum: limit })
  )

/** A whole number of people, from 1 to 10,000. */
const Headcount = Schema.Int.check(
  check<number>("out_of_range", (count) => count >= 1 && count <= 10_000, { minimum: 1, maximum: 10_000 })
)

/** The Trip create payload. What was not sent is null once decoded. */
export const TripInput = Schema.Struct({
  trip_date: Timestamp,
  pickup_address: text(500),
  dropoff_address: text(500),
  customer_name: text(200),
  customer_email: optionalEmailAddress,
  customer_phone: optionalText(40),
  trip_type: Schema.NullOr(TripType).pipe(
    Schema.decodeTo(
      TripType,
      SchemaTransformation.transform<TripType, TripType | null>({
        decode: (type) => type ?? "transfer",
        encode: (type) => type
      })
    ),
    Schema.withDecodingDefaultKey(Effect.succeed("transfer" as const)),
    Schema.withConstructorDefault(Effect.succeed("transfer" as const))
  ),
  car_id: orNull(CarId),
  pickup_postal_code: optionalText(20),
  dropoff_postal_code: optionalText(20),
  pickup_lat: orNull(degrees(90)),
  pickup_lng: orNull(degrees(180)),
  dropoff_lat: orNull(degrees(90)),
  dropoff_lng: orNull(degrees(180)),
  total_amount: orNull(Money.MajorAmount),
  currency: orNull(Currency),
  flight_number: optionalText(20),
  terminal: optionalText(50),
  participants_count: orNull(Headcount),
  notes: optionalText(5000),
  special_requirements: optionalText(5000)
})
export type TripInput = typeof TripInput.Type

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
  readonly created_at: DateTime.Utc
  readonly updated_at: DateTime.Utc
}

/** A trip that has no id yet. */
export type NewTrip = Omit<Trip, "trip_id" | "driver_status" | "created_at" | "updated_at">

/**
 * A trip in answers and events. `trip_date` is the instant of pickup in UTC, `pickup_at` the same on the business's
 * clock; `total_amount` is in major units of `currency`.
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
  pickup_address: Schema.String,
  pickup_postal_code: Schema.NullOr(Schema.String),
  pickup_lat: Schema.NullOr(Schema.Finite),
  pickup_lng: Schema.NullOr(Schema.Finite),
  dropoff_address: Schema.String,
  dropoff_postal_code: Schema.NullOr(Schema.String),
  dropoff_lat: Schema.NullOr(Schema.Finite),
  dropoff_lng: Schema.NullOr(Schema.Finite),
  customer_name: Schema.String,
  customer_email: Schema.NullOr(Schema.String),
  customer_phone: Schema.NullOr(Schema.String),
  car_id: Schema.NullOr(Schema.Int),
  total_amount: Schema.NullOr(Schema.Finite),
  currency: Schema.String,
  flight_number: Schema.NullOr(Schema.String),
  terminal: Schema.NullOr(Schema.String),
  participants_count: Schema.NullOr(Schema.Int),
  notes: Schema.NullOr(Schema.String),
  special_requirements: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.String
})
export type TripRecord = typeof TripRecord.Type

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
  pickup_address: trip.pickup_address,
  pickup_postal_code: trip.pickup_postal_code,
  pickup_lat: trip.pickup_lat,
  pickup_lng: trip.pickup_lng,
  dropoff_address: trip.dropoff_address,
  dropoff_postal_code: trip.dropoff_postal_code,
  dropoff_lat: trip.dropoff_lat,
  dropoff_lng: trip.dropoff_lng,
  customer_name: trip.customer_name,
  customer_email: trip.customer_email,
  customer_phone: trip.customer_phone,
  car_id: trip.car_id,
  total_amount:
    trip.total_minor === null ? null : Money.toMajor({ minor: trip.total_minor, currency: trip.currency }),
  currency: trip.currency,
  flight_number: trip.flight_number,
  terminal: trip.terminal,
  participants_count: trip.participants_count,
  notes: trip.notes,
  special_requirements: trip.special_requirements,
  created_at: rfc3339(trip.created_at),
  updated_at: rfc3339(trip.updated_at)
})

/** The price of an input in minor units of `currency`; `None` if it has more decimals than the currency. */
export const priceOf = (amount: number | null, currency: Currency): Option.Option<number | null> =>
  amount === null ? Option.some(null) : Option.map(Money.fromMajor(amount, currency), ({ minor }) => minor)
