/** The port that stores the seats that a business pays for beyond its plan's drivers. */
import { Context, type DateTime, type Effect } from "effect"
import type { DriverCount } from "../../business/PlanAllowance.ts"
import type { BusinessId, DriverId } from "../../kernel/Ids.ts"
import type { Money } from "../../kernel/money/Money.ts"

/**
 * Lock the plan first (`PlanRepository.lock`).
 *
 * - `count`: the number of the business's active drivers, and of its seats.
 * - `take`: adds a seat for a driver at this price per month.
 * - `end`: ends `count` seats: first that of `driverId`, then the newest.
 */
export class SeatRepository extends Context.Service<
  SeatRepository,
  {
    readonly count: (businessId: BusinessId) => Effect.Effect<DriverCount>
    readonly take: (
      businessId: BusinessId,
      driverId: DriverId,
      price: Money,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    readonly end: (
      businessId: BusinessId,
      count: number,
      driverId: DriverId | undefined,
      now: DateTime.Utc
    ) => Effect.Effect<void>
  }
>()("@livery/domain/SeatRepository") {}
