/** The plans of businesses, and what each one includes. */
import type { Currency } from "../kernel/money/Currency.ts"

/** A plan and its limits. A null limit is none. */
export interface Plan {
  readonly plan_id: number
  readonly cars: number | null
  readonly drivers: number | null
  /** Invoices per month. */
  readonly invoices: number | null
  /** The monthly price of a driver's seat beyond the limit, in minor units of `currency`; null if it sells no seats. */
  readonly seat_minor: number | null
  readonly currency: Currency
}
