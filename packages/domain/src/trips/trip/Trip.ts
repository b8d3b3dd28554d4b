/** A trip: a ride from a pickup, at a place and a time, to a drop-off (docs/api/trips.md). */
import { type DateTime, Option, Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import { described, orNull } from "../../kernel/fields/Optional.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { AssignmentId, BusinessId, CarId, CustomerId, DriverId, InvoiceId, TripId } from "../../kernel/Ids.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import * as Money from "../../kernel/money/Money.ts"
import { wallClock } from "../../kernel/time/WallClock.ts"
import { Assignment, TripDriverRecord, tripDriverRecord } from "./Assignment.ts"
import {
  CancelReason,
  DriverStatus,
  operatorMoves,
  PaymentStatus,
  TripStatus,
  TripType
} from "./TripStatus.ts"
import { editableAfterEnd, nobody, ofCustomer, toAll, toDrivers, tripDetailFields } from "./TripDetails.ts"
import { maxDurationMinutes } from "./TripWindow.ts"

const amountOrNull = Schema.NullOr(Value.amount.wire)

/**
 * The fields of a trip.
 *
 * - `trip_date` is the instant of the pickup; `pickup_at` is the same in the business's time zone.
 * - `drivers` are the assignments that are not cancelled, in the order in which they were made; `driver_ids` are their
 *   drivers. `former_drivers` are the other assignments: the cancelled ones, and those from before the trip was
 *   reopened, whose ids are at most `reopened_after`. The record of a trip has all of them in `drivers`.
 * - `total_amount` and `cancellation_fee` are in major units of `currency`, and stored in minor units. The price is
 *   null until there is one.
 * - `cancelled_by` is the role that cancelled the trip: `operator`, `customer`, …
 * - A new trip needs no `customer_name` if it names a customer, whose name it then gets.
 */
export const tripFields = {
  trip_id: Field.says(toDrivers, Field.assigned(Value.id(TripId))),
  business_id: Field.internal(Value.id(BusinessId)),
  reference: Field.says({ ...toDrivers, person: "nobody" }, Field.assigned(Value.unboundedText)),
  status: Field.assigned(Value.oneOf(TripStatus)),
  driver_status: Field.assigned(Value.oneOf(DriverStatus)),
  payment_status: Field.says(editableAfterEnd, Field.assigned(Value.oneOf(PaymentStatus))),
  allowed_transitions: Field.says(nobody, Field.computed(Schema.Array(TripStatus))),
  trip_type: Field.says(toAll, Field.withDefault(Value.oneOf(TripType), "transfer" as const)),
  trip_date: Field.says(toAll, Field.required(Value.instant)),
  pickup_at: Field.says({ ...toDrivers, person: "nobody" }, Field.computed(Value.localTime.wire)),
  duration_minutes: Field.says(toAll, Field.optional(Value.wholeNumber(1, maxDurationMinutes))),
  pickup_address: ofCustomer(Field.required(Value.text(500))),
  pickup_postal_code: ofCustomer(Field.optional(Value.text(20))),
  pickup_lat: ofCustomer(Field.optional(Value.latitude)),
  pickup_lng: ofCustomer(Field.optional(Value.longitude)),
  dropoff_address: ofCustomer(Field.required(Value.text(500))),
  dropoff_postal_code: ofCustomer(Field.optional(Value.text(20))),
  dropoff_lat: ofCustomer(Field.optional(Value.latitude)),
  dropoff_lng: ofCustomer(Field.optional(Value.longitude)),
  customer_id: Field.optional(Value.id(CustomerId)),
  customer_name: ofCustomer({
    ...Field.required(Value.text(200)),
    input: orNull(Value.text(200).optional.pipe(described("Required unless `customer_id` is sent.")))
  }),
  customer_email: Field.says({ person: "customer", readers: ["public"] }, Field.optional(Value.emailAddress)),
  customer_phone: ofCustomer(Field.optional(Value.text(40))),
  car_id: Field.optional(Value.id(CarId)),
  driver_ids: Field.says(nobody, Field.computed(Schema.Array(Value.id(DriverId).wire))),
  drivers: Field.says(
    nobody,
    Field.list({ stored: Assignment, record: TripDriverRecord, encode: tripDriverRecord })
  ),
  former_drivers: Field.says(nobody, Field.internal({ stored: Schema.Array(Assignment) })),
  reopened_after: Field.internalOrNull(Value.id(AssignmentId)),
  total_amount: Field.says(
    { ...nobody, ...editableAfterEnd },
    { ...Field.sentOrNull(Value.amount), ...Field.computed(amountOrNull) }
  ),
  total_minor: Field.internalOrNull(Value.minorAmount),
  currency: Field.says({ ...nobody, ...editableAfterEnd }, Field.determined(Value.currency)),
  invoice_id: Field.internalOrNull(Value.id(InvoiceId)),
  flight_number: ofCustomer(Field.optional(Value.text(20))),
  terminal: ofCustomer(Field.optional(Value.text(50))),
  participants_count: Field.says(toAll, Field.optional(Value.wholeNumber(1, 10_000))),
  notes: Field.says({ ...toAll, ...editableAfterEnd, person: "anyone" }, Field.optional(Value.text(5000))),
  special_requirements: Field.says({ ...toAll, person: "anyone" }, Field.optional(Value.text(5000))),
  ...tripDetailFields,
  cancel_reason: Field.assignedOrNull(Value.oneOf(CancelReason)),
  cancelled_by: Field.says(nobody, Field.assignedOrNull(Value.unboundedText)),
  cancellation_fee: Field.says({ ...nobody, ...editableAfterEnd }, Field.computed(amountOrNull)),
  cancellation_fee_minor: Field.says({ isCopied: false }, Field.internalOrNull(Value.minorAmount)),
  cancelled_at: Field.assignedOrNull(Value.instant),
  completed_at: Field.assignedOrNull(Value.instant),
  created_at: Field.says(toDrivers, Field.assigned(Value.instant)),
  updated_at: Field.says(toDrivers, Field.assigned(Value.instant))
}

/** The fields of the office's books, which may change after the end of a trip. A change of only these sends no event. */
export const officeFields: ReadonlyArray<string> = Object.keys(
  Field.where(tripFields, ({ isEditableAfterEnd }) => isEditableAfterEnd === true)
)

/** A trip as stored. */
export const StoredTrip = Field.storedOf(tripFields)
type StoredTrip = typeof StoredTrip.Type

/** A trip as stored. `deleted_at` is set only to delete the trip: no repository returns a deleted one. */
export interface Trip extends StoredTrip {
  readonly deleted_at?: DateTime.Utc
}

/** The fields that only change after the booking, with their values in a new trip. */
const initialFields = {
  driver_status: "unassigned",
  invoice_id: null,
  cancel_reason: null,
  cancelled_by: null,
  cancellation_fee_minor: null,
  cancelled_at: null,
  completed_at: null,
  drivers: [],
  former_drivers: [],
  reopened_after: null
} as const satisfies Partial<Trip>

/** A trip that is not stored yet. */
export type NewTrip = Omit<StoredTrip, "trip_id" | "created_at" | "updated_at" | keyof typeof initialFields>

/** A new trip as it is once it is stored under its id. */
export const storedTrip = (trip: NewTrip, tripId: TripId, now: DateTime.Utc): Trip => ({
  ...trip,
  ...initialFields,
  trip_id: tripId,
  created_at: now,
  updated_at: now
})

/** The names of the fields of {@link NewTrip}. */
export const newTripFieldNames = Object.keys(StoredTrip.fields).filter(
  (name) => !["trip_id", "created_at", "updated_at", ...Object.keys(initialFields)].includes(name)
) as ReadonlyArray<keyof NewTrip>

/** The trip as it was before it was stored: without the fields that only change afterwards. */
export const newTripOf = (trip: Trip): NewTrip =>
  Object.fromEntries(newTripFieldNames.map((name) => [name, trip[name]])) as NewTrip

const tripRecordSchema = Field.recordOf(tripFields)
type RecordSchema = typeof tripRecordSchema

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface TripRecordSchema extends RecordSchema {}

/** A trip in responses and events. */
export const TripRecord: TripRecordSchema = tripRecordSchema
export type TripRecord = typeof TripRecord.Type

/**
 * The computed fields of a record about the zone of the pickup: its name, and the time on the clock there. Without a zone
 * of its own, a trip has the business's, `timezone`.
 */
export const pickupZoneFields = {
  pickup_timezone: ({ pickup_timezone }: Pick<StoredTrip, "pickup_timezone">, timezone: string): string =>
    pickup_timezone ?? timezone,
  pickup_local: (
    { pickup_timezone, trip_date }: Pick<StoredTrip, "pickup_timezone" | "trip_date">,
    timezone: string
  ): string => wallClock(trip_date, pickup_timezone ?? timezone)
}

/**
 * The time of a pickup as people read it, to the minute, on the clock of its place. `timezone` is the business's: another zone
 * is named.
 */
export const pickupText = (at: DateTime.Utc, pickup_timezone: string | null, timezone: string): string => {
  const zone = pickup_timezone ?? timezone
  const time = wallClock(at, zone).slice(0, 16)
  return zone === timezone ? time : `${time} (${zone})`
}

const recordWithoutFormerDrivers = Field.encoderOf<typeof tripFields, string>(tripFields, {
  allowed_transitions: ({ status }) => operatorMoves(status),
  pickup_at: ({ trip_date }, timezone) => wallClock(trip_date, timezone),
  ...pickupZoneFields,
  driver_ids: ({ drivers }) => drivers.map(({ driver_id }) => driver_id),
  total_amount: ({ currency, total_minor }) => Money.toMajorOrNull(total_minor, currency),
  tolls_amount: ({ currency, tolls_minor }) => Money.toMajorOrNull(tolls_minor, currency),
  cancellation_fee: ({ cancellation_fee_minor, currency }) =>
    Money.toMajorOrNull(cancellation_fee_minor, currency)
})

/** The price that a trip is charged: for a cancelled one its fee, in minor units. */
export const chargeOf = ({ cancellation_fee_minor, status, total_minor }: Trip): number =>
  (status === "cancelled" ? cancellation_fee_minor : total_minor) ?? 0

/** Every assignment that the trip ever had, in the order in which they were made. */
export const everyAssignment = ({
  drivers,
  former_drivers
}: Pick<Trip, "drivers" | "former_drivers">): ReadonlyArray<Assignment> =>
  former_drivers.length === 0
    ? drivers
    : [...former_drivers, ...drivers].toSorted((one, other) => one.assignment_id - other.assignment_id)

/** The record of a trip, with local times in `timezone`. */
export const tripRecord = (trip: Trip, timezone: string): TripRecord => {
  const record = recordWithoutFormerDrivers(trip, timezone)
  return trip.former_drivers.length === 0
    ? record
    : { ...record, drivers: everyAssignment(trip).map(tripDriverRecord) }
}

/**
 * A price in minor units of `currency`; `None` if it has more decimals than the currency or is too large, null without a
 * price.
 */
export const minorPriceOf = (amount: number | null, currency: Currency): Option.Option<number | null> =>
  amount === null ? Option.some(null) : Option.map(Money.fromMajor(amount, currency), ({ minor }) => minor)
