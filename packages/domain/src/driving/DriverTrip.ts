/**
 * A trip as its driver sees it (docs/api/driving.md). It has no field for the price, the payment
 * status or the customer's email, so that a driver cannot receive them.
 */
import { type DateTime, Schema } from "effect"
import type { AssignmentId, CarId, TripId } from "../kernel/Ids.ts"
import { rfc3339, wallClock } from "../kernel/time/WallClock.ts"
import { assignmentMachine, AssignmentStatus, type MilestoneReached } from "../trips/Assignment.ts"
import { MilestoneRecord } from "../trips/Trip.ts"
import { isDispatchable, TripStatus, TripType } from "../trips/TripStatus.ts"

/** A car as drivers see it. */
export interface DrivenCar {
  readonly car_id: CarId
  readonly name: string
  readonly plate_number: string | null
  readonly make: string | null
  readonly model: string | null
  readonly color: string | null
  readonly vehicle_class: string | null
  readonly seats: number | null
}

/** A trip and the driver's assignment to it; of several, the last. */
export interface DriverTrip {
  readonly trip_id: TripId
  readonly assignment_id: AssignmentId
  readonly reference: string
  readonly trip_status: TripStatus
  readonly status: AssignmentStatus
  readonly trip_type: TripType
  readonly trip_date: DateTime.Utc
  readonly duration_minutes: number | null
  readonly pickup_address: string
  readonly pickup_postal_code: string | null
  readonly pickup_lat: number | null
  readonly pickup_lng: number | null
  readonly dropoff_address: string
  readonly dropoff_postal_code: string | null
  readonly dropoff_lat: number | null
  readonly dropoff_lng: number | null
  readonly customer_name: string
  readonly customer_phone: string | null
  readonly car: DrivenCar | null
  readonly flight_number: string | null
  readonly terminal: string | null
  readonly participants_count: number | null
  readonly notes: string | null
  readonly special_requirements: string | null
  readonly milestones: ReadonlyArray<MilestoneReached>
  readonly created_at: DateTime.Utc
  readonly updated_at: DateTime.Utc
}

const text = Schema.NullOr(Schema.String)
const degrees = Schema.NullOr(Schema.Finite)

/** A car in a response to a driver. */
export const DrivenCarRecord = Schema.Struct({
  car_id: Schema.Int,
  name: Schema.String,
  plate_number: text,
  make: text,
  model: text,
  color: text,
  vehicle_class: text,
  seats: Schema.NullOr(Schema.Int)
})
export type DrivenCarRecord = typeof DrivenCarRecord.Type

/**
 * A trip in a response to a driver. `status` is that of the driver's assignment, `allowed_transitions` are the statuses
 * to which the driver may change it; `trip_status` is the trip's. `pickup_at` is on the business's clock.
 */
export const DriverTripRecord = Schema.Struct({
  trip_id: Schema.Int,
  reference: Schema.String,
  status: AssignmentStatus,
  allowed_transitions: Schema.Array(AssignmentStatus),
  trip_status: TripStatus,
  milestones: Schema.Array(MilestoneRecord),
  trip_type: TripType,
  trip_date: Schema.String,
  pickup_at: Schema.String,
  duration_minutes: Schema.NullOr(Schema.Int),
  pickup_address: Schema.String,
  pickup_postal_code: text,
  pickup_lat: degrees,
  pickup_lng: degrees,
  dropoff_address: Schema.String,
  dropoff_postal_code: text,
  dropoff_lat: degrees,
  dropoff_lng: degrees,
  customer_name: Schema.String,
  customer_phone: text,
  car: Schema.NullOr(DrivenCarRecord),
  flight_number: text,
  terminal: text,
  participants_count: Schema.NullOr(Schema.Int),
  notes: text,
  special_requirements: text,
  created_at: Schema.String,
  updated_at: Schema.String
})
export type DriverTripRecord = typeof DriverTripRecord.Type

/** The record of a driver's trip, on the clock of a business in `timezone`. */
export const driverTripRecord = (
  { assignment_id: _assignment, ...trip }: DriverTrip,
  timezone: string
): DriverTripRecord => ({
  ...trip,
  allowed_transitions: isDispatchable(trip.trip_status) ? assignmentMachine.next(trip.status, "driver") : [],
  milestones: trip.milestones.map(({ at, lat, lng, milestone }) => ({
    milestone,
    at: rfc3339(at),
    lat,
    lng
  })),
  trip_date: rfc3339(trip.trip_date),
  pickup_at: wallClock(trip.trip_date, timezone),
  created_at: rfc3339(trip.created_at),
  updated_at: rfc3339(trip.updated_at)
})

/**
 * A driver with the number of trips today (on the business's clock), upcoming and completed, the default car, and the
 * cars of the upcoming trips.
 */
export const DriverProfileRecord = Schema.Struct({
  driver_id: Schema.Int,
  name: Schema.String,
  business: Schema.Struct({ business_id: Schema.Int, business_name: Schema.String }),
  trips_today: Schema.Int,
  trips_upcoming: Schema.Int,
  trips_completed: Schema.Int,
  default_car: Schema.NullOr(DrivenCarRecord),
  upcoming_cars: Schema.Array(DrivenCarRecord)
})
export type DriverProfileRecord = typeof DriverProfileRecord.Type
