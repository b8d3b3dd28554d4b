/** The columns that statements select to return whole trips. */
import type { SqlClient } from "effect/sql"
import {
  Assignment,
  MilestoneReached,
  StoredTrip,
  type SearchedTrip,
  type Trip,
  tripWordsOf
} from "@livery/domain"
import { columnsOf, jsonOf } from "../sql/Columns.ts"
import { business, forBusiness } from "../sql/ForBusiness.ts"
import { documentOf } from "../sql/SearchDocument.ts"
import { isCancelled, isOnTrip } from "./TripConditions.ts"

/** The milestones of an assignment called `a`, in order of time, as JSON. */
export const milestonesOfAssignment = `
  coalesce((
    SELECT json_agg(${jsonOf(MilestoneReached, "m")} ORDER BY m.at, m.milestone)
    FROM assignment_milestones m
    WHERE m.business_id = ${business} AND m.assignment_id = a.assignment_id), '[]'::json)`

const ofAssignment = { name: "d.name", milestones: milestonesOfAssignment }

/** The columns of an assignment called `a`, whose driver is called `d`. */
export const assignmentColumns = columnsOf(Assignment, "a", ofAssignment)

/** A subquery instead of a join: PostgreSQL might read all drivers of the business for a join. */
const nameOfDriver = `
  (SELECT d.name FROM drivers d WHERE d.business_id = ${business} AND d.driver_id = a.driver_id)`

/** Assignments of a trip `t`, from a subquery, as JSON. An array constructor, because it is cheaper than an aggregate. */
const assignmentsFrom = (rows: string) => `
  array_to_json(ARRAY(
    SELECT ${jsonOf(Assignment, "a", { ...ofAssignment, name: nameOfDriver })}
    FROM ${rows} a ORDER BY a.assignment_id))`

const ofTrip = (condition: string) => `
  SELECT * FROM assignments WHERE business_id = ${business} AND trip_id = t.trip_id AND ${condition}`

const standing = `status ${isOnTrip}`

/**
 * The former assignments of a trip. Each part has an index, so that a trip without any, the usual case, reads no row.
 */
const assignmentsOfTrip = {
  drivers: assignmentsFrom(`(${ofTrip(`${standing} AND assignment_id > coalesce(t.reopened_after, 0)`)})`),
  former_drivers: assignmentsFrom(
    `(${ofTrip(`status ${isCancelled}`)} UNION ALL ${ofTrip(`${standing} AND assignment_id <= t.reopened_after`)})`
  )
}

/** The columns of a trip called `t`, with its assignments as JSON; bound to a business. */
export const tripColumns = (sql: SqlClient.SqlClient) =>
  forBusiness(sql, columnsOf(StoredTrip, "t", assignmentsOfTrip))

/** The `tsvector` of the words by which a trip is found. */
export const searchOf = (trip: SearchedTrip & Pick<Trip, "business_id">): string =>
  documentOf(trip.business_id, tripWordsOf(trip))
