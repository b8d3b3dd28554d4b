import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import {
  BoardCar,
  type BoardJob,
  awaitsStart,
  type BoardQuery,
  boardTooLong,
  type BusinessId,
  type CarId,
  maxCount,
  DispatchBoardRepository,
  isOnBoard,
  isStarted,
  maxDurationMinutes,
  maxJobsTested,
  meetsCriteria,
  offsetOf,
  type PageRequest,
  StoredTrip,
  TripId,
  tripMachine,
  type TripStatus,
  traced
} from "@livery/domain"
import { compiled } from "../sql/statements/Compiled.ts"
import { business, forBusiness } from "../sql/statements/ForBusiness.ts"
import { pageOf } from "../sql/lists/Pages.ts"
import { literalCount } from "../sql/lists/PageLimits.ts"
import { instant, rowsAs } from "../sql/rows/Rows.ts"
import { isListedOnBoard, windowOf } from "./TripConditions.ts"
import { makeBoardChanges } from "./BoardChangesPg.ts"
import { boardColumns, RosterEntry } from "./BoardSql.ts"
import { defaultPolicy, policiesOf, policyColumns } from "./SchedulePolicies.ts"
import { tripCriteriaSql } from "./TripCriteriaSql.ts"
import { tripColumns, tripRows } from "./TripRows.ts"
import { tripsByStatus } from "./TripsByStatus.ts"

const JobRow = Schema.Struct({
  ...StoredTrip.fields,
  roster: Schema.Array(RosterEntry),
  car: Schema.NullOr(BoardCar)
})

const jobsOf = rowsAs(JobRow)

/** The ids of a page and of one more job, and the total. */
const Listed = Schema.Struct({ ids: Schema.Array(TripId), tested: Schema.Int, total: Schema.Int })
const listedOf = rowsAs(Listed)
const noJobs: typeof Listed.Type = { ids: [], tested: 0, total: 0 }

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
const isStillListed = (job: typeof JobRow.Type, query: BoardQuery): boolean => {
  const cars = [job.car, ...job.roster.map((entry) => entry.car)]
  const classOf = (carId: CarId) => cars.find((car) => car?.car_id === carId)?.vehicle_class ?? null
  return isOnBoard(job, query) && meetsCriteria(job, classOf, { ...query, words: undefined })
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const changes = yield* makeBoardChanges(sql)
  const columns = tripColumns(sql)
  const more = forBusiness(sql, boardColumns)
  const isListed = sql.literal(isListedOnBoard)
  const criteria = tripCriteriaSql(sql)
  const byStatus = tripsByStatus(sql)
  const select = sql.literal("SELECT trips.trip_date, trips.trip_id FROM trips")
  const byPickup = sql.literal("trips.trip_date, trips.trip_id")
  const endsAt = sql.literal(windowOf("trips").ends)
  const minutesOfDay = sql.literal("1440")

  /**
   * The conditions on the time, each of which has an index. Most jobs are of the first kind; the others are few in any
   * business: jobs of more than a day, and jobs of another time that are under way or overdue. Together they are the
   * domain's `isAtBoardTime`.
   */
  const timesOf = ({ before, from }: BoardQuery) => {
    const overlaps = sql`trips.trip_date < ${instant(before)} AND ${endsAt} > ${instant(from)}`
    const since = (minutes: number) => sql`trips.trip_date > ${instant(DateTime.subtract(from, { minutes }))}`
    return {
      ofDay: sql`coalesce(trips.duration_minutes, 0) <= ${minutesOfDay} AND ${overlaps} AND ${since(1440)}`,
      long: sql`trips.duration_minutes > ${minutesOfDay} AND ${overlaps} AND ${since(maxDurationMinutes)}`,
      otherTime: sql`NOT (${overlaps})`
    }
  }

  /** The first `count` jobs of a time, in the order of the board: `trip_date, trip_id`. */
  const jobsAt = (businessId: BusinessId, query: BoardQuery, count: number) => {
    const { now, status } = query
    const ofBusiness = sql`trips.business_id = ${businessId}`
    const isWanted = status === undefined ? sql`trips.status ${isListed}` : sql`trips.status = ${status}`
    const { long, ofDay, otherTime } = timesOf(query)
    const first = (rows: Statement.Fragment) =>
      sql`(SELECT * FROM (${rows}) trips ORDER BY ${byPickup} LIMIT ${literalCount(sql, count)})`
    const atTime = (time: Statement.Fragment) =>
      first(sql`${select} WHERE ${ofBusiness} AND trips.deleted_at IS NULL AND ${isWanted} AND ${time}`)
    const inStatus = (listedStatus: TripStatus, condition: Statement.Fragment) =>
      first(byStatus(select, [ofBusiness, otherTime, condition], { status: listedStatus }, byPickup))
    const late = tripMachine.states
      .filter((each) => now !== undefined && (status ?? each) === each)
      .flatMap((each) => {
        if (isStarted(each)) return inStatus(each, sql`true`)
        return now !== undefined && awaitsStart(each)
          ? inStatus(each, sql`trips.trip_date < ${instant(now)}`)
          : []
      })
    return first([atTime(long), ...late].reduce((all, rows) => sql`${all} UNION ALL ${rows}`, atTime(ofDay)))
  }

  /**
   * The ids of the page's jobs and of one more, and the total. The filters are tested on each job of the time, on at most
   * `maxJobsTested`.
   */
  const listed = Effect.fnUntraced(function* (
    businessId: BusinessId,
    query: BoardQuery,
    request: PageRequest
  ) {
    if (query.words?.length === 0) return noJobs
    const tests = [...criteria.conditionsOf(businessId, query).values()]
    const end = offsetOf(request) + request.perPage
    const count = tests.length > 0 ? maxJobsTested : Math.max(maxCount, end)
    const passing =
      tests.length === 0
        ? sql``
        : sql`CROSS JOIN LATERAL (
            SELECT FROM trips
            WHERE trips.business_id = ${businessId} AND trips.trip_id = j.trip_id AND ${sql.and(tests)} LIMIT 1) t`
    // Planned for these values each time: a plan for any values might read all trips of the business.
    const statement = sql<object>`
      WITH jobs AS MATERIALIZED (${jobsAt(businessId, query, count + 1)}),
        listed AS MATERIALIZED (SELECT j.* FROM jobs j ${passing})
      SELECT (SELECT count(*) FROM jobs) AS tested, (SELECT count(*) FROM listed) AS total, array_to_json(ARRAY(
        SELECT trip_id FROM listed trips ORDER BY ${byPickup}
        LIMIT ${request.perPage + 1} OFFSET ${offsetOf(request)})) AS ids`.unprepared
    const [jobs = noJobs] = yield* listedOf(statement)
    if (tests.length > 0 && jobs.tested > maxJobsTested) return yield* boardTooLong()
    return jobs
  })

  /** The columns of the business's policy. */
  const policy = forBusiness(
    sql,
    policyColumns
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
    const rows = ids.length === 0 ? [] : yield* Effect.orDie(rowsOf({ businessId, ids: JSON.stringify(ids) }))
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

  return { jobs, changes }
})

/** The jobs of a board, read from the tables `trips` and `assignments`. */
export const layer = Layer.effect(DispatchBoardRepository, make)
