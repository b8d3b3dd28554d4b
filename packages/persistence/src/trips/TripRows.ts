/** What every statement that returns whole trips selects. */
import type { SqlClient } from "effect/sql"
import { Assignment, MilestoneReached, StoredTrip } from "@livery/domain"
import { columnsOf, jsonOf } from "../sql/Columns.ts"
import { business, forBusiness } from "../sql/ForBusiness.ts"
import { isOnTrip } from "./TripConditions.ts"

/** The milestones of an assignment called `a`, in order of time, as JSON. */
export const milestonesOfAssignment = `
  coalesce((
    SELECT json_agg(${jsonOf(MilestoneReached, "m")} ORDER BY m.at, m.milestone)
    FROM assignment_milestones m
    WHERE m.business_id = ${business} AND m.assignment_id = a.assignment_id), '[]'::json)`

const ofAssignment = { name: "d.name", milestones: milestonesOfAssignment }

/** The columns of an assignment called `a`, whose driver is called `d`. */
export const assignmentColumns = columnsOf(Assignment, "a", ofAssignment)

/** The assignments of a trip called `t` for which a condition holds, as JSON. */
const assignmentsOfTrip = (condition: string) => `
  coalesce((
    SELECT json_agg(${jsonOf(Assignment, "a", ofAssignment)} ORDER BY a.assignment_id)
    FROM assignments a JOIN drivers d ON d.business_id = ${business} AND d.driver_id = a.driver_id
    WHERE a.business_id = ${business} AND a.trip_id = t.trip_id AND ${condition}), '[]'::json)`

/** Whether an assignment called `a` counts for its trip `t`. */
const isStanding = `(a.status ${isOnTrip} AND a.assignment_id > coalesce(t.reopened_after, 0))`

const ofTrip = {
  drivers: assignmentsOfTrip(isStanding),
  former_drivers: assignmentsOfTrip(`NOT ${isStanding}`)
}

/** The columns of a trip called `t`, with its assignments as JSON; bound to a business. */
export const tripColumns = (sql: SqlClient.SqlClient) => forBusiness(sql, columnsOf(StoredTrip, "t", ofTrip))

/** The columns of a trip called `t` that has no assignments yet. */
export const newTripColumns = (sql: SqlClient.SqlClient) =>
  sql.literal(columnsOf(StoredTrip, "t", { drivers: "'[]'::json", former_drivers: "'[]'::json" }))
