/**
 * The limits of a plan, as pure functions. The caller counts under the lock of `PlanRepository.lock`, so that the counts
 * cannot change meanwhile.
 *
 * Only active cars and drivers count. A driver beyond the plan's limit takes a paid seat at the plan's current price. A
 * business has as many seats as drivers beyond the limit, so that it pays for no seat while an included place is free.
 */
import { Option, Result } from "effect"
import { PlanLimitExceeded, UsageLimitReached } from "../kernel/Errors.ts"
import { type Money, toMajor } from "../kernel/money/Money.ts"
import type { Plan } from "./Plan.ts"

/** Whether a business with `current` active cars may activate one more. */
export const allowCar = (plan: Pick<Plan, "cars">, current: number): Result.Result<void, UsageLimitReached> =>
  plan.cars === null || current < plan.cars
    ? Result.void
    : Result.fail(new UsageLimitReached({ resource: "cars", limit: plan.cars, current }))

/** Whether a business that raised `current` invoices in a month may raise one more in it. */
export const allowInvoice = (
  { currency, invoices: limit }: Pick<Plan, "invoices" | "currency">,
  current: number
): Result.Result<void, PlanLimitExceeded> =>
  limit === null || current < limit
    ? Result.void
    : Result.fail(
        new PlanLimitExceeded({
          resource: "invoices a month",
          limit,
          current,
          seatPrice: null,
          currency,
          requiresConfirmation: false
        })
      )

/** The number of a business's active drivers, and of the seats that it pays for. */
export interface DriverCount {
  readonly active: number
  readonly seats: number
}

/**
 * Whether a business may activate one more driver: `None` within the plan's limit; `Some` with the monthly price of a seat
 * if the plan sells seats and the caller has confirmed one.
 */
export const allowDriver = (
  plan: Pick<Plan, "drivers" | "seat_minor" | "currency">,
  { active, seats }: DriverCount,
  confirmSeat: boolean
): Result.Result<Option.Option<Money>, PlanLimitExceeded> => {
  const { currency, drivers: limit, seat_minor } = plan
  if (limit === null || active - seats < limit) return Result.succeed(Option.none())
  const price = seat_minor === null ? undefined : { minor: seat_minor, currency }
  if (price !== undefined && confirmSeat) return Result.succeed(Option.some(price))
  return Result.fail(
    new PlanLimitExceeded({
      resource: "drivers",
      limit,
      current: active,
      seatPrice: price === undefined ? null : toMajor(price),
      currency,
      requiresConfirmation: price !== undefined
    })
  )
}

/** The number of seats that a business no longer needs. */
export const surplusSeats = (plan: Pick<Plan, "drivers">, { active, seats }: DriverCount): number =>
  Math.max(0, plan.drivers === null ? seats : seats - Math.max(0, active - plan.drivers))
