/** The bodies of requests that book, copy and change trips (docs/api/trips.md). */
import { Schema } from "effect"
import * as Field from "../kernel/fields/Field.ts"
import { oneOf } from "../kernel/fields/OneOf.ts"
import { omittable, yesOrNo } from "../kernel/fields/Optional.ts"
import * as Value from "../kernel/fields/Value.ts"
import { tripFields } from "./Trip.ts"
import { CancelReason, TripStatus } from "./TripStatus.ts"

/** Confirms that the trip clashes with another one of its drivers or its car. */
const force = Field.flag(yesOrNo(false))

/** The body of `POST /trips`. Fields that were not sent decode to null. */
export const TripInput = Field.inputOf({ ...tripFields, force })
export type TripInput = typeof TripInput.Type

/** The body of `POST /trips/{id}/duplicate`: the fields that differ from the copied trip. */
export const TripOverrides = Field.overridesOf({
  ...tripFields,
  force: Field.flag(Schema.optionalKey(Schema.NullOr(Schema.Boolean)))
})
export type TripOverrides = typeof TripOverrides.Type

/**
 * The body of `PATCH /trips/{id}`: at least one field beside `force`. A null `trip_type` becomes `transfer`, a null
 * `currency` the business's own; a null `status` or `cancel_reason` counts as absent. The reason and the fee belong to a
 * cancellation.
 */
export const TripChanges = Field.changesOf({
  ...tripFields,
  status: { change: omittable(oneOf(TripStatus)) },
  cancel_reason: { change: omittable(oneOf(CancelReason)) },
  cancellation_fee: Field.sentOrNull(Value.amount),
  force: Field.flag(Schema.optionalKey(Schema.NullOr(Schema.Boolean)))
})
export type TripChanges = typeof TripChanges.Type

/** The body of `POST /trips/{id}/reopen`. */
export const TripReopening = Schema.Struct({ reason: Value.text(500).required, force: yesOrNo(false) })
export type TripReopening = typeof TripReopening.Type
