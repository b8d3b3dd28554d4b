/** The plans of businesses, and what each one includes. */
import { Schema } from "effect"
import { Currency } from "../kernel/money/Currency.ts"

const limit = Schema.NullOr(Schema.Int)

/**
 * A plan and its limits, as stored. A null limit means no limit. `invoices` is the number per month; `seat_minor` is
 * the monthly price of a driver's seat beyond the limit, in minor units of `currency`, and null if the plan sells no
 * seats.
 */
export const Plan = Schema.Struct({
  plan_id: Schema.Int,
  cars: limit,
  drivers: limit,
  invoices: limit,
  seat_minor: limit,
  currency: Schema.toType(Currency)
})
export type Plan = typeof Plan.Type

/** The id of the seeded plan `fleet`: any number of cars and invoices, 50 drivers. */
export const fleetPlanId = 3
