/** The data of a trip's events. */
import type { EmittedEventType } from "../../events/EventType.ts"
import { type Trip, tripRecord } from "../trip/Trip.ts"
import { changedDrivers, driverIdsOf } from "./TripRules.ts"

/** The data of an event about a trip that changed from `before` to `after`. */
export const eventDataOf = (
  type: EmittedEventType,
  before: Trip,
  after: Trip,
  timezone: string
): Readonly<Record<string, unknown>> => {
  const changed = changedDrivers(before, after)
  if (type === "driver.assigned") {
    const assignments = after.drivers.map(({ car_id, driver_id }) => ({ driver_id, car_id }))
    return { trip_id: after.trip_id, driver_ids: driverIdsOf(after), assignments, ...changed }
  }
  const record = tripRecord(after, timezone)
  return type === "trip.cancelled" ? { ...record, removed_driver_ids: changed.removed_driver_ids } : record
}
