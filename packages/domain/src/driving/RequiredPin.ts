/** Checks the code that a passenger told the driver. */
import { Effect } from "effect"
import { Conflict, InvalidInput } from "../kernel/Errors.ts"
import type { BusinessId, TripId } from "../kernel/Ids.ts"
import { RateCounters } from "../kernel/counters/RateCounters.ts"
import { pickupPinOf } from "../tracking/PickupPin.ts"
import { TrackingRepository } from "../tracking/TrackingRepository.ts"
import type { AssignmentReport } from "../trips/trip/Assignment.ts"
import type { MilestoneReached } from "../trips/trip/Milestone.ts"

/** How many codes may be tried for a trip in a minute. All 10,000 would take two days. */
const pinAttempts = 3

/**
 * Makes the check of a driver's report that the passenger is on board, if the trip has a code: `InvalidInput` without it or
 * with a wrong one, `Conflict` after {@link pinAttempts}. `reached` looks up the milestones of the job: a repeated report needs
 * no code. The attempts are counted even if the report is refused.
 */
export const makeRequirePin = Effect.gen(function* () {
  const trips = yield* TrackingRepository
  const counters = yield* RateCounters

  return Effect.fnUntraced(function* <E>(
    businessId: BusinessId,
    tripId: TripId,
    { milestone, pickup_pin = null, undo }: AssignmentReport,
    reached: Effect.Effect<ReadonlyArray<MilestoneReached>, E>
  ) {
    if (milestone !== "passenger_on_board" || undo === true) return
    const [trip] = yield* trips.find(businessId, [tripId])
    const pin = trip === undefined ? null : pickupPinOf(trip)
    if (pin === null || (yield* reached).some((one) => one.milestone === milestone)) return
    if (pickup_pin === null)
      return yield* new InvalidInput({
        issues: [{ field: "pickup_pin", issue: "required" }],
        advice: "The passenger has a code of four digits on the tracking page"
      })
    const { used } = yield* counters.count(`pickup_pin:${businessId}/${tripId}`, pinAttempts)
    if (used > pinAttempts)
      return yield* new Conflict({
        reason:
          "Too many codes were tried. Wait a minute, or ask the office to report the passenger on board: it needs no code"
      })
    if (pickup_pin !== pin)
      return yield* new InvalidInput({
        issues: [{ field: "pickup_pin", issue: "invalid" }],
        advice: "This is not the passenger's code: ask for the code on the passenger's tracking page"
      })
  })
})
