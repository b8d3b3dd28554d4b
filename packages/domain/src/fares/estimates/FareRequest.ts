/** A request for a fare. Fields that trips have too have the same names. */
import { Schema } from "effect"
import { between } from "../../kernel/fields/FieldIssue.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { orNull, yesOrNo } from "../../kernel/fields/Optional.ts"
import { optionalText, text } from "../../kernel/fields/Text.ts"
import { Timestamp } from "../../kernel/time/WallClock.ts"
import { Latitude, Longitude } from "../../kernel/fields/Coordinates.ts"
import { maxChildSeats } from "../../trips/trip/TripDetails.ts"
import { TripType } from "../../trips/trip/TripStatus.ts"
import { maxDurationMinutes } from "../../trips/trip/TripWindow.ts"
import { ArrivalKind } from "../rules/Modifiers.ts"
import { listOf, Minutes, orDefault } from "../rules/TariffFields.ts"
import { AirportCode } from "../rules/Zone.ts"

/** The longest distance that has a fare, in metres. */
export const longestDistance = 10_000_000

const wholeNumber = (minimum: number, maximum: number) => Schema.Int.check(between(minimum, maximum))

const Stop = Schema.Struct({
  lat: orNull(Latitude),
  lng: orNull(Longitude),
  minutes: orDefault(Minutes, 0)
})

const ChildSeats = Schema.Struct({ type: text(50), count: wholeNumber(0, maxChildSeats) })

/**
 * A trip to be priced. `trip_date` without an offset is on the business's clock. Without `arrival`, a pickup at an
 * airport counts as a flight and any other as an address. `distance_m` and `duration_minutes` are estimated from the
 * coordinates unless sent; an hourly trip and an event have no fare without a duration.
 */
export const FareRequest = Schema.Struct({
  trip_date: Timestamp,
  trip_type: orDefault(oneOf(TripType), "transfer"),
  arrival: orNull(oneOf(ArrivalKind)),
  pickup_postal_code: optionalText(20),
  pickup_lat: orNull(Latitude),
  pickup_lng: orNull(Longitude),
  pickup_airport: orNull(AirportCode),
  dropoff_postal_code: optionalText(20),
  dropoff_lat: orNull(Latitude),
  dropoff_lng: orNull(Longitude),
  dropoff_airport: orNull(AirportCode),
  stops: listOf(Stop, 50),
  distance_m: orNull(wholeNumber(0, longestDistance)),
  duration_minutes: orNull(wholeNumber(1, maxDurationMinutes)),
  participants_count: orNull(wholeNumber(1, 10_000)),
  luggage_count: orNull(wholeNumber(0, 10_000)),
  child_seats: listOf(ChildSeats, 20),
  meet_and_greet: yesOrNo(false)
})
export type FareRequest = typeof FareRequest.Type
