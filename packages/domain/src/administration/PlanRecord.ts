/** The plans that businesses subscribe to, as super-admins see them. */
import { Schema } from "effect"
import * as Field from "../kernel/fields/Field.ts"
import * as Value from "../kernel/fields/Value.ts"
import { type Currency } from "../kernel/money/Currency.ts"
import { toMajor } from "../kernel/money/Money.ts"

const limit = Field.assigned(Value.unchanged(Schema.NullOr(Schema.Int)))

/**
 * The fields of a plan. A null limit means no limit. `invoices` is the number per month; `seat_price` is the monthly price
 * of a driver's seat beyond the limit, in major units, and null if the plan sells no seats.
 */
export const planFields = Field.ofNobody({
  plan_id: Field.assigned(Value.wholeNumber(1, 2_147_483_647)),
  code: Field.assigned(Value.unboundedText),
  name: Field.assigned(Value.unboundedText),
  cars: limit,
  drivers: limit,
  invoices: limit,
  seat_minor: Field.internalOrNull(Value.minorAmount),
  seat_price: Field.computed(Schema.NullOr(Value.amount.wire)),
  currency: Field.assigned(Value.currency),
  active: Field.assigned(Value.boolean)
})

/** A plan as stored, with its name. */
export const ListedPlan = Field.storedOf(planFields)
export type ListedPlan = typeof ListedPlan.Type

/** A plan in a response. */
export const PlanRecord = Field.recordOf(planFields)
export type PlanRecord = typeof PlanRecord.Type

const seatPriceOf = ({
  currency,
  seat_minor
}: {
  readonly seat_minor: number | null
  readonly currency: Currency
}) => (seat_minor === null ? null : toMajor({ minor: seat_minor, currency }))

/** The record of a plan. */
export const planRecord = Field.encoderOf<typeof planFields, void>(planFields, { seat_price: seatPriceOf })
