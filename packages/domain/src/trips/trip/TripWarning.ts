/** The warnings of a trip, each with the ids of the driver, the car, the absence or the other trip that it is about. */
import { Schema } from "effect"

/**
 * The problems that a trip can have.
 *
 * - `schedule_clash`, `car_clash`: the driver or the car has another trip at the same time.
 * - `driver_absent`: the driver is away at the time of the trip.
 * - `no_time_to_drive`: the driver or the car cannot get from one trip to the other in time.
 * - `license_expired`: the driver's licence expires before the trip ends.
 * - `refused_driver`: the trip's customer refuses the driver.
 * - `too_few_seats`: the cars of the trip together have fewer seats than it has passengers.
 * - `other_vehicle_class`: a car of the trip has another class than the one that was ordered.
 * - `likely_duplicate`: another trip has the same pickup time, address and passenger.
 * - `price_outdated`: the change alters an input of the price that a tariff gave the trip. The price stays until the trip is
 *   priced again. Only the response to a change has it.
 * - On the dispatch board also `unassigned`, `late_start`, `driver_inactive` and `car_inactive`.
 */
export const TripWarningType = Schema.Literals([
  "unassigned",
  "late_start",
  "schedule_clash",
  "car_clash",
  "driver_inactive",
  "car_inactive",
  "too_few_seats",
  "other_vehicle_class",
  "driver_absent",
  "no_time_to_drive",
  "license_expired",
  "refused_driver",
  "likely_duplicate",
  "price_outdated"
])

/** A problem of a trip. */
export const TripWarning = Schema.Struct({
  type: TripWarningType,
  driver_id: Schema.optionalKey(Schema.Int),
  car_id: Schema.optionalKey(Schema.Int),
  trip_id: Schema.optionalKey(Schema.Int),
  absence_id: Schema.optionalKey(Schema.Int)
})
export type TripWarning = typeof TripWarning.Type
