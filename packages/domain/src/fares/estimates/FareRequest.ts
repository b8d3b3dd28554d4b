/** A request for a fare: the fields of a trip that its price depends on, under the names that they have in a trip. */
import { Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import { between } from "../../kernel/fields/FieldIssue.ts"
import { orNull } from "../../kernel/fields/Optional.ts"
import { text } from "../../kernel/fields/Text.ts"
import { Latitude, Longitude } from "../../kernel/fields/Coordinates.ts"
import { rideInputs } from "../../trips/trip/RideInputs.ts"
import { tripFields } from "../../trips/trip/Trip.ts"
import { maxChildSeats, maxStops } from "../../trips/trip/TripDetails.ts"
import { listOf, Minutes, orDefault } from "../rules/TariffFields.ts"

const Stop = Schema.Struct({
  lat: orNull(Latitude),
  lng: orNull(Longitude),
  minutes: orDefault(Minutes, 0)
})

const ChildSeats = Schema.Struct({ type: text(50), count: Schema.Int.check(between(0, maxChildSeats)) })

const fareRequestStruct = Schema.Struct({
  ...Field.inputOf(Field.pick(tripFields, rideInputs)).fields,
  stops: listOf(Stop, maxStops),
  child_seats: listOf(ChildSeats, 20)
})
type FareRequestStruct = typeof fareRequestStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface FareRequestSchema extends FareRequestStruct {}

/**
 * A trip to be priced. `trip_date` without an offset is on the business's clock. `distance_m` and `duration_minutes` are
 * estimated from the coordinates unless sent; an hourly trip and an event have no fare without a duration. Unlike the stops of a
 * trip, the stops of a request need no address.
 */
export const FareRequest: FareRequestSchema = fareRequestStruct
export type FareRequest = typeof FareRequest.Type
