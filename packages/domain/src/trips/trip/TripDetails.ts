/** The optional fields of the trade that a trip has beside its pickup, its drop-off and its passenger. */
import { Schema } from "effect"
import { VehicleClass } from "../../kernel/VehicleClass.ts"
import * as Field from "../../kernel/fields/Field.ts"
import { metadata } from "../../kernel/fields/Metadata.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { TripId } from "../../kernel/Ids.ts"

/** A trip has at most this many stops between its pickup and its drop-off. */
export const maxStops = 50

/** The most characters of the internal notes of a trip. */
export const maxInternalNotes = 5000

/** The most seats for children of one type. A fare request has the same limit, so that each priced ride can be booked. */
export const maxChildSeats = 100

/** A stop on the way. `minutes` is how long the car waits there, `contact` the person to call. */
const stopFields = {
  address: Field.required(Value.text(500)),
  lat: Field.optional(Value.latitude),
  lng: Field.optional(Value.longitude),
  contact: Field.optional(Value.text(200)),
  minutes: Field.optional(Value.wholeNumber(0, 44_640))
}

/** Seats for children: how many of a type, such as `infant` or `booster`. */
const childSeatFields = {
  type: Field.required(Value.text(50)),
  count: Field.required(Value.wholeNumber(1, maxChildSeats))
}

const passengerFields = {
  name: Field.required(Value.text(200)),
  phone: Field.optional(Value.text(40)),
  email: Field.optional(Value.emailAddress)
}

/** Which of two linked trips a trip is. */
export const Leg = Schema.Literals(["outbound", "return"])
export type Leg = typeof Leg.Type

/**
 * The fields of a trip that few trips have.
 *
 * - `external_ref` is the trip's name in another system; the business has one trip with it.
 * - `po_number`, `cost_center` and `internal_notes` are only for the business's office; drivers do not receive them.
 * - `vehicle_class` is the class that was ordered.
 * - `group_id` is any text that the trips of one order share. `linked_trip_id` is the other trip of a pair.
 * - `pickup_timezone` is the zone of the place of the pickup; `pickup_local` is the time on the clock there.
 */
export const tripDetailFields = {
  external_ref: Field.optional(Value.text(100)),
  po_number: Field.optional(Value.text(100)),
  cost_center: Field.optional(Value.text(100)),
  metadata: Field.emptyByDefault(metadata, {}),
  internal_notes: Field.optional(Value.text(maxInternalNotes)),
  vehicle_class: Field.optional(Value.oneOf(VehicleClass)),
  luggage_count: Field.optional(Value.wholeNumber(0, 10_000)),
  child_seats: Field.emptyByDefault(
    Value.listOf(Field.inputOf(childSeatFields), Field.storedOf(childSeatFields), 20),
    []
  ),
  pickup_sign: Field.optional(Value.text(200)),
  stops: Field.emptyByDefault(
    Value.listOf(Field.inputOf(stopFields), Field.storedOf(stopFields), maxStops),
    []
  ),
  passengers: Field.emptyByDefault(
    Value.listOf(Field.inputOf(passengerFields), Field.storedOf(passengerFields), 100),
    []
  ),
  booker_name: Field.optional(Value.text(200)),
  booker_email: Field.optional(Value.emailAddress),
  booker_phone: Field.optional(Value.text(40)),
  group_id: Field.optional(Value.text(100)),
  linked_trip_id: Field.optional(Value.id(TripId)),
  leg: Field.optional(Value.oneOf(Leg)),
  distance_m: Field.optional(Value.wholeNumber(0, 10_000_000)),
  pickup_timezone: { ...Field.optional(Value.timeZone), wire: Schema.String },
  pickup_local: Field.computed(Value.localTime.wire)
}

/** The details of a trip that has none. */
export const noDetails = {
  external_ref: null,
  po_number: null,
  cost_center: null,
  metadata: {},
  internal_notes: null,
  vehicle_class: null,
  luggage_count: null,
  child_seats: [],
  pickup_sign: null,
  stops: [],
  passengers: [],
  booker_name: null,
  booker_email: null,
  booker_phone: null,
  group_id: null,
  linked_trip_id: null,
  leg: null,
  distance_m: null,
  pickup_timezone: null
} as const
