/**
 * The domain's `DriverTripRepository` on PostgreSQL. Columns are listed individually, so that data that drivers must
 * not see is not read.
 */
import { Effect, Schema } from "effect"
import {
  bookingMachine,
  DrivenCar,
  DriverTrip,
  DriverTripRepository,
  holdsPlaces,
  offsetOf
} from "@livery/domain"
import { columnsOf, jsonOf } from "../sql/rows/Columns.ts"
import { business, forBusiness } from "../sql/statements/ForBusiness.ts"
import { countOf, statementPagesOf } from "../sql/lists/Pages.ts"
import { instant, oneRow, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { inStates } from "../sql/rows/States.ts"
import * as Conditions from "../trips/TripConditions.ts"
import { detailOfTrip, isDetail, milestonesOfAssignment } from "../trips/TripRows.ts"
import { driverJobsSql } from "./DriverJobsSql.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const jobs = rowsAs(DriverTrip)
const pagesOfJobs = statementPagesOf(DriverTrip)
const days = rowsAs(
  Schema.Struct({
    name: Schema.String,
    trips_today: Schema.Int,
    trips_upcoming: Schema.Int,
    trips_completed: Schema.Int,
    default_car: Schema.NullOr(DrivenCar),
    upcoming_cars: Schema.Array(DrivenCar)
  })
)

const carJson = jsonOf(DrivenCar, "c")

const detailNames = Object.keys(DriverTrip.fields).filter(isDetail)

/** The columns of a job, of `assignments a` and `trips t`. */
const jobColumns = columnsOf(DriverTrip, "t", {
  assignment_id: "a.assignment_id",
  status: "a.status",
  accepted_at: "a.accepted_at",
  declined_at: "a.declined_at",
  trip_status: "t.status",
  milestones: milestonesOfAssignment,
  pickup_pin_required: `EXISTS (
    SELECT FROM businesses b JOIN tracking_links l ON l.business_id = b.business_id
    WHERE b.business_id = ${business} AND l.business_id = ${business} AND b.pickup_pin AND l.trip_id = t.trip_id)`,
  ...Object.fromEntries(detailNames.map((name) => [name, detailOfTrip(name)])),
  participants: `coalesce((
    SELECT json_agg(json_build_object('name', coalesce(p.customer_name, ''), 'phone', p.customer_phone,
      'count', p.participants_count, 'pickup_address', p.pickup_address) ORDER BY p.booking_id)
    FROM bookings p
    WHERE p.business_id = ${business} AND p.trip_id = t.trip_id AND p.shares_trip
      AND p.status ${inStates(bookingMachine, holdsPlaces)} AND p.deleted_at IS NULL), '[]')`,
  car: `(SELECT ${carJson} FROM cars c WHERE c.business_id = ${business} AND c.car_id = coalesce(a.car_id, t.car_id))`
})

export const layer = onPostgres(DriverTripRepository, (sql) => {
  const columns = forBusiness(sql, jobColumns)
  const carColumns = sql.literal(carJson)
  const isOnTrip = sql.literal(`a.status ${Conditions.isOnTrip}`)
  const { completedJobs, isJob, jobsOf, upcomingJobs } = driverJobsSql(sql)

  return {
    find: (businessId, driverId, tripId) =>
      firstOf(
        jobs(sql`
          SELECT ${columns(businessId)}
          FROM ${Conditions.assignmentsOfTrip(sql, businessId, tripId)} a JOIN trips t ON t.business_id = ${businessId} AND t.trip_id = a.trip_id
          WHERE ${isJob(businessId, driverId)}`)
      ),
    list: (businessId, driverId, query, request) => {
      const order = sql.literal(
        query.order === "soonest" ? "a.trip_date ASC, a.trip_id ASC" : "a.trip_date DESC, a.trip_id DESC"
      )
      const counted = countOf(sql, sql`(${jobsOf(businessId, driverId, query, sql`1`)}) c`)
      const firstOfBranch = sql`ORDER BY ${order} LIMIT ${offsetOf(request) + request.perPage + 1}`
      const rows = sql`
        SELECT ${columns(businessId)}, (${counted}) AS total
        FROM (
          SELECT a.* FROM (${jobsOf(businessId, driverId, query, sql`a.*`, firstOfBranch)}) a
          ORDER BY ${order}
          LIMIT ${request.perPage + 1} OFFSET ${offsetOf(request)}
        ) a
        CROSS JOIN LATERAL (
          SELECT * FROM trips WHERE business_id = ${businessId} AND trip_id = a.trip_id LIMIT 1) t
        ORDER BY ${order}`
      return pagesOfJobs(request, { rows, counted })
    },
    day: Effect.fnUntraced(function* (businessId, driverId, { ends, now, starts }) {
      const upcoming = upcomingJobs(businessId, driverId, now, sql`a.trip_id, a.car_id`)
      const job = isJob(businessId, driverId)
      return yield* oneRow(
        days(sql`
        SELECT d.name,
          (SELECT ${carColumns} FROM cars c WHERE c.business_id = ${businessId} AND c.car_id = d.default_car_id
            AND c.deleted_at IS NULL) AS default_car,
          (SELECT count(*) FROM assignments a WHERE ${job} AND ${isOnTrip}
            AND a.trip_date >= ${instant(starts)} AND a.trip_date < ${instant(ends)}) AS trips_today,
          (SELECT count(*) FROM (${upcoming}) a) AS trips_upcoming,
          ${completedJobs(businessId, driverId)} AS trips_completed,
          coalesce((
            SELECT json_agg(${carColumns} ORDER BY c.name, c.car_id) FROM cars c
            WHERE c.business_id = ${businessId}
              AND c.car_id IN (
                SELECT coalesce(a.car_id, t.car_id)
                FROM (${upcoming}) a JOIN trips t ON t.business_id = ${businessId} AND t.trip_id = a.trip_id)), '[]') AS upcoming_cars
        FROM drivers d WHERE d.business_id = ${businessId} AND d.driver_id = ${driverId}`)
      )
    })
  }
})
