/** A trip with its new set of drivers. */
import { Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import type { DriverId } from "../../kernel/Ids.ts"
import { assignmentFields } from "../trip/Assignment.ts"
import { type Trip, tripRecord, TripRecord } from "../trip/Trip.ts"
import { TripWarning } from "../trip/TripWarning.ts"

/** A driver of the trip. The token is returned once, when the driver is added. */
const AssignmentDriverRecord = Schema.Struct({
  ...Field.recordOf(Field.pick(assignmentFields, ["driver_id", "name", "status", "car_id"])).fields,
  driver_token: Schema.NullOr(
    Schema.String.annotate({
      description:
        "The token for links to `/driver/*`; returned only when the driver is added, null afterwards."
    })
  )
})

/** The trip with its new set of drivers. */
export const AssignmentRecord = Schema.Struct({
  trip: TripRecord,
  drivers: Schema.Array(AssignmentDriverRecord),
  warnings: Schema.Array(TripWarning)
})
export type AssignmentRecord = typeof AssignmentRecord.Type

/** The record of a trip that was assigned, with the tokens of its new drivers and local times in `timezone`. */
export const assignmentRecord = (
  trip: Trip,
  tokenOf: ReadonlyMap<DriverId, string>,
  warnings: ReadonlyArray<TripWarning>,
  timezone: string
): AssignmentRecord => ({
  trip: tripRecord(trip, timezone),
  drivers: trip.drivers.map(({ car_id, driver_id, name, status }) => ({
    driver_id,
    name,
    status,
    car_id,
    driver_token: tokenOf.get(driver_id) ?? null
  })),
  warnings
})
