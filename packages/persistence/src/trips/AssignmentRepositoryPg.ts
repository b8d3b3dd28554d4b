import { Array, Effect, Option, Schema } from "effect"
import {
  Assignment,
  AssignmentId,
  AssignmentRepository,
  CarId,
  DriverId,
  erasedMilestone,
  isLive,
  MilestoneReached,
  type NewAssignment,
  TripId
} from "@livery/domain"
import { valuesOf } from "../sql/rows/Columns.ts"
import { forBusiness } from "../sql/statements/ForBusiness.ts"
import { execute, instant, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import * as Conditions from "./TripConditions.ts"
import { assignmentColumns } from "./TripRows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const assignmentsOf = rowsAs(Assignment)
const assignmentsWithTripOf = rowsAs(Schema.Struct({ ...Assignment.fields, trip_id: TripId }))
const idsOf = rowsAs(Schema.Struct({ assignment_id: AssignmentId }))
const tripsOf = rowsAs(Schema.Struct({ trip_id: TripId }))
const startsOf = rowsAs(
  Schema.Struct({ at: Schema.DateTimeUtcFromDate, heard_at: Schema.DateTimeUtcFromDate })
)
const driversOf = rowsAs(Schema.Struct({ driver_id: DriverId, default_car_id: Schema.NullOr(CarId) }))

/** Assignments in the table `assignments`. An ended one stays, for the trip's history. */
export const layer = onPostgres(AssignmentRepository, (sql) => {
  const columns = forBusiness(sql, assignmentColumns)
  const live = sql.literal(`a.status ${Conditions.isLive}`)

  return {
    find: (businessId, assignmentId) =>
      Effect.map(
        assignmentsWithTripOf(sql`
          SELECT a.trip_id, ${columns(businessId)}
          FROM assignments a JOIN drivers d ON d.business_id = ${businessId} AND d.driver_id = a.driver_id
          WHERE a.business_id = ${businessId} AND a.assignment_id = ${assignmentId}`),
        (rows) => Option.map(Array.head(rows), ({ trip_id, ...assignment }) => ({ trip_id, assignment }))
      ),
    findLast: (businessId, tripId, driverId) =>
      firstOf(
        assignmentsOf(sql`
          SELECT ${columns(businessId)}
          FROM ${Conditions.assignmentsOfTrip(sql, businessId, tripId)} a
          JOIN drivers d ON d.business_id = ${businessId} AND d.driver_id = a.driver_id
          WHERE a.driver_id = ${driverId}
          ORDER BY a.assignment_id DESC LIMIT 1`)
      ),
    lockDrivers: (businessId, driverIds) =>
      driverIds.length === 0
        ? Effect.succeed([])
        : driversOf(sql`
            SELECT driver_id, default_car_id FROM drivers
            WHERE business_id = ${businessId} AND driver_id = ANY (${driverIds}::bigint[])
              AND active AND deleted_at IS NULL
            ORDER BY driver_id FOR KEY SHARE`),
    insert: Effect.fnUntraced(function* (
      business_id,
      trip_id,
      window,
      drivers: ReadonlyArray<NewAssignment>,
      now
    ) {
      const rows = drivers.map(
        ({ car_id, driver_id, has_default_car, tokenHash }): Record<string, unknown> => ({
          business_id,
          trip_id,
          driver_id,
          status: "assigned",
          car_id,
          has_default_car,
          trip_date: instant(window.starts),
          trip_ends_at: instant(window.ends),
          token_hash: tokenHash,
          created_at: instant(now)
        })
      )
      if (!Array.isArrayNonEmpty(rows)) return []
      const inserted = yield* idsOf(sql`INSERT INTO assignments ${sql.insert(rows)} RETURNING assignment_id`)
      return yield* assignmentsOf(sql`
        SELECT ${columns(business_id)}
        FROM assignments a JOIN drivers d ON d.business_id = ${business_id} AND d.driver_id = a.driver_id
        WHERE a.business_id = ${business_id}
          AND a.assignment_id = ANY (${inserted.map(({ assignment_id }) => assignment_id)}::bigint[])
        ORDER BY a.assignment_id`)
    }),
    start: (businessId, assignmentId) =>
      firstOf(
        startsOf(sql`
          SELECT a.en_route_at AS at, coalesce(
            (SELECT c.at FROM trip_changes c
             WHERE c.business_id = ${businessId} AND c.trip_id = a.trip_id AND c.driver_id = a.driver_id
               AND c.change = 'driver_status_changed' AND c.after->>'status' = 'en_route'
             ORDER BY c.change_id DESC LIMIT 1),
            a.en_route_at) AS heard_at
          FROM assignments a
          WHERE a.business_id = ${businessId} AND a.assignment_id = ${assignmentId} AND a.en_route_at IS NOT NULL`)
      ),
    setStatus: (businessId, assignmentIds, { by, now, status }) => {
      const at = instant(now)
      const stamp = {
        assigned: { en_route_at: null },
        en_route: { en_route_at: at },
        completed: { completed_at: at },
        cancelled: { cancelled_at: at, cancelled_by: by }
      }[status]
      const ended = isLive({ status })
        ? sql``
        : sql`, ended_token_hash = coalesce(token_hash, ended_token_hash), token_hash = NULL`
      return execute(sql`
          UPDATE assignments SET ${sql.update({ status, ...stamp })}${ended}
          WHERE business_id = ${businessId} AND assignment_id = ANY (${assignmentIds}::bigint[])`)
    },
    setCars: (businessId, changed) =>
      execute(sql`
          UPDATE assignments a SET car_id = new.car_id, has_default_car = new.has_default_car
          FROM unnest(
            ${changed.map(({ assignment_id }) => assignment_id)}::bigint[],
            ${changed.map(({ car_id }) => car_id)}::bigint[],
            ${changed.map(({ has_default_car }) => has_default_car)}::boolean[]
          ) AS new (assignment_id, car_id, has_default_car)
          WHERE a.business_id = ${businessId} AND a.assignment_id = new.assignment_id`),
    setAnswers: (businessId, answered) => {
      const times = (name: "accepted_at" | "accepted_pickup" | "declined_at") =>
        answered.map((assignment) => (assignment[name] === null ? null : instant(assignment[name])))
      return execute(sql`
          UPDATE assignments a SET accepted_at = new.accepted_at, accepted_pickup = new.accepted_pickup,
            declined_at = new.declined_at, decline_reason = new.decline_reason
          FROM unnest(
            ${answered.map(({ assignment_id }) => assignment_id)}::bigint[],
            ${times("accepted_at")}::timestamptz[],
            ${times("accepted_pickup")}::timestamptz[],
            ${times("declined_at")}::timestamptz[],
            ${answered.map(({ decline_reason }) => decline_reason)}::text[]
          ) AS new (assignment_id, accepted_at, accepted_pickup, declined_at, decline_reason)
          WHERE a.business_id = ${businessId} AND a.assignment_id = new.assignment_id`)
    },
    setWindows: (businessId, moved) =>
      execute(sql`
          UPDATE assignments a SET trip_date = new.starts, trip_ends_at = new.ends
          FROM unnest(
            ${moved.map(({ tripId }) => tripId)}::bigint[],
            ${moved.map(({ window }) => instant(window.starts))}::timestamptz[],
            ${moved.map(({ window }) => instant(window.ends))}::timestamptz[]
          ) AS new (trip_id, starts, ends)
          WHERE a.business_id = ${businessId} AND a.trip_id = new.trip_id`),
    insertMilestone: (businessId, assignmentId, milestone) => {
      const row = {
        business_id: businessId,
        assignment_id: assignmentId,
        ...valuesOf(Object.keys(MilestoneReached.fields), milestone),
        stop_index: milestone.stop_index ?? 0
      }
      return execute(sql`
          INSERT INTO assignment_milestones ${sql.insert(row)}
          ON CONFLICT (business_id, assignment_id, milestone, stop_index) DO NOTHING`)
    },
    removeMilestone: (businessId, assignmentId, { milestone, stop_index }) =>
      execute(sql`
        DELETE FROM assignment_milestones
        WHERE business_id = ${businessId} AND assignment_id = ${assignmentId} AND milestone = ${milestone}
          AND stop_index = ${stop_index ?? 0}`),
    erasePlaces: Effect.fnUntraced(function* (businessId, assignmentIds) {
      if (assignmentIds.length === 0) return
      const these = sql`business_id = ${businessId} AND assignment_id = ANY (${assignmentIds}::bigint[])`
      yield* sql`UPDATE assignment_milestones SET ${sql.update(erasedMilestone)} WHERE ${these}`
      yield* sql`UPDATE assignments SET ended_token_hash = NULL WHERE ${these} AND ended_token_hash IS NOT NULL`
    }, Effect.orDie),
    openTrips: (businessId, driverId) =>
      Effect.map(
        tripsOf(sql`
          SELECT DISTINCT a.trip_id FROM assignments a
          WHERE a.business_id = ${businessId} AND a.driver_id = ${driverId} AND ${live}
          ORDER BY a.trip_id`),
        (rows) => rows.map(({ trip_id }) => trip_id)
      )
  }
})
