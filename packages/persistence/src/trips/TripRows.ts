/** The columns that statements select to return whole trips. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import {
  Assignment,
  isOnTrip,
  MilestoneReached,
  noDetails,
  StoredTrip,
  type SearchedTrip,
  type Trip,
  tripWordsOf
} from "@livery/domain"
import { columnsOf, jsonOf, valuesOf } from "../sql/rows/Columns.ts"
import { business, forBusiness } from "../sql/statements/ForBusiness.ts"
import { rowsAs } from "../sql/rows/Rows.ts"
import { documentOf } from "../sql/lists/SearchDocument.ts"

/** The milestones of an assignment called `a`, in order of time, as JSON. */
export const milestonesOfAssignment = `
  coalesce((
    SELECT json_agg(${jsonOf(MilestoneReached, "m", {
      stop_index: "CASE WHEN m.milestone = 'arrived_at_stop' THEN m.stop_index END"
    })} ORDER BY m.at, m.milestone, m.stop_index)
    FROM assignment_milestones m
    WHERE m.business_id = ${business} AND m.assignment_id = a.assignment_id), '[]'::json)`

const ofAssignment = { name: "d.name", milestones: milestonesOfAssignment }

/** The columns of an assignment called `a`, whose driver is called `d`. */
export const assignmentColumns = columnsOf(Assignment, "a", ofAssignment)

/** A subquery, because PostgreSQL might read all drivers of the business for a join. */
const nameOfDriver = `
  (SELECT d.name FROM drivers d WHERE d.business_id = ${business} AND d.driver_id = a.driver_id)`

/**
 * All assignments of a trip `t`, as JSON, by one scan of an index: `withFormerDrivers` then moves the former ones. The
 * expression uses an array constructor, because it is cheaper than an aggregate.
 */
const assignmentsOfTrip = {
  drivers: `
    array_to_json(ARRAY(
      SELECT ${jsonOf(Assignment, "a", { ...ofAssignment, name: nameOfDriver })}
      FROM assignments a WHERE a.business_id = ${business} AND a.trip_id = t.trip_id ORDER BY a.assignment_id))`,
  former_drivers: "'[]'::json"
}

/** The fields of a row of {@link tripColumns} that {@link withFormerDrivers} reads and changes. */
interface AssignmentsOfTrip {
  drivers: ReadonlyArray<Pick<Assignment, "assignment_id" | "status">>
  former_drivers: AssignmentsOfTrip["drivers"]
  readonly reopened_after: number | null
}

/** Moves the former assignments of each trip from `drivers` to `former_drivers`. Most trips have none. */
const withFormerDrivers = (rows: ReadonlyArray<object>): ReadonlyArray<object> => {
  for (const row of rows as ReadonlyArray<AssignmentsOfTrip>) {
    if (row.drivers.length === 0) continue
    const { drivers, reopened_after } = row
    const isFormer = (assignment: AssignmentsOfTrip["drivers"][number]) =>
      !isOnTrip(assignment) || assignment.assignment_id <= (reopened_after ?? 0)
    row.former_drivers = drivers.filter(isFormer)
    row.drivers = drivers.filter((assignment) => !isFormer(assignment))
  }
  return rows
}

type Statement = Effect.Effect<ReadonlyArray<object>, SqlError.SqlError>

/** The rows of a statement that selects {@link tripColumns}, in the form of `StoredTrip`. */
export const tripRows = (statement: Statement): Statement => Effect.map(statement, withFormerDrivers)

const tripsOf = rowsAs(StoredTrip)

/** The trips of a statement that selects {@link tripColumns}. */
export const readTrips = (statement: Statement): Effect.Effect<ReadonlyArray<typeof StoredTrip.Type>> =>
  tripsOf(tripRows(statement))

/** The optional fields that have columns of their own, because searches and references need them. */
const ownColumns = ["external_ref", "group_id", "linked_trip_id"] as const

/** The name of a field in the column `details`. */
type DetailName = Exclude<keyof typeof noDetails, (typeof ownColumns)[number]>

/** The fields that are stored together in the column `details`. */
const detailNames: ReadonlySet<string> = new Set(
  Object.keys(noDetails).filter((name) => ownColumns.every((own) => own !== name))
)

/** Whether a field of a trip is stored in the column `details`. */
export const isDetail = (name: string): name is DetailName => detailNames.has(name)

const isEmpty = (value: unknown) =>
  value === null || (typeof value === "object" && Object.keys(value).length === 0)

/** The values of these columns of a trip. Fields in `details` are one value, which is null if all of them are empty. */
export const tripValues = <Name extends string>(
  names: ReadonlyArray<Name>,
  trip: object
): Record<Exclude<Name, DetailName> | "details", unknown> => {
  const values = trip as Readonly<Record<string, unknown>>
  const details = [...detailNames].flatMap((name) => (isEmpty(values[name]) ? [] : [[name, values[name]]]))
  return {
    ...valuesOf(
      names.filter((name): name is Exclude<Name, DetailName> => !detailNames.has(name)),
      trip
    ),
    details: details.length === 0 ? null : Object.fromEntries(details)
  }
}

/** SQL for a field in `details` of a trip called `t`, for statements that may not read all of them. */
export const detailOfTrip = (name: keyof typeof noDetails): string =>
  noDetails[name] === null
    ? `t.details -> '${name}'`
    : `coalesce(t.details -> '${name}', '${JSON.stringify(noDetails[name])}'::jsonb)`

const fields = Object.fromEntries(
  Object.entries(StoredTrip.fields).filter(([name]) => !detailNames.has(name))
)

const columnsOfTrip = (assignments: Readonly<Record<"drivers" | "former_drivers", string>>) =>
  `${columnsOf({ fields }, "t", assignments)}, t.details`

/** The columns of a trip called `t` with its assignments as JSON; bound to a business. Read the rows with {@link readTrips}. */
export const tripColumns = (sql: SqlClient.SqlClient) => forBusiness(sql, columnsOfTrip(assignmentsOfTrip))

/** The `tsvector` of the words by which a trip is found. */
export const searchOf = (trip: SearchedTrip & Pick<Trip, "business_id">): string =>
  documentOf(trip.business_id, tripWordsOf(trip))
