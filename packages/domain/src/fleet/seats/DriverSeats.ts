/** The seats that a business pays for when the number of its active drivers changes. */
import { DateTime, Effect, Option } from "effect"
import { allowDriver, surplusSeats } from "../../business/PlanAllowance.ts"
import { PlanRepository } from "../../business/PlanRepository.ts"
import type { BusinessId, DriverId } from "../../kernel/Ids.ts"
import { SeatRepository } from "./SeatRepository.ts"
import { SeatSubscriptions } from "./SeatSubscriptions.ts"

/**
 * Both run in the caller's transaction.
 *
 * - `allowOneMore`: locks the plan and checks that it allows one more active driver. If the driver needs a seat, it checks
 *   that the seat is paid under `lease`, and returns its price.
 * - `endSurplus`: ends the seats that are no longer needed after a change of the drivers or of the plan, first that of the
 *   driver who is no longer active.
 */
export const makeDriverSeats = Effect.gen(function* () {
  const plans = yield* PlanRepository
  const seats = yield* SeatRepository
  const subscriptions = yield* SeatSubscriptions

  const allowOneMore = Effect.fnUntraced(function* (
    businessId: BusinessId,
    confirmSeat: boolean,
    lease: number | undefined
  ) {
    const plan = yield* plans.lock(businessId)
    const count = yield* seats.count(businessId)
    const seat = yield* Effect.fromResult(allowDriver(plan, count, confirmSeat))
    if (Option.isSome(seat)) yield* subscriptions.requirePaid(businessId, lease)
    return seat
  })

  const endSurplus = Effect.fnUntraced(function* (businessId: BusinessId, driverId?: DriverId) {
    const surplus = surplusSeats(yield* plans.lock(businessId), yield* seats.count(businessId))
    if (surplus === 0) return
    yield* seats.end(businessId, surplus, driverId, yield* DateTime.now)
    yield* subscriptions.scheduleReconciliation(businessId)
  })

  return { allowOneMore, endSurplus }
})
