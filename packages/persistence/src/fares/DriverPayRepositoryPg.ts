import { Schema } from "effect"
import {
  assignmentMachine,
  ComputedFare,
  DriverId,
  DriverPayRepository,
  DriverTerms,
  PaidTrip,
  tripMachine
} from "@livery/domain"
import { execute, Instant, instant, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { stateLiterals } from "../sql/rows/States.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const assignmentStatus = stateLiterals(assignmentMachine)
const tripStatus = stateLiterals(tripMachine)

const terms = rowsAs(DriverTerms)
const trips = rowsAs(
  Schema.Struct({
    ...PaidTrip.fields,
    trip_date: Instant,
    en_route_at: Schema.NullOr(Instant),
    done_at: Schema.NullOr(Instant),
    drivers: Schema.Array(DriverId),
    fare: Schema.NullOr(ComputedFare)
  })
)

export const layer = onPostgres(DriverPayRepository, (sql) => ({
  find: (businessId, driverId) =>
    firstOf(
      terms(sql`
          SELECT d.driver_id, d.name, coalesce(p.schemes, '[]'::jsonb) AS schemes
          FROM drivers d
          LEFT JOIN driver_pay p ON p.business_id = ${businessId} AND p.driver_id = d.driver_id
          WHERE d.business_id = ${businessId} AND d.driver_id = ${driverId}`)
    ),
  store: (businessId, driverId, schemes, now) =>
    execute(sql`
          INSERT INTO driver_pay ${sql.insert({
            business_id: businessId,
            driver_id: driverId,
            schemes: JSON.stringify(schemes),
            updated_at: instant(now)
          })}
          ON CONFLICT (business_id, driver_id)
            DO UPDATE SET schemes = excluded.schemes, updated_at = excluded.updated_at`),
  completedTrips: (businessId, driverId, { before, from }) =>
    trips(sql`
        SELECT t.trip_id, t.reference, t.trip_date, t.duration_minutes, t.pickup_address, t.dropoff_address,
          t.currency, t.total_minor, t.en_route_at, t.done_at, coalesce(f.final, f.quoted) AS fare,
          f.currency AS fare_currency,
          ARRAY(
            SELECT o.driver_id FROM assignments o
            WHERE o.business_id = ${businessId} AND o.trip_id = t.trip_id AND o.status = ${sql.literal(assignmentStatus.completed)}
              AND o.assignment_id > coalesce(t.reopened_after, 0)
            GROUP BY o.driver_id ORDER BY min(o.assignment_id)) AS drivers
        FROM (
          -- A driver may have completed two assignments of one trip. Assignments have the time of their trip.
          SELECT t.*, min(a.en_route_at) AS en_route_at, max(a.completed_at) AS done_at
          FROM assignments a JOIN trips t ON t.business_id = ${businessId} AND t.trip_id = a.trip_id
          WHERE a.business_id = ${businessId} AND a.driver_id = ${driverId} AND a.status = ${sql.literal(assignmentStatus.completed)}
            AND a.trip_date >= ${instant(from)} AND a.trip_date < ${instant(before)}
            AND a.assignment_id > coalesce(t.reopened_after, 0)
            AND t.status = ${sql.literal(tripStatus.completed)} AND t.deleted_at IS NULL
          GROUP BY t.business_id, t.trip_id) t
        LEFT JOIN trip_fares f ON f.business_id = ${businessId} AND f.trip_id = t.trip_id
        ORDER BY t.trip_date, t.trip_id`)
}))
