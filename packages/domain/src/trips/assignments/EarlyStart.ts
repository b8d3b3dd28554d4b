/** Starts long before the pickup, which are mostly slips on a phone. */
import { DateTime, Effect } from "effect"
import { ConfirmationRequired } from "../../kernel/Errors.ts"
import type { Assignment, AssignmentReport } from "../trip/Assignment.ts"
import type { Trip } from "../trip/Trip.ts"
import { ScheduleRepository } from "../schedule/ScheduleRepository.ts"

/**
 * Makes the check of a report: `ConfirmationRequired` for a start that is more than `early_start_minutes` of the business before
 * the pickup, unless the report has `force`.
 */
export const makeRequireTimelyStart = Effect.gen(function* () {
  const schedules = yield* ScheduleRepository

  return Effect.fnUntraced(function* (trip: Trip, assignment: Assignment, report: AssignmentReport) {
    if (report.status !== "en_route" || assignment.status !== "assigned" || report.force === true) return
    const { early_start_minutes } = yield* schedules.policy(trip.business_id)
    if (early_start_minutes === null) return
    const earliest = DateTime.subtract(trip.trip_date, { minutes: early_start_minutes })
    if (DateTime.isGreaterThanOrEqualTo(yield* DateTime.now, earliest)) return
    return yield* new ConfirmationRequired({
      reason: `The pickup is more than ${early_start_minutes} minutes away`,
      atStake: [{ trip_id: trip.trip_id }]
    })
  })
})
