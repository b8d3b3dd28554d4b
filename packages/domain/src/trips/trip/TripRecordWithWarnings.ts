/** A booked or changed trip in a response, with the warnings about it. */
import { Schema } from "effect"
import { TripRecord } from "./Trip.ts"
import { TripWarning } from "./TripWarning.ts"

const changedTrip = Schema.Struct({ ...TripRecord.fields, warnings: Schema.Array(TripWarning) })
type ChangedTrip = typeof changedTrip

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface TripRecordWithWarningsSchema extends ChangedTrip {}

/** A booked or changed trip with its warnings; for a change, only those about the changed fields. */
export const TripRecordWithWarnings: TripRecordWithWarningsSchema = changedTrip
export type TripRecordWithWarnings = typeof TripRecordWithWarnings.Type
