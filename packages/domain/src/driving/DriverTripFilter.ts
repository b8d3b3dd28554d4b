/** The filters of a driver's list of jobs. */
import { Schema } from "effect"
import { AssignmentStatus } from "../trips/trip/Assignment.ts"

/**
 * The filters of a driver's trips. `upcoming`: `en_route`, or `assigned` and not over yet. `previous`: all others.
 * `status` is that of the driver's own assignment.
 */
export const DriverTripFilter = Schema.Struct({
  filter: Schema.optionalKey(Schema.Literals(["upcoming", "previous"])),
  status: Schema.optionalKey(AssignmentStatus)
})
export type DriverTripFilter = typeof DriverTripFilter.Type
