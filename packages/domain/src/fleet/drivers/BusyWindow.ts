/** The window of a trip that a driver has a live assignment to. */
import * as Field from "../../kernel/fields/Field.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { TripId } from "../../kernel/Ids.ts"

const fields = {
  trip_id: Field.assigned(Value.id(TripId)),
  reference: Field.assigned(Value.unboundedText),
  from: Field.assigned(Value.instant),
  to: Field.assigned(Value.instant)
}

/** A busy window as stored. */
export const BusyWindow = Field.storedOf(fields)
export type BusyWindow = typeof BusyWindow.Type

/** A busy window in a response. */
export const BusyWindowRecord = Field.recordOf(fields)

/** The record of a busy window. */
export const busyWindowRecord = Field.encoderOf(fields)
