/** The plan that a business is on: how much of what it includes (specification, Limits). */
import type { Currency } from "../kernel/money/Currency.ts"

/** A plan's allowances. Null is without limit; a null `seat_minor` that it sells no further drivers' seats. */
export interface Plan {
  readonly plan_id: number
  readonly cars: number | null
  readonly drivers: number | null
  /** Invoices a month. */
  readonly invoices: number | null
  /** The price of a driver's seat beyond the allowance, a month, in minor units of `currency`. */
  readonly seat_minor: number | null
  readonly currency: Currency
}
