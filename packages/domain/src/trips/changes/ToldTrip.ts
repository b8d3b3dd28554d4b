/**
 * The part of a trip that passengers, bookers and drivers are told. A change of anything else tells nobody. A mark of a changed
 * trip holds it as it was before the change (`NoticeMarks.ts`).
 */
import { Equal, Schema } from "effect"
import { AssignmentId, CarId, CustomerId, DriverId, TripId } from "../../kernel/Ids.ts"
import { rfc3339 } from "../../kernel/time/WallClock.ts"
import { isLive } from "../trip/Assignment.ts"
import { everyAssignment, type Trip } from "../trip/Trip.ts"
import { AssignmentStatus } from "../trip/Assignment.ts"
import { TripStatus } from "../trip/TripStatus.ts"
import { windowOf } from "../trip/TripWindow.ts"

const text = Schema.NullOr(Schema.String)

const Contact = Schema.Struct({ name: text, email: text, phone: text })

/**
 * A driver's assignment, as far as it is told. `car_id` is the car that the driver drives. `declined` is the reason of a driver who
 * declined, which may be empty.
 */
const ToldAssignment = Schema.Struct({
  assignment_id: AssignmentId,
  driver_id: DriverId,
  name: Schema.String,
  status: AssignmentStatus,
  car_id: Schema.NullOr(CarId),
  has_arrived: Schema.Boolean,
  declined: Schema.optionalKey(Schema.String)
})

/**
 * Fields that passengers are told. Times are RFC 3339.
 */
const ofPassengers = {
  trip_date: Schema.String,
  pickup_timezone: text,
  pickup_address: Schema.String,
  dropoff_address: Schema.String,
  stops: Schema.Array(Schema.String),
  flight_number: text,
  vehicle_class: text
}

/** Fields that only drivers are told. */
const ofDrivers = {
  duration_minutes: Schema.NullOr(Schema.Int),
  terminal: text,
  pickup_sign: text,
  notes: text,
  special_requirements: text,
  participants_count: Schema.NullOr(Schema.Int),
  luggage_count: Schema.NullOr(Schema.Int),
  child_seats: Schema.Array(Schema.String)
}

/** See above. `is_deleted` is true once the trip was deleted. */
export const ToldTrip = Schema.Struct({
  trip_id: TripId,
  reference: Schema.String,
  status: TripStatus,
  is_deleted: Schema.Boolean,
  ends_at: Schema.String,
  customer_id: Schema.NullOr(CustomerId),
  total_minor: Schema.NullOr(Schema.Int),
  currency: Schema.String,
  ...ofPassengers,
  ...ofDrivers,
  customer: Contact,
  booker: Contact,
  passengers: Schema.Array(Contact),
  drivers: Schema.Array(ToldAssignment)
})
export type ToldTrip = typeof ToldTrip.Type

/** What a trip tells. */
export const toldTrip = (trip: Trip): ToldTrip => ({
  trip_id: trip.trip_id,
  reference: trip.reference,
  status: trip.status,
  is_deleted: trip.deleted_at !== undefined,
  ends_at: rfc3339(windowOf(trip).ends),
  customer_id: trip.customer_id,
  total_minor: trip.total_minor,
  currency: trip.currency,
  trip_date: rfc3339(trip.trip_date),
  pickup_timezone: trip.pickup_timezone,
  pickup_address: trip.pickup_address,
  dropoff_address: trip.dropoff_address,
  stops: trip.stops.map(({ address }) => address),
  flight_number: trip.flight_number,
  vehicle_class: trip.vehicle_class,
  duration_minutes: trip.duration_minutes,
  terminal: trip.terminal,
  pickup_sign: trip.pickup_sign,
  notes: trip.notes,
  special_requirements: trip.special_requirements,
  participants_count: trip.participants_count,
  luggage_count: trip.luggage_count,
  child_seats: trip.child_seats.map(({ count, type }) => `${count} ${type}`),
  customer: { name: trip.customer_name, email: trip.customer_email, phone: trip.customer_phone },
  booker: { name: trip.booker_name, email: trip.booker_email, phone: trip.booker_phone },
  passengers: trip.passengers.map(({ email, name, phone }) => ({ name, email, phone })),
  drivers: everyAssignment(trip).map((assignment) => ({
    assignment_id: assignment.assignment_id,
    driver_id: assignment.driver_id,
    name: assignment.name,
    status: assignment.status,
    car_id: assignment.car_id ?? trip.car_id,
    has_arrived: assignment.milestones.some(({ milestone }) => milestone === "arrived_at_pickup"),
    ...(assignment.declined_at === null ? {} : { declined: assignment.decline_reason ?? "" })
  }))
})

const differs = <K extends keyof ToldTrip>(one: ToldTrip, other: ToldTrip, names: ReadonlyArray<K>) =>
  names.filter((name) => !Equal.equals(one[name], other[name]))

/** The names of the fields that passengers are told and that differ. */
export const changesForPassengers = (before: ToldTrip, after: ToldTrip): ReadonlyArray<keyof ToldTrip> =>
  differs(before, after, Object.keys(ofPassengers) as ReadonlyArray<keyof typeof ofPassengers>)

/** The names of the fields that drivers are told and that differ. */
export const changesForDrivers = (before: ToldTrip, after: ToldTrip): ReadonlyArray<keyof ToldTrip> => [
  ...changesForPassengers(before, after),
  ...differs(before, after, Object.keys(ofDrivers) as ReadonlyArray<keyof typeof ofDrivers>),
  ...differs(before, after, ["customer", "passengers"])
]

/** Whether a driver is needed for the trip or was: only then may the change concern a driver. */
export const hasLiveDriver = ({ drivers }: ToldTrip): boolean => drivers.some(isLive)

/** Whether the change may have to be told. */
export const isTold = (before: ToldTrip, after: ToldTrip): boolean =>
  before.status !== after.status ||
  before.is_deleted !== after.is_deleted ||
  !Equal.equals(before.drivers, after.drivers) ||
  changesForDrivers(before, after).length > 0

/** The drivers who declined the trip by the change. */
export const newlyDeclined = (before: ToldTrip, after: ToldTrip): ToldTrip["drivers"] => {
  const earlier = new Set(
    before.drivers.flatMap(({ assignment_id, declined }) => (declined === undefined ? [] : [assignment_id]))
  )
  return after.drivers.filter(
    ({ assignment_id, declined }) => declined !== undefined && !earlier.has(assignment_id)
  )
}

/**
 * Whether a change is told without a quiet time: a driver started, arrived or ended the ride, for which the passenger waits, or
 * declined it, so that the office needs another driver.
 */
export const isUrgent = (before: ToldTrip, after: ToldTrip): boolean =>
  (after.status === "completed" && before.status !== "completed") ||
  newlyDeclined(before, after).length > 0 ||
  after.drivers.some((driver) => {
    const earlier = before.drivers.find(({ assignment_id }) => assignment_id === driver.assignment_id)
    return (
      (driver.status === "en_route" && earlier?.status !== "en_route") ||
      (driver.has_arrived && earlier?.has_arrived !== true)
    )
  })
