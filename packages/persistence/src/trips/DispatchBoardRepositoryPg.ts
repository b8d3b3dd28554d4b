/** The domain's `DispatchBoardRepository` on PostgreSQL. */
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import {
  BoardCar,
  type BoardJob,
  awaitsStart,
  type BoardQuery,
  type BusinessId,
  maxCount,
  DispatchBoardRepository,
  isOnBoard,
  maxDurationMinutes,
  maxTripsTested,
  meetsCriteria,
  offsetOf,
  type PageRequest,
  StoredTrip,
  TripId,
  tripMachine,
  traced
} from "@livery/domain"
import { compiled } from "../sql/statements/Compiled.ts"
import { business, forBusiness } from "../sql/statements/ForBusiness.ts"
import { pageOf } from "../sql/lists/Pages.ts"
import { literalCount } from "../sql/lists/PageLimits.ts"
import { instant, rowsAs } from "../sql/rows/Rows.ts"
import { isListedOnBoard, isStarted, windowOf } from "./TripConditions.ts"
import { boardColumns, RosterEntry } from "./BoardSql.ts"
import { defaultPolicy, policiesOf } from "./SchedulePolicies.ts"
import { matchingTrips, needsMatching } from "./MatchingTrips.ts"
import { tripCriteriaSql } from "./TripCriteriaSql.ts"
import { tripColumns, tripRows } from "./TripRows.ts"

const JobRow = Schema.Struct({
  ...StoredTrip.fields,
  roster: Schema.Array(RosterEntry),
  car: Schema.NullOr(BoardCar)
})

const jobsOf = rowsAs(JobRow)
/** The ids of a page and of one more job, and the total. */
const Listed = Schema.Struct({ ids: Schema.Array(TripId), total: Schema.Int })
const listedOf = rowsAs(Listed)
const noJobs: typeof Listed.Type = { ids: [], total: 0 }

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

/**
 * Whether a trip is still on the board: it may have changed since its id was found. The words of a search are not compared
 * again, because those in the index may come from an earlier version of Livery, which took other fields of a trip.
 */
const isStillListed = (job: typeof JobRow.Type, query: BoardQuery): boolean =>
  isOnBoard(job, query) && meetsCriteria(job, job.car?.vehicle_class ?? null, { ...query, words: undefined })

/** The jobs of a board, read from the tables `trips` and `assignments`. */
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
         ORDER BY ${byDate} LIMIT ${literalCount(sql, count)})`
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
                LIMIT ${literalCount(sql, maxTripsTested + 1)}) c`),
            ([row]) => (row?.count ?? 0) > maxTripsTested
          )

    /** The ids of the page's trips and of one more, and the total. A board that one page holds is not counted. */
    const listed = Effect.fnUntraced(function* (
      businessId: BusinessId,
      query: BoardQuery,
      request: PageRequest
    ) {
      const hasManyTrips = yield* isForManyTrips(businessId, query)
      const first = (count: number) => firstOf(businessId, query, hasManyTrips, count)
      if (needsMatching(query)) {
        const list = {
          first: (count: number) =>
            sql`SELECT * FROM (${first(count)}) f ORDER BY ${byDate} LIMIT ${literalCount(sql, count)}`,
          conditions: sql.and([
            conditionsOf(businessId, query),
            sql.or([timesOf(query).ofDay, ...timesOf(query).ofFew])
          ]),
          order: byDate,
          isFiltered: true,
          isProbablyShort: true
        }
        const { ids, total } = yield* matching({ businessId, criteria: query, list }, request, {
          isCounted: true
        })
        return { ids, total: total ?? maxCount + 1 }
      }
      const counted = sql`(SELECT least(count(*), ${literalCount(sql, maxCount + 1)}) FROM (${first(maxCount + 1)}) c)`
      const total =
        request.page > 1
          ? counted
          : sql`CASE WHEN json_array_length(ids) <= ${request.perPage} THEN json_array_length(ids) ELSE ${counted} END`
      // Planned for these values each time: a plan for all may read all trips of the business for one of the branches.
      const statement = sql<object>`
        WITH page AS MATERIALIZED (
          SELECT array_to_json(ARRAY(
            SELECT trip_id FROM (${first(offsetOf(request) + request.perPage + 1)}) f ORDER BY ${byDate}
            LIMIT ${literalCount(sql, request.perPage + 1)} OFFSET ${offsetOf(request)})) AS ids)
        SELECT ids, ${total} AS total FROM page`.unprepared
      const [jobs = noJobs] = yield* listedOf(statement)
      return jobs
    })

    /** The columns of the business's policy. */
    const policy = forBusiness(
      sql,
      ["clash_policy", "turnaround_minutes", "early_start_minutes"]
        .map((name) => `(SELECT ${name} FROM businesses WHERE business_id = ${business}) AS ${name}`)
        .join(", ")
    )

    /**
     * The jobs with these ids, by pickup time. Planning the statement takes longer than running it, so its text does not depend on
     * the filters and the page: each session plans it once. PostgreSQL expects 100 elements of any JSON and one row of the join.
     * So it rates a plan for particular values hardly better than the plan for all, and keeps the latter. A trip that was deleted
     * after its id was found is not returned.
     */
    const rowsOf = compiled<{ readonly businessId: BusinessId; readonly ids: string }>(
      sql,
      ({ businessId, ids }) => sql`
        SELECT ${columns(businessId)}${more(businessId)}, ${policy(businessId)}
        FROM json_array_elements_text(${ids}::json) p
        JOIN LATERAL (
          SELECT * FROM trips WHERE business_id = ${businessId} AND trip_id = p.value::bigint AND deleted_at IS NULL LIMIT 1
        ) t ON t.trip_id = p.value::bigint
        ORDER BY t.trip_date, t.trip_id`
    )

    const jobs = traced("DispatchBoardRepositoryPg.jobs")(function* (
      businessId: BusinessId,
      query: BoardQuery,
      request: PageRequest
    ) {
      const { ids: found, total } = yield* listed(businessId, query, request)
      const { items: ids, ...counted } = pageOf(request, found, total)
      const rows =
        ids.length === 0 ? [] : yield* Effect.orDie(rowsOf({ businessId, ids: JSON.stringify(ids) }))
      const [set = defaultPolicy] = yield* policiesOf(
        rows.length > 0 ? Effect.succeed(rows.slice(0, 1)) : sql`SELECT ${policy(businessId)}`
      )
      const jobs = yield* jobsOf(tripRows(Effect.succeed(rows)))
      return {
        ...counted,
        items: jobs.filter((job) => isStillListed(job, query)).map(jobOf),
        clashPolicy: set.clash_policy,
        turnaroundMinutes: set.turnaround_minutes
      }
    })

    return DispatchBoardRepository.of({ jobs })
  })
)
