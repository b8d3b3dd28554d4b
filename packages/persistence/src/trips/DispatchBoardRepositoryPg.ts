/** The domain's `DispatchBoardRepository` on PostgreSQL. */
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import {
  BoardCar,
  type BoardJob,
  awaitsStart,
  type BoardQuery,
  type BusinessId,
  ClashPolicy,
  maxCount,
  DispatchBoardRepository,
  maxDurationMinutes,
  maxTripsTested,
  offsetOf,
  type PageRequest,
  StoredTrip,
  tripMachine,
  traced
} from "@livery/domain"
import { forBusiness } from "../sql/ForBusiness.ts"
import { pageOf } from "../sql/Pages.ts"
import { rowCount } from "../sql/RowCount.ts"
import { instant, rowsAs } from "../sql/Rows.ts"
import { isListedOnBoard, isStarted, windowOf } from "./TripConditions.ts"
import { boardColumns, RosterEntry } from "./BoardSql.ts"
import { matchingTrips, needsMatching } from "./MatchingTrips.ts"
import { tripCriteriaSql } from "./TripCriteriaSql.ts"
import { tripColumns, tripRows } from "./TripRows.ts"

const JobRow = Schema.Struct({
  ...StoredTrip.fields,
  roster: Schema.Array(RosterEntry),
  car: Schema.NullOr(BoardCar)
})

const jobsOf = rowsAs(JobRow)
const standingOf = rowsAs(
  Schema.Struct({ total: Schema.Int, clash_policy: ClashPolicy, turnaround_minutes: Schema.Int })
)

const countsOf = rowsAs(Schema.Struct({ count: Schema.Int }))

const withoutEntry: Omit<typeof RosterEntry.Type, "assignment_id"> = {
  phone: null,
  active: false,
  clashes: [],
  neighbours: [],
  license_expires_on: null,
  absence_ids: [],
  car: null,
  position: null
}

const jobOf = ({ car, roster, ...trip }: typeof JobRow.Type): BoardJob => {
  const entries = new Map(roster.map((entry) => [entry.assignment_id, entry]))
  return {
    trip,
    car,
    drivers: trip.drivers.map((driver) => ({
      ...driver,
      ...(entries.get(driver.assignment_id) ?? withoutEntry)
    }))
  }
}

export const layer = Layer.effect(
  DispatchBoardRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = tripColumns(sql)
    const more = forBusiness(sql, boardColumns)
    const isListed = sql.literal(`trips.status ${isListedOnBoard}`)
    const criteria = tripCriteriaSql(sql)
    const matching = matchingTrips(sql)
    const endsAt = sql.literal(windowOf("trips").ends)
    const minutesOfDay = sql.literal("1440")
    const started = sql.literal(`trips.status ${isStarted}`)
    const overdue = tripMachine.states
      .filter(awaitsStart)
      .map((status) => sql.literal(`trips.status = '${status}'`))

    const conditionsOf = (businessId: BusinessId, query: BoardQuery) =>
      sql.and([
        sql`trips.business_id = ${businessId}`,
        sql`trips.deleted_at IS NULL`,
        query.status === undefined ? isListed : sql`trips.status = ${query.status}`,
        ...criteria.conditionsOf(businessId, query)
      ])

    /**
     * The board's condition, split into one part for each index. Together the parts are the domain's `isAtBoardTime`. Most jobs
     * meet the first part; the others are few in any business: jobs of more than a day, jobs under way, and overdue ones.
     */
    const timesOf = ({ before, from, now }: BoardQuery) => {
      const isOverlapping = sql`trips.trip_date < ${instant(before)} AND ${endsAt} > ${instant(from)}`
      const since = (maxMinutes: number) =>
        sql`trips.trip_date > ${instant(DateTime.subtract(from, { minutes: maxMinutes }))}`
      return {
        ofDay: sql`coalesce(trips.duration_minutes, 0) <= ${minutesOfDay} AND ${isOverlapping} AND ${since(1440)}`,
        ofFew: [
          sql`trips.duration_minutes > ${minutesOfDay} AND ${isOverlapping} AND ${since(maxDurationMinutes)}`,
          ...(now === undefined
            ? []
            : [started, ...overdue.map((status) => sql`${status} AND trips.trip_date < ${instant(now)}`)])
        ]
      }
    }

    const byDate = sql`trip_date, trip_id`

    /**
     * The pickups and ids of the first `count` jobs. Each branch reads at most that many entries of its index. If a customer has
     * many trips, the few jobs of the other branches are tested: `IS TRUE` keeps PostgreSQL from reading the customer's trips.
     */
    const firstOf = (businessId: BusinessId, query: BoardQuery, hasManyTrips: boolean, count: number) => {
      const conditions = conditionsOf(businessId, query)
      const conditionsOfFew = hasManyTrips
        ? sql`${conditionsOf(businessId, { ...query, customerId: undefined })}
            AND (trips.customer_id = ${query.customerId}) IS TRUE`
        : conditions
      const branch = (conditions: Statement.Fragment, time: Statement.Fragment) => sql`
        (SELECT trip_date, trip_id FROM trips WHERE ${conditions} AND ${time}
         ORDER BY ${byDate} LIMIT ${rowCount(sql, count)})`
      const { ofDay, ofFew } = timesOf(query)
      return ofFew.reduce(
        (all, time) => sql`${all} UNION ${branch(conditionsOfFew, time)}`,
        branch(conditions, ofDay)
      )
    }

    /** Whether a query is for the jobs of a customer who has more trips than a list tests at once. */
    const isForManyTrips = (businessId: BusinessId, { customerId }: BoardQuery) =>
      customerId === undefined
        ? Effect.succeed(false)
        : Effect.map(
            countsOf(sql`
              SELECT count(*) AS count FROM (
                SELECT FROM trips
                WHERE business_id = ${businessId} AND customer_id = ${customerId} AND deleted_at IS NULL
                LIMIT ${rowCount(sql, maxTripsTested + 1)}) c`),
            ([row]) => (row?.count ?? 0) > maxTripsTested
          )

    /** `trip_id` of the page's trips and one more, and the total as an expression. */
    const pageOfIds = Effect.fnUntraced(function* (
      businessId: BusinessId,
      query: BoardQuery,
      request: PageRequest
    ) {
      const hasManyTrips = yield* isForManyTrips(businessId, query)
      const first = (count: number) => firstOf(businessId, query, hasManyTrips, count)
      if (needsMatching(query)) {
        const list = {
          first: (count: number) =>
            sql`SELECT * FROM (${first(count)}) f ORDER BY ${byDate} LIMIT ${rowCount(sql, count)}`,
          conditions: sql.and([
            conditionsOf(businessId, query),
            sql.or([timesOf(query).ofDay, ...timesOf(query).ofFew])
          ]),
          order: byDate
        }
        const { ids, total } = yield* matching(businessId, query, list, request)
        return {
          page: sql`SELECT unnest(${ids}::bigint[]) AS trip_id`,
          total: sql`${total ?? maxCount + 1}::int`
        }
      }
      const counted = first(maxCount + 1)
      const page = first(offsetOf(request) + request.perPage + 1)
      return {
        page: sql`
          SELECT trip_id FROM (${page}) f ORDER BY ${byDate}
          LIMIT ${rowCount(sql, request.perPage + 1)} OFFSET ${offsetOf(request)}`,
        total: sql`(SELECT least(count(*), ${rowCount(sql, maxCount + 1)}) FROM (${counted}) c)`
      }
    })

    const jobs = traced("DispatchBoardRepositoryPg.jobs")(function* (
      businessId: BusinessId,
      query: BoardQuery,
      request: PageRequest
    ) {
      const { page, total } = yield* pageOfIds(businessId, query, request)
      const standing = sql`
        ${total} AS total, (SELECT clash_policy FROM businesses WHERE business_id = ${businessId}) AS clash_policy,
        (SELECT turnaround_minutes FROM businesses WHERE business_id = ${businessId}) AS turnaround_minutes`
      const rows = yield* Effect.orDie(sql<object>`
        SELECT ${columns(businessId)}${more(businessId)}, ${standing}
        FROM (${page}) p
        CROSS JOIN LATERAL (SELECT * FROM trips WHERE business_id = ${businessId} AND trip_id = p.trip_id LIMIT 1) t
        ORDER BY t.trip_date, t.trip_id`)
      const [read] = yield* standingOf(
        rows.length > 0 ? Effect.succeed(rows.slice(0, 1)) : sql`SELECT ${standing}`
      )
      const jobs = yield* jobsOf(tripRows(Effect.succeed(rows)))
      const {
        clash_policy: clashPolicy = "warn",
        total: count = 0,
        turnaround_minutes: turnaroundMinutes = 0
      } = read ?? {}
      return { ...pageOf(request, jobs.map(jobOf), count), clashPolicy, turnaroundMinutes }
    })

    return DispatchBoardRepository.of({ jobs })
  })
)
