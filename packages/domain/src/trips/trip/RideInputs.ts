/**
 * The inputs of the price of a ride. Each is a field of a trip under the same name in an estimate, a quote, a displayed price and
 * a booking, and travels from one to the next: the price that a tariff gives is the same for all of them.
 */
import { Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import * as Value from "../../kernel/fields/Value.ts"

/** How the passenger gets to the pickup. `flight` stands for both kinds of flight, and for a flight of unknown kind. */
export const ArrivalKind = Schema.Literals([
  "address",
  "flight",
  "domestic_flight",
  "international_flight",
  "train",
  "ship"
])
export type ArrivalKind = typeof ArrivalKind.Type

/** The most minutes of waiting: a month. */
const maxWaitingMinutes = 44_640

const toAll = { readers: ["drivers", "public"] } as const
const ofCustomer = { ...toAll, person: "customer" } as const

/**
 * The inputs of a price that no other part of a trip needs.
 *
 * - `arrival`: without one, a pickup at an airport counts as a flight and any other as an address.
 * - `pickup_airport`, `dropoff_airport`: the IATA code of the airport at that end.
 * - `meet_and_greet`: whether it was ordered.
 * - `waiting_minutes`: the waiting that is charged at least. The drivers' reports can only add to it.
 * - `tolls_amount`: tolls, which are charged at cost. They are stored in minor units.
 */
export const rideInputFields = {
  arrival: Field.says(toAll, Field.optional(Value.oneOf(ArrivalKind))),
  pickup_airport: Field.says(ofCustomer, Field.optional(Value.airportCode)),
  dropoff_airport: Field.says(ofCustomer, Field.optional(Value.airportCode)),
  meet_and_greet: Field.says(toAll, Field.optional(Value.boolean)),
  waiting_minutes: Field.says(
    { isEditableAfterEnd: true },
    Field.optional(Value.wholeNumber(0, maxWaitingMinutes))
  ),
  tolls_amount: Field.says(
    { person: "nobody", isEditableAfterEnd: true },
    { ...Field.sentOrNull(Value.amount), ...Field.computed(Schema.NullOr(Value.amount.wire)) }
  ),
  tolls_minor: Field.internalOrNull(Value.minorAmount)
}

/** The fields of a trip that its price depends on, beside the class. */
export const rideInputs = [
  "trip_date",
  "trip_type",
  "arrival",
  "pickup_postal_code",
  "pickup_lat",
  "pickup_lng",
  "pickup_airport",
  "dropoff_postal_code",
  "dropoff_lat",
  "dropoff_lng",
  "dropoff_airport",
  "stops",
  "distance_m",
  "duration_minutes",
  "participants_count",
  "luggage_count",
  "child_seats",
  "meet_and_greet",
  "waiting_minutes",
  "tolls_amount"
] as const
