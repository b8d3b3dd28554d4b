/**
 * The domain's `DriverTripRepository` on PostgreSQL. Columns are listed individually, so that data that drivers must
 * not see is not read.
 */
import { Array, type DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import {
  type AssignmentStatus,
  type BusinessId,
  maxCount,
  maxDurationMinutes,
  DrivenCar,
  type DriverId,
  DriverTrip,
  type DriverTripQuery,
  DriverTripRepository,
  offsetOf
} from "@livery/domain"
import { columnsOf, jsonOf } from "../sql/Columns.ts"
import { business, forBusiness } from "../sql/ForBusiness.ts"
import { statementPagesOf } from "../sql/Pages.ts"
import { instant, rowsAs } from "../sql/Rows.ts"
import * as Conditions from "../trips/TripConditions.ts"
import { detailOfTrip, isDetail, milestonesOfAssignment } from "../trips/TripRows.ts"

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

const completed: AssignmentStatus = "completed"

const carJson = jsonOf(DrivenCar, "c")

const detailNames = Object.keys(DriverTrip.fields).filter(isDetail)

/** The columns of a job, of `assignments a` and `trips t`. */
const jobColumns = columnsOf(DriverTrip, "t", {
  assignment_id: "a.assignment_id",
  status: "a.status",
  trip_status: "t.status",
  milestones: milestonesOfAssignment,
  ...Object.fromEntries(detailNames.map((name) => [name, detailOfTrip(name)])),
  car: `(SELECT ${carJson} FROM cars c WHERE c.business_id = ${business} AND c.car_id = coalesce(a.car_id, t.car_id))`
})

export const layer = Layer.effect(
  DriverTripRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const columns = forBusiness(sql, jobColumns)
    const carColumns = sql.literal(carJson)
    const isOnTrip = sql.literal(`a.status ${Conditions.isOnTrip}`)
    const isLive = sql.literal(`a.status ${Conditions.isLive}`)
    const isUnderWay = sql.literal(`a.status ${Conditions.isUnderWay}`)

    /**
     * The condition that a driver's `assignments a` is a job: it is the last assignment to its trip, and the trip is
     * not deleted. Only a cancelled assignment can have a later one, so only cancelled ones are compared. Both look-ups
     * are subqueries, which PostgreSQL runs row by row. As joins, a wrong estimate made it compare a long history with
     * itself, which took seconds.
     */
    const own = (businessId: BusinessId, driverId: DriverId) => sql`
      a.business_id = ${businessId} AND a.driver_id = ${driverId}
      AND (${isOnTrip} OR NOT EXISTS (
        SELECT FROM assignments later
        WHERE later.business_id = ${businessId} AND later.trip_id = a.trip_id AND later.driver_id = a.driver_id
          AND later.assignment_id > a.assignment_id))
      AND (
        SELECT gone.trip_id FROM trips gone
        WHERE gone.business_id = ${businessId} AND gone.trip_id = a.trip_id AND gone.deleted_at IS NOT NULL) IS NULL`

    /**
     * The assignments of a driver's upcoming jobs, from the index of those under way and from that of those ahead. No trip
     * is longer than `maxDurationMinutes`, so the latter is read from that long before `now`. `further` conditions, an order
     * and a limit apply to each of the two.
     */
    const upcomingJobs = (
      businessId: BusinessId,
      driverId: DriverId,
      now: DateTime.Utc,
      further: Statement.Fragment = sql``
    ) => {
      const upcoming = sql`
        SELECT * FROM assignments a WHERE ${own(businessId, driverId)} AND ${Conditions.isUpcoming(sql, now)}`
      return sql`
        (${upcoming} AND ${isUnderWay} ${further})
        UNION ALL
        (${upcoming} AND ${isLive} AND NOT ${isUnderWay}
          AND a.trip_date > ${instant(now)}::timestamptz - make_interval(mins => ${maxDurationMinutes}::int) ${further})`
    }

    /** The jobs of a list, as `assignments a` with their conditions, or as many of them as `first` keeps of each index. */
    const jobsOf = (
      businessId: BusinessId,
      driverId: DriverId,
      { filter, now, status }: DriverTripQuery,
      first: Statement.Fragment = sql``
    ) => {
      const ofStatus = status === undefined ? sql`` : sql`AND a.status = ${status}`
      if (filter === "upcoming")
        return sql`(${upcomingJobs(businessId, driverId, now, sql`${ofStatus} ${first}`)}) a`
      const previous = filter === undefined ? sql`` : sql`AND NOT ${Conditions.isUpcoming(sql, now)}`
      return sql`assignments a WHERE ${own(businessId, driverId)} ${previous} ${ofStatus}`
    }

    return DriverTripRepository.of({
      find: (businessId, driverId, tripId) =>
        Effect.map(
          jobs(sql`
            SELECT ${columns(businessId)} FROM assignments a JOIN trips t ON t.business_id = ${businessId} AND t.trip_id = a.trip_id
            WHERE ${own(businessId, driverId)} AND a.trip_id = ${tripId}`),
          Array.head
        ),
      list: (businessId, driverId, query, request) => {
        const listed = (first?: Statement.Fragment) => jobsOf(businessId, driverId, query, first)
        const order = sql.literal(
          query.order === "soonest" ? "a.trip_date ASC, a.trip_id ASC" : "a.trip_date DESC, a.trip_id DESC"
        )
        const counted = sql`
          SELECT count(*) AS total FROM (SELECT FROM ${listed()} LIMIT ${maxCount + 1}) c`
        const rows = (isCounted: boolean) => sql`
          SELECT ${columns(businessId)}${isCounted ? sql`, (${counted}) AS total` : sql``}
          FROM (
            SELECT a.* FROM ${listed(sql`ORDER BY ${order} LIMIT ${offsetOf(request) + request.perPage + 1}`)}
            ORDER BY ${order}
            LIMIT ${request.perPage + 1} OFFSET ${offsetOf(request)}
          ) a
          CROSS JOIN LATERAL (
            SELECT * FROM trips WHERE business_id = ${businessId} AND trip_id = a.trip_id LIMIT 1) t
          ORDER BY ${order}`
        const key = JSON.stringify([businessId, driverId, query.filter, query.status])
        return pagesOfJobs(sql, request, { key, rows, counted })
      },
      day: Effect.fnUntraced(function* (businessId, driverId, { ends, now, starts }) {
        const upcoming = upcomingJobs(businessId, driverId, now)
        const job = own(businessId, driverId)
        const [day] = yield* days(sql`
          SELECT d.name,
            (SELECT ${carColumns} FROM cars c WHERE c.business_id = ${businessId} AND c.car_id = d.default_car_id
              AND c.deleted_at IS NULL) AS default_car,
            (SELECT count(*) FROM assignments a WHERE ${job} AND ${isOnTrip}
              AND a.trip_date >= ${instant(starts)} AND a.trip_date < ${instant(ends)}) AS trips_today,
            (SELECT count(*) FROM (${upcoming}) a) AS trips_upcoming,
            (SELECT count(*) FROM assignments a WHERE ${job} AND a.status = ${completed}) AS trips_completed,
            coalesce((
              SELECT json_agg(${carColumns} ORDER BY c.name, c.car_id) FROM cars c
              WHERE c.business_id = ${businessId}
                AND c.car_id IN (
                  SELECT coalesce(a.car_id, t.car_id)
                  FROM (${upcoming}) a JOIN trips t ON t.business_id = ${businessId} AND t.trip_id = a.trip_id)), '[]') AS upcoming_cars
          FROM drivers d WHERE d.business_id = ${businessId} AND d.driver_id = ${driverId}`)
        return yield* Effect.orDie(Effect.fromNullishOr(day))
      })
    })
  })
)
