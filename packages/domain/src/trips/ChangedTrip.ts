/** A booked or changed trip in a response, with the warnings about it. */
import { Schema } from "effect"
import { TripRecord } from "./Trip.ts"
import { TripWarning } from "./TripWarning.ts"

const changedTrip = Schema.Struct({ ...TripRecord.fields, warnings: Schema.Array(TripWarning) })
type ChangedTrip = typeof changedTrip

/**
 * The schema with a name of its own. Without it, the declarations of its users would repeat all fields, which is too
 * long for the compiler.
 */
export interface ChangedTripSchema extends ChangedTrip {}

/** A booked or changed trip with its warnings; for a change, only those about the changed fields. */
export const ChangedTripRecord: ChangedTripSchema = changedTrip
export type ChangedTripRecord = typeof ChangedTripRecord.Type
