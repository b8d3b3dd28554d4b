/** What callers send about a trip: the create payload (docs/api/trips.md), and changes of it. */
import { Effect, Schema, SchemaTransformation } from "effect"
import { oneOf } from "../kernel/fields/OneOf.ts"
import { Currency } from "../kernel/money/Currency.ts"
import { check } from "../kernel/fields/FieldIssue.ts"
import { CarId, CustomerId } from "../kernel/Ids.ts"
import * as Money from "../kernel/money/Money.ts"
import { clearableEmailAddress, optionalEmailAddress } from "../kernel/fields/EmailAddress.ts"
import { clearableText, optionalText, text } from "../kernel/fields/Text.ts"
import { omittable, orNull } from "../kernel/fields/Optional.ts"
import { Timestamp } from "../kernel/time/WallClock.ts"
import { Latitude, Longitude } from "./Assignment.ts"
import { CancelReason, TripStatus, TripType } from "./TripStatus.ts"
import { maxDurationMinutes } from "./TripWindow.ts"

/** A whole number of people, from 1 to 10,000. */
const Headcount = Schema.Int.check(
  check<number>("out_of_range", (count) => count >= 1 && count <= 10_000, { minimum: 1, maximum: 10_000 })
)

const DurationMinutes = Schema.Int.check(
  check<number>("out_of_range", (minutes) => minutes >= 1 && minutes <= maxDurationMinutes, {
    minimum: 1,
    maximum: maxDurationMinutes
  })
)

const lengths = {
  address: 500,
  name: 200,
  phone: 40,
  postalCode: 20,
  flight: 20,
  terminal: 50,
  notes: 5000
} as const

/** The type of a trip that was not told one. */
export const defaultTripType: TripType = "transfer"

/** The Trip create payload. What was not sent is null once decoded. */
export const TripInput = Schema.Struct({
  trip_date: Timestamp,
  duration_minutes: orNull(DurationMinutes),
  pickup_address: text(lengths.address),
  dropoff_address: text(lengths.address),
  customer_id: orNull(CustomerId),
  customer_name: text(lengths.name),
  customer_email: optionalEmailAddress,
  customer_phone: optionalText(lengths.phone),
  trip_type: Schema.NullOr(oneOf(TripType)).pipe(
    Schema.decodeTo(
      TripType,
      SchemaTransformation.transform<TripType, TripType | null>({
        decode: (type) => type ?? defaultTripType,
        encode: (type) => type
      })
    ),
    Schema.withDecodingDefaultKey(Effect.succeed(defaultTripType)),
    Schema.withConstructorDefault(Effect.succeed(defaultTripType))
  ),
  car_id: orNull(CarId),
  pickup_postal_code: optionalText(lengths.postalCode),
  dropoff_postal_code: optionalText(lengths.postalCode),
  pickup_lat: orNull(Latitude),
  pickup_lng: orNull(Longitude),
  dropoff_lat: orNull(Latitude),
  dropoff_lng: orNull(Longitude),
  total_amount: orNull(Money.MajorAmount),
  currency: orNull(Currency),
  flight_number: optionalText(lengths.flight),
  terminal: optionalText(lengths.terminal),
  participants_count: orNull(Headcount),
  notes: optionalText(lengths.notes),
  special_requirements: optionalText(lengths.notes)
})
export type TripInput = typeof TripInput.Type

const clearable = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** Every field of the create payload, to be changed alone; null forgets what may be absent. */
const changes = {
  trip_date: Schema.optionalKey(Timestamp),
  duration_minutes: clearable(DurationMinutes),
  pickup_address: Schema.optionalKey(text(lengths.address)),
  dropoff_address: Schema.optionalKey(text(lengths.address)),
  customer_id: clearable(CustomerId),
  customer_name: Schema.optionalKey(text(lengths.name)),
  customer_email: Schema.optionalKey(clearableEmailAddress),
  customer_phone: Schema.optionalKey(clearableText(lengths.phone)),
  trip_type: clearable(oneOf(TripType)),
  car_id: clearable(CarId),
  pickup_postal_code: Schema.optionalKey(clearableText(lengths.postalCode)),
  dropoff_postal_code: Schema.optionalKey(clearableText(lengths.postalCode)),
  pickup_lat: clearable(Latitude),
  pickup_lng: clearable(Longitude),
  dropoff_lat: clearable(Latitude),
  dropoff_lng: clearable(Longitude),
  total_amount: clearable(Money.MajorAmount),
  currency: clearable(Currency),
  flight_number: Schema.optionalKey(clearableText(lengths.flight)),
  terminal: Schema.optionalKey(clearableText(lengths.terminal)),
  participants_count: clearable(Headcount),
  notes: Schema.optionalKey(clearableText(lengths.notes)),
  special_requirements: Schema.optionalKey(clearableText(lengths.notes))
} satisfies Record<keyof TripInput, Schema.Constraint>

/** The fields of a copy that differ from the copied trip. */
export const TripOverrides = Schema.Struct(changes)
export type TripOverrides = typeof TripOverrides.Type

/**
 * A change of a trip: at least one field besides `force`. A null `trip_type` is a `transfer`, a null
 * `currency` the business's own; a null `status` or `cancel_reason` is as none. The reason and the fee are a cancellation's.
 */
export const TripChanges = Schema.Struct({
  ...changes,
  status: omittable(oneOf(TripStatus)),
  cancel_reason: omittable(oneOf(CancelReason)),
  cancellation_fee: clearable(Money.MajorAmount),
  force: clearable(Schema.Boolean)
}).check(
  check<object>("required", (changes) => Object.keys(changes).some((field) => field !== "force"), {
    minProperties: 1
  })
)
export type TripChanges = typeof TripChanges.Type
