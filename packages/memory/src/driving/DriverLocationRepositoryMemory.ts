/** The domain's `DriverLocationRepository` in memory. It keeps the last position of an assignment. */
import {
  clockToleranceSeconds,
  DriverLocationRepository,
  isSuspended,
  isUnderWay,
  type LocationReport,
  Position,
  type RecordedReport,
  type Reporter
} from "@livery/domain"
import { DateTime, Effect } from "effect"
import { only, rowOf } from "../store/Fields.ts"
import { ascending, pageOf } from "../store/Pages.ts"
import type { AssignmentRow } from "../store/Rows.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(
  DriverLocationRepository,
  ({ assignments, businesses, drivers, positions, step, trips }) => {
    const isActive = ({ business_id, driver_id, trip_id }: AssignmentRow) => {
      const business = businesses.get(business_id)
      return (
        business !== undefined &&
        !isSuspended(business) &&
        rowOf(drivers, business_id, driver_id) !== undefined &&
        rowOf(trips, business_id, trip_id) !== undefined
      )
    }

    const underWay = (reporter: Reporter) =>
      assignments.where(
        (assignment) =>
          assignment.business_id === reporter.business_id &&
          assignment.driver_id === reporter.driver_id &&
          (reporter.assignment_id ?? assignment.assignment_id) === assignment.assignment_id &&
          isUnderWay(assignment) &&
          (reporter.token_hash === null ||
            (assignment.tokenHash === reporter.token_hash && isActive(assignment)))
      )

    const recordOne = ({ positions: reported, reporter }: LocationReport): RecordedReport => {
      const candidates = underWay(reporter)
      const tripIds = new Set<RecordedReport["trips"][number]>()
      let count = 0
      for (const position of reported) {
        const latest = DateTime.add(position.recorded_at, { seconds: clockToleranceSeconds })
        const matching = candidates.filter(
          ({ enRouteAt }) => enRouteAt !== null && DateTime.isLessThanOrEqualTo(enRouteAt, latest)
        )
        if (matching.length > 0) count += 1
        for (const { assignment_id, trip_id } of matching) {
          tripIds.add(trip_id)
          const last = positions.get(assignment_id)
          if (last === undefined || DateTime.isLessThanOrEqualTo(last.recorded_at, position.recorded_at))
            positions.set(assignment_id, { ...only(Position, position), assignment_id })
        }
      }
      return { positions: count, trips: [...tripIds].toSorted(ascending((tripId) => [tripId])) }
    }

    return {
      // Not as a step: the domain writes reports in a fiber of its own, for which the open transaction of a report may wait.
      record: (reports) => Effect.sync(() => reports.map(recordOne)),
      ofBusiness: (businessId, page) =>
        step(() => {
          const listed = assignments
            .where((assignment) => assignment.business_id === businessId && isUnderWay(assignment))
            .toSorted(ascending(({ assignment_id, driver_id }) => [driver_id, assignment_id]))
            .flatMap(({ assignment_id, driver_id, trip_id }) => {
              const position = positions.get(assignment_id)
              const driver_name = drivers.get(driver_id)?.name ?? ""
              return position === undefined
                ? []
                : [{ driver_id, driver_name, trip_id, assignment_id, ...only(Position, position) }]
            })
          return pageOf(listed, page)
        })
    }
  }
)
