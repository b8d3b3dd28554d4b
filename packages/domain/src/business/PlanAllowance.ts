/**
 * What a plan allows (specification, Errors; `usage_limit_reached`, `plan_limit_exceeded`). Pure: the counts are of
 * the caller, who holds them still (`PlanRepository.hold`).
 *
 * Only what is active counts. A driver beyond those that the plan includes takes a seat, at the plan's price of that
 * day; a business keeps as many seats as it has drivers beyond the plan, so that none is paid for while an included
 * place is free.
 */
import { Option, Result } from "effect"
import { PlanLimitExceeded, UsageLimitReached } from "../kernel/Errors.ts"
import { type Money, toMajor } from "../kernel/money/Money.ts"
import type { Plan } from "./Plan.ts"

/** Whether a business with `current` active cars may have one more. */
export const allowCar = (plan: Pick<Plan, "cars">, current: number): Result.Result<void, UsageLimitReached> =>
  plan.cars === null || current < plan.cars
    ? Result.void
    : Result.fail(new UsageLimitReached({ resource: "cars", limit: plan.cars, current }))

/** Where a business stands with its drivers: how many are active, and how many seats it pays for. */
export interface DriverCount {
  readonly active: number
  readonly seats: number
}

/**
 * Whether a business may have one more active driver: within the plan (`None`), or with a seat at that price a month
 * (`Some`), if that was confirmed and the plan sells any.
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

/** How many of its seats a business no longer needs. */
export const surplusSeats = (plan: Pick<Plan, "drivers">, { active, seats }: DriverCount): number =>
  Math.max(0, plan.drivers === null ? seats : seats - Math.max(0, active - plan.drivers))
