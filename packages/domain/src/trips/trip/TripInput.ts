/** The bodies of requests that book, copy and change trips (docs/api/trips.md). */
import { Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { omittable, yesOrNo } from "../../kernel/fields/Optional.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { namedByCustomer } from "./NamedByCustomer.ts"
import { tripFields } from "./Trip.ts"
import { CancelReason, TripStatus } from "./TripStatus.ts"

/** Confirms that the trip clashes with another one of its drivers or its car. */
const force = Field.flag(yesOrNo(false))

const tripInput = Field.inputOf({ ...tripFields, force }).check(namedByCustomer)
type Input = typeof tripInput

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface TripInputSchema extends Input {}

/** The body of `POST /trips`. Fields that were not sent decode to null, lists to empty ones. */
export const TripInput: TripInputSchema = tripInput
export type TripInput = typeof TripInput.Type

const tripOverrides = Field.overridesOf({
  ...tripFields,
  force: Field.flag(Schema.optionalKey(Schema.NullOr(Schema.Boolean)))
})
type Overrides = typeof tripOverrides

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface TripOverridesSchema extends Overrides {}

/** The body of `POST /trips/{id}/duplicate`: the fields that differ from the copied trip. */
export const TripOverrides: TripOverridesSchema = tripOverrides
export type TripOverrides = typeof TripOverrides.Type

const tripChanges = Field.changesOf({
  ...tripFields,
  status: { change: omittable(oneOf(TripStatus)) },
  cancel_reason: { change: omittable(oneOf(CancelReason)) },
  cancellation_fee: Field.sentOrNull(Value.amount),
  force: Field.flag(Schema.optionalKey(Schema.NullOr(Schema.Boolean))),
  dry_run: Field.flag(
    Schema.optionalKey(
      Schema.NullOr(Schema.Boolean).annotate({
        description: "`true`: the response is that of the change, but nothing is changed."
      })
    )
  ),
  email: Field.flag(Schema.optionalKey(Schema.NullOr(Schema.Boolean)))
})
type Changes = typeof tripChanges

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface TripChangesSchema extends Changes {}

/**
 * The body of `PATCH /trips/{id}`: at least one field beside `force`, `dry_run` and `email`. With `email: false`, the customer of a
 * ride that is confirmed or cancelled gets no email. A null `status` or `cancel_reason` counts as absent. The reason and
 * the fee belong to a cancellation.
 */
export const TripChanges: TripChangesSchema = tripChanges
export type TripChanges = typeof TripChanges.Type

/** The body of `POST /trips/{id}/reopen`. */
export const TripReopening = Schema.Struct({ reason: Value.text(500).required, force: yesOrNo(false) })
export type TripReopening = typeof TripReopening.Type
