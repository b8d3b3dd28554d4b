/** The plans in memory. */
import { Currency, type ListedPlan } from "@livery/domain"

const currency = Currency.make("USD")

/** The plans of a new installation. */
export const plans: ReadonlyArray<ListedPlan> = [
  { plan_id: 1, code: "free", name: "Free", cars: 2, drivers: 2, invoices: 10, seat_minor: null },
  { plan_id: 2, code: "pro", name: "Pro", cars: 20, drivers: 10, invoices: 500, seat_minor: 1500 },
  { plan_id: 3, code: "fleet", name: "Fleet", cars: null, drivers: 50, invoices: null, seat_minor: 1000 }
].map((plan) => ({ ...plan, currency, active: true }))
