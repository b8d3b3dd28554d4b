import { Array, Effect, Option, Schema } from "effect"
import {
  ActingBusiness,
  AssignmentId,
  assignmentMachine,
  type BusinessId,
  DriverId,
  DriverTokenRepository,
  type StateMachine,
  TripId,
  tripMachine
} from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { compiled } from "../sql/statements/Compiled.ts"
import { rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { stateLiterals } from "../sql/rows/States.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const drivers = rowsAs(
  Schema.Struct({
    driver_id: DriverId,
    trip_id: TripId,
    assignment_id: AssignmentId,
    ...ActingBusiness.fields
  })
)

const endedAssignments = rowsAs(
  Schema.Struct({
    is_completed: Schema.Boolean,
    is_trip_cancelled: Schema.Boolean,
    is_trip_deleted: Schema.Boolean,
    is_driver_deleted: Schema.Boolean,
    is_cancelled_by_driver: Schema.Boolean,
    is_renewed: Schema.Boolean,
    is_replaced: Schema.Boolean
  })
)

export const layer = onPostgres(DriverTokenRepository, (sql) => {
  const ofAssignment = stateLiterals(assignmentMachine)
  const completed = sql.literal(ofAssignment.completed)
  const isOnTrip = sql.literal(`<> ${ofAssignment.cancelled}`)
  const cancelledTrip = sql.literal(stateLiterals(tripMachine).cancelled)
  const driver: StateMachine.Mover = "driver"
  const business = sql.literal(columnsOf(ActingBusiness, "b"))
  /** Compiled once: it runs for each position that a phone reports. */
  const holder = compiled<{ readonly businessId: BusinessId; readonly tokenHash: string }>(
    sql,
    ({ businessId, tokenHash }) => sql`
      SELECT a.driver_id, a.trip_id, a.assignment_id, ${business}
      FROM assignments a
      JOIN businesses b ON b.business_id = ${businessId}
      JOIN drivers d ON d.business_id = ${businessId} AND d.driver_id = a.driver_id
      JOIN trips t ON t.business_id = ${businessId} AND t.trip_id = a.trip_id
      -- Only a live assignment has a hash.
      WHERE a.business_id = ${businessId} AND a.token_hash = ${tokenHash}
        AND d.deleted_at IS NULL AND t.deleted_at IS NULL`
  )
  return {
    find: (businessId, tokenHash) =>
      Effect.map(drivers(holder({ businessId, tokenHash })), (rows) =>
        Option.map(Array.head(rows), ({ assignment_id, driver_id, trip_id, ...business }) => ({
          driver_id,
          trip_id,
          assignment_id,
          token_hash: tokenHash,
          business
        }))
      ),
    findEnded: (businessId, tokenHash) =>
      firstOf(
        endedAssignments(sql`
          SELECT a.status = ${completed} AS is_completed, t.status = ${cancelledTrip} AS is_trip_cancelled,
            t.deleted_at IS NOT NULL AS is_trip_deleted, d.deleted_at IS NOT NULL AS is_driver_deleted,
            a.cancelled_by IS NOT DISTINCT FROM ${driver} AS is_cancelled_by_driver,
            EXISTS (
              SELECT FROM assignments other
              WHERE other.business_id = ${businessId} AND other.trip_id = a.trip_id
                AND other.driver_id = a.driver_id AND other.assignment_id > a.assignment_id
                AND other.status ${isOnTrip}
            ) AS is_renewed,
            EXISTS (
              SELECT FROM assignments other
              WHERE other.business_id = ${businessId} AND other.trip_id = a.trip_id
                AND other.driver_id <> a.driver_id AND other.assignment_id > a.assignment_id
                AND other.status ${isOnTrip}
            ) AS is_replaced
          FROM (
            SELECT * FROM assignments WHERE business_id = ${businessId} AND ended_token_hash = ${tokenHash}
            -- The live assignment of a deleted trip or driver.
            UNION ALL
            SELECT * FROM assignments WHERE business_id = ${businessId} AND token_hash = ${tokenHash}
          ) a
          JOIN drivers d ON d.business_id = ${businessId} AND d.driver_id = a.driver_id
          JOIN trips t ON t.business_id = ${businessId} AND t.trip_id = a.trip_id`)
      )
  }
})
