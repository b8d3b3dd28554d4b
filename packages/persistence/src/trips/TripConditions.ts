/**
 * SQL for the domain's predicates on statuses and windows. Each condition has the name of the domain's function; a test
 * compares both on PostgreSQL.
 */
import * as Domain from "@livery/domain"
import type { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { instant } from "../sql/rows/Rows.ts"
import { inStates } from "../sql/rows/States.ts"

const { assignmentMachine, tripMachine } = Domain

const assignmentsThat = (predicate: (assignment: Pick<Domain.Assignment, "status">) => boolean) =>
  inStates(assignmentMachine, (status) => predicate({ status }))

// Conditions on the status of a trip, to be written after the column.

/** The trip has not ended. */
export const isOpenTrip = inStates(tripMachine, Domain.isOpenTrip)

/** The trip is not cancelled. */
export const isNotCancelled = inStates(tripMachine, Domain.isNotCancelled)

/** The dispatch board lists the trip. */
export const isListedOnBoard = inStates(tripMachine, Domain.isListedOnBoard)

/** The trip was started. */
export const isStarted = inStates(tripMachine, Domain.isStarted)

// Conditions on the status of an assignment, to be written after the column.

/** The assignment has not ended. */
export const isLive = assignmentsThat(Domain.isLive)

/** The driver belongs to the trip. */
export const isOnTrip = assignmentsThat(Domain.isOnTrip)

/** The driver is under way. */
export const isUnderWay = assignmentsThat(Domain.isUnderWay)

/** Two SQL expressions for the instants of a window. */
interface SqlWindow {
  readonly starts: string
  readonly ends: string
}

/** Whether two windows overlap. */
export const overlaps = (left: SqlWindow, right: SqlWindow): string =>
  `${left.starts} < ${right.ends} AND ${right.starts} < ${left.ends}`

/** The window of an assignment called `alias`. */
export const windowOfAssignment = (alias: string): SqlWindow => ({
  starts: `${alias}.trip_date`,
  ends: `${alias}.trip_ends_at`
})

/** The window of a trip called `alias`. */
export const windowOf = (alias: string): SqlWindow => ({
  starts: `${alias}.trip_date`,
  ends: `${alias}.trip_date + make_interval(mins => coalesce(${alias}.duration_minutes, ${Domain.defaultDurationMinutes}))`
})

/**
 * Whether the job of an assignment called `a`, of that status, is still to be done at `now`. The statement has no
 * comparison of the status: for thousands of jobs, it would take as long as reading them.
 */
export const isUpcoming = (
  sql: SqlClient.SqlClient,
  status: Domain.AssignmentStatus,
  now: DateTime.Utc
): Statement.Fragment => {
  if (Domain.isUnderWay({ status })) return sql`true`
  return Domain.isLive({ status }) ? sql`(a.trip_ends_at > ${instant(now)})` : sql`false`
}

/**
 * The assignments of a trip, as a table. OFFSET 0 keeps a comparison of the driver apart: PostgreSQL might otherwise read all
 * assignments that the driver ever had, from an index that has the trip as its last column.
 */
export const assignmentsOfTrip = (
  sql: SqlClient.SqlClient,
  businessId: Domain.BusinessId,
  tripId: Domain.TripId
): Statement.Fragment =>
  sql`(SELECT * FROM assignments WHERE business_id = ${businessId} AND trip_id = ${tripId} OFFSET 0)`
