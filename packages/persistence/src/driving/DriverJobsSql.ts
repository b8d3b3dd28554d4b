/**
 * The statements that read the assignments of a driver's jobs. A list with a filter has a branch for each status, which is
 * a range of the index `assignments_by_status` in the order of the list.
 */
import type { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import {
  assignmentMachine,
  type AssignmentStatus,
  type BusinessId,
  type DriverId,
  type DriverTripQuery,
  isLive,
  isOnTrip,
  isUnderWay,
  maxDurationMinutes
} from "@livery/domain"
import { instant } from "../sql/rows/Rows.ts"
import { stateLiterals } from "../sql/rows/States.ts"
import * as Conditions from "../trips/TripConditions.ts"

const literals = stateLiterals(assignmentMachine)

/** Builds the statements. */
export const driverJobsSql = (sql: SqlClient.SqlClient) => {
  const ofDriver = (businessId: BusinessId, driverId: DriverId) =>
    sql`a.business_id = ${businessId} AND a.driver_id = ${driverId}`

  /** No later assignment of the driver to the trip exists. It is looked for as in `assignmentsOfTrip`. */
  const isLast = (businessId: BusinessId) => sql`
    NOT EXISTS (
      SELECT FROM (
        SELECT driver_id FROM assignments
        WHERE business_id = ${businessId} AND trip_id = a.trip_id AND assignment_id > a.assignment_id OFFSET 0) later
      WHERE later.driver_id = a.driver_id)`

  const isTripPresent = (businessId: BusinessId) => sql`
    (
      SELECT deleted.trip_id FROM trips deleted
      WHERE deleted.business_id = ${businessId} AND deleted.trip_id = a.trip_id AND deleted.deleted_at IS NOT NULL) IS NULL`

  /**
   * The condition that a driver's `assignments a` is a job: it is the last assignment to its trip, and the trip is
   * not deleted. Only a cancelled assignment can have a later one, so only cancelled ones are compared. Both look-ups
   * are subqueries, which PostgreSQL runs row by row. As joins, a wrong estimate made it compare a long history with
   * itself, which took seconds.
   */
  const isJob = (businessId: BusinessId, driverId: DriverId) => sql`
    ${ofDriver(businessId, driverId)}
    AND (${sql.literal(`a.status ${Conditions.isOnTrip}`)} OR ${isLast(businessId)})
    AND ${isTripPresent(businessId)}`

  /**
   * The jobs of one status, as a condition on `assignments a`; undefined if the filter excludes the status. The deletion
   * of a trip ends its assignments, so a live one needs no look-up of its trip. No trip is longer than
   * `maxDurationMinutes`, so upcoming jobs are read from that long before `now`, and previous ones up to `now`.
   */
  const ofStatus = (
    businessId: BusinessId,
    driverId: DriverId,
    status: AssignmentStatus,
    { filter, now }: Pick<DriverTripQuery, "filter" | "now">
  ) => {
    const assignment = { status }
    const inStatus = sql`${ofDriver(businessId, driverId)} AND a.status = ${sql.literal(literals[status])}`
    if (!isLive(assignment)) {
      const last = isOnTrip(assignment) ? sql`` : sql`AND ${isLast(businessId)}`
      return filter === "upcoming" ? undefined : sql`${inStatus} ${last} AND ${isTripPresent(businessId)}`
    }
    if (filter === undefined) return inStatus
    if (isUnderWay(assignment)) return filter === "upcoming" ? inStatus : undefined
    const isUpcoming = Conditions.isUpcoming(sql, status, now)
    return filter === "upcoming"
      ? sql`${inStatus} AND ${isUpcoming}
          AND a.trip_date > ${instant(now)}::timestamptz - make_interval(mins => ${maxDurationMinutes}::int)`
      : sql`${inStatus} AND NOT ${isUpcoming} AND a.trip_date < ${instant(now)}`
  }

  /** Selects columns of the assignments of a list. `first`, an order and a limit, restricts each branch. */
  const jobsOf = (
    businessId: BusinessId,
    driverId: DriverId,
    query: Pick<DriverTripQuery, "filter" | "status" | "now">,
    columns: Statement.Fragment,
    first: Statement.Fragment = sql``
  ) => {
    const { status } = query
    const conditions =
      query.filter === undefined && status === undefined
        ? [isJob(businessId, driverId)]
        : assignmentMachine.states
            .filter((state) => status === undefined || state === status)
            .flatMap((state) => ofStatus(businessId, driverId, state, query) ?? [])
    const [firstBranch = sql`(SELECT ${columns} FROM assignments a WHERE false)`, ...otherBranches] =
      conditions.map((condition) => sql`(SELECT ${columns} FROM assignments a WHERE ${condition} ${first})`)
    return otherBranches.reduce((all, branch) => sql`${all} UNION ALL ${branch}`, firstBranch)
  }

  /** The upcoming jobs of a driver. */
  const upcomingJobs = (
    businessId: BusinessId,
    driverId: DriverId,
    now: DateTime.Utc,
    columns: Statement.Fragment
  ) => jobsOf(businessId, driverId, { filter: "upcoming", now, status: undefined }, columns)

  /**
   * The number of jobs that a driver completed, from the index of the driver's assignments alone. The deleted trips of the
   * business are few: they are compared all at once, since a look-up for each job of a long history takes longer.
   */
  const completedJobs = (businessId: BusinessId, driverId: DriverId) => sql`(
    SELECT count(*) FROM assignments a
    WHERE ${ofDriver(businessId, driverId)} AND a.status = ${sql.literal(literals.completed)} AND NOT EXISTS (
      SELECT FROM trips deleted
      WHERE deleted.business_id = ${businessId} AND deleted.trip_id = a.trip_id AND deleted.deleted_at IS NOT NULL))`

  return { completedJobs, isJob, jobsOf, upcomingJobs }
}
