/** The optional fields of the trade that a trip has beside its pickup, its drop-off and its passenger. */
import { Schema } from "effect"
import { VehicleClass } from "../../kernel/VehicleClass.ts"
import * as Field from "../../kernel/fields/Field.ts"
import { emptyOf } from "../../kernel/fields/Personal.ts"
import { metadata } from "../../kernel/fields/Metadata.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { TripId } from "../../kernel/Ids.ts"
import { taxTermsFields } from "../../kernel/money/Taxes.ts"
import { FlightStatus } from "./FlightStatus.ts"
import { rideInputFields } from "./RideInputs.ts"

/** A trip has at most this many stops between its pickup and its drop-off. */
export const maxStops = 50

/** The most characters of the internal notes of a trip. */
export const maxInternalNotes = 5000

/** The most seats for children of one type. A fare request has the same limit, so that each priced ride can be booked. */
export const maxChildSeats = 100

/** The longest distance of a trip, in metres. */
export const longestDistance = 10_000_000

/** What several fields say about themselves. */
export const toDrivers = { readers: ["drivers"] } as const
export const toAll = { readers: ["drivers", "public"] } as const
export const nobody = { person: "nobody" } as const
export const editableAfterEnd = { isEditableAfterEnd: true } as const

/** Personal data of the customer that drivers receive and visitors of the booking page may write. */
export const ofCustomer = <F extends Field.Field>(field: F) =>
  Field.says({ ...toAll, person: "customer" }, field)

/** A list of records, never null. */
const listOf = <F extends Field.Fields, A, I>(fields: F, item: Schema.Codec<A, I>, most: number) => ({
  ...Field.emptyByDefault(Value.listOf(item, Field.storedOf(fields), most), []),
  itemFields: fields
})

/** A stop on the way. `minutes` is how long the car waits there, `contact` the person to call. */
const stopFields = {
  address: ofCustomer(Field.required(Value.text(500))),
  lat: ofCustomer(Field.optional(Value.latitude)),
  lng: ofCustomer(Field.optional(Value.longitude)),
  contact: ofCustomer(Field.optional(Value.text(200))),
  minutes: Field.optional(Value.wholeNumber(0, 44_640))
}

/** Seats for children: how many of a type, such as `infant` or `booster`. */
const childSeatFields = {
  type: ofCustomer(Field.required(Value.text(50))),
  count: Field.required(Value.wholeNumber(1, maxChildSeats))
}

/** A passenger. Drivers do not receive the email. */
export const passengerFields = {
  name: Field.says({ ...toDrivers, person: "passenger" }, Field.required(Value.text(200))),
  phone: Field.says({ ...toDrivers, person: "passenger" }, Field.optional(Value.text(40))),
  email: Field.says({ person: "passenger" }, Field.optional(Value.emailAddress))
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
 * - `taxes` are those of the price, and `tax_included` says whether the price contains them; null leaves both to the tariff
 *   and the business.
 * - `arrival` to `tolls_amount` are inputs of the price alone: see {@link rideInputFields}.
 * - `flight_status` is what is known of the flight; a change of it alone sends no event.
 * - `pickup_timezone` is the zone of the place of the pickup; `pickup_local` is the time on the clock there.
 */
export const tripDetailFields = {
  external_ref: Field.says({ person: "customer", isCopied: false }, Field.optional(Value.text(100))),
  po_number: Field.says({ person: "customer", ...editableAfterEnd }, Field.optional(Value.text(100))),
  cost_center: Field.says({ person: "customer", ...editableAfterEnd }, Field.optional(Value.text(100))),
  metadata: Field.says({ person: "anyone" }, Field.emptyByDefault(metadata, {})),
  internal_notes: Field.says(
    { person: "anyone", ...editableAfterEnd },
    Field.optional(Value.text(maxInternalNotes))
  ),
  vehicle_class: Field.says(toAll, Field.optional(Value.oneOf(VehicleClass))),
  luggage_count: Field.says(toAll, Field.optional(Value.wholeNumber(0, 10_000))),
  child_seats: ofCustomer(listOf(childSeatFields, Field.inputOf(childSeatFields), 20)),
  pickup_sign: Field.says({ ...toAll, person: "anyone" }, Field.optional(Value.text(200))),
  stops: ofCustomer(listOf(stopFields, Field.inputOf(stopFields), maxStops)),
  passengers: Field.says(
    { person: "passenger" },
    listOf(passengerFields, Field.inputOf(passengerFields), 100)
  ),
  booker_name: Field.says({ person: "booker" }, Field.optional(Value.text(200))),
  booker_email: Field.says({ person: "booker" }, Field.optional(Value.emailAddress)),
  booker_phone: Field.says({ person: "booker" }, Field.optional(Value.text(40))),
  group_id: Field.says({ person: "customer" }, Field.optional(Value.text(100))),
  linked_trip_id: Field.says({ isCopied: false }, Field.optional(Value.id(TripId))),
  leg: Field.says({ isCopied: false }, Field.optional(Value.oneOf(Leg))),
  taxes: Field.says(editableAfterEnd, taxTermsFields.taxes),
  tax_included: Field.says(editableAfterEnd, taxTermsFields.tax_included),
  distance_m: Field.says(toDrivers, Field.optional(Value.wholeNumber(0, longestDistance))),
  ...rideInputFields,
  flight_status: Field.says(
    { ...toDrivers, ...nobody, ...editableAfterEnd, isCopied: false },
    Field.assignedOrNull(Value.unchanged(FlightStatus))
  ),
  pickup_timezone: Field.says(
    { ...toDrivers, person: "nobody" },
    { ...Field.optional(Value.timeZone), wire: Schema.String }
  ),
  pickup_local: Field.says({ ...toDrivers, person: "nobody" }, Field.computed(Value.localTime.wire))
}

/** The details of a trip that has none. */
export const noDetails = emptyOf(tripDetailFields)
