/**
 * A trip as its driver sees it (docs/api/driving.md). It has no field for the price, the payment status, the office's
 * notes and references, or an email, so that a driver cannot receive them.
 */
import { DateTime, Schema } from "effect"
import { carFields } from "../fleet/cars/Car.ts"
import * as Field from "../kernel/fields/Field.ts"
import * as Value from "../kernel/fields/Value.ts"
import { AssignmentId } from "../kernel/Ids.ts"
import { wallClock } from "../kernel/time/WallClock.ts"
import { assignmentMachine, AssignmentStatus, isLive, isUnderWay } from "../trips/trip/Assignment.ts"
import { milestones } from "../trips/trip/Milestone.ts"
import { passengerFields } from "../trips/trip/TripDetails.ts"
import { Participants, participantsFields } from "../trips/trip/Participants.ts"
import { pickupZoneFields, tripFields } from "../trips/trip/Trip.ts"
import { isDispatchable, TripStatus } from "../trips/trip/TripStatus.ts"

const drivenCarFields = Field.seenBy(carFields, "drivers")

/** A car as drivers see it. */
export const DrivenCar = Field.storedOf(drivenCarFields)
export type DrivenCar = typeof DrivenCar.Type

/** A car in a response to a driver. */
export const DrivenCarRecord = Field.recordOf(drivenCarFields)
export type DrivenCarRecord = typeof DrivenCarRecord.Type

/** A passenger as drivers see one. */
const drivenPassengerFields = Field.seenBy(passengerFields, "drivers")

/**
 * The fields of a trip for its driver: those that say so (`readers`). `status` and `milestones` are those of the driver's
 * assignment, of several the last; `allowed_transitions` are the statuses to which the driver may change it. `trip_status` is
 * the trip's. `accepted_at` and `declined_at` are when the driver accepted or declined the job. `participants` are those of a tour, one for each confirmed booking. `pickup_pin_required` is whether the driver needs the passenger's code to report that the passenger is on board.
 */
const driverTripFields = {
  ...Field.seenBy(tripFields, "drivers"),
  assignment_id: Field.internal(Value.id(AssignmentId)),
  status: Field.assigned(Value.oneOf(AssignmentStatus)),
  allowed_transitions: Field.computed(Schema.Array(AssignmentStatus)),
  trip_status: Field.assigned(Value.oneOf(TripStatus)),
  pickup_pin_required: Field.assigned(Value.boolean),
  accepted_at: Field.assignedOrNull(Value.instant),
  declined_at: Field.assignedOrNull(Value.instant),
  milestones,
  car: { stored: Schema.NullOr(DrivenCar), wire: Schema.NullOr(DrivenCarRecord) },
  passengers: Field.list({
    stored: Field.storedOf(drivenPassengerFields),
    record: Field.recordOf(drivenPassengerFields),
    encode: Field.encoderOf(drivenPassengerFields)
  }),
  participants: Field.list({
    stored: Participants,
    record: Field.recordOf(participantsFields),
    encode: Field.encoderOf(participantsFields)
  })
}

/** A trip and the driver's assignment to it. */
export const DriverTrip = Field.storedOf(driverTripFields)
export type DriverTrip = typeof DriverTrip.Type

/** Whether a job is still to be done at `now`: it is under way, or it has not begun and its window has not ended. */
export const isUpcoming = (
  { ends, status }: { readonly status: AssignmentStatus; readonly ends: DateTime.Utc },
  now: DateTime.Utc
): boolean => isUnderWay({ status }) || (isLive({ status }) && DateTime.isGreaterThan(ends, now))

/** A trip in a response to its driver. */
export const DriverTripRecord = Field.recordOf(driverTripFields)
export type DriverTripRecord = typeof DriverTripRecord.Type

/** The record of a driver's trip, with local times in `timezone`. */
export const driverTripRecord = Field.encoderOf<typeof driverTripFields, string>(driverTripFields, {
  allowed_transitions: ({ status, trip_status }) =>
    isDispatchable(trip_status) ? assignmentMachine.next(status, "driver") : [],
  pickup_at: ({ trip_date }, timezone) => wallClock(trip_date, timezone),
  ...pickupZoneFields
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
