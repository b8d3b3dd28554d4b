/** The participants of a tour on the trip that their bookings share. */
import * as Field from "../../kernel/fields/Field.ts"
import * as Value from "../../kernel/fields/Value.ts"

/**
 * The participants of one booking, for the driver: who booked, for how many, and the booking's own pickup address. They are read
 * from the bookings, so that the trip never has old ones.
 */
export const participantsFields = {
  name: Field.says({ person: "customer" }, Field.assigned(Value.text(200))),
  phone: Field.says({ person: "customer" }, Field.assignedOrNull(Value.text(40))),
  count: Field.assigned(Value.wholeNumber(1, 10_000)),
  pickup_address: Field.says({ person: "customer" }, Field.assignedOrNull(Value.text(500)))
}

/** The participants of one booking as stored. */
export const Participants = Field.storedOf(participantsFields)
export type Participants = typeof Participants.Type
