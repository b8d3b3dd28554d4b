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

    /** The board's condition, split into one part for each index. Together the parts are the domain's `isAtBoardTime`. */
    const timesOf = ({ before, from, now }: BoardQuery): ReadonlyArray<Statement.Fragment> => {
      const isOverlapping = sql`trips.trip_date < ${instant(before)} AND ${endsAt} > ${instant(from)}`
      const since = (maxMinutes: number) =>
        sql`trips.trip_date > ${instant(DateTime.subtract(from, { minutes: maxMinutes }))}`
      return [
        sql`coalesce(trips.duration_minutes, 0) <= ${minutesOfDay} AND ${isOverlapping} AND ${since(1440)}`,
        sql`trips.duration_minutes > ${minutesOfDay} AND ${isOverlapping} AND ${since(maxDurationMinutes)}`,
        ...(now === undefined
          ? []
          : [started, ...overdue.map((status) => sql`${status} AND trips.trip_date < ${instant(now)}`)])
      ]
    }

    /** The pickups and ids of the first `count` jobs. Each branch reads at most that many entries of its index. */
    const firstOf = (businessId: BusinessId, query: BoardQuery, count: number) => {
      const conditions = conditionsOf(businessId, query)
      const branches = timesOf(query).map(
        (time) => sql`
          (SELECT trip_date, trip_id FROM trips WHERE ${conditions} AND ${time}
           ORDER BY trip_date, trip_id LIMIT ${rowCount(sql, count)})`
      )
      return branches.reduce((all, branch) => sql`${all} UNION ${branch}`)
    }

    /** `trip_id` of the page's trips and one more, and the total as an expression. */
    const pageOfIds = Effect.fnUntraced(function* (
      businessId: BusinessId,
      query: BoardQuery,
      request: PageRequest
    ) {
      const order = sql`trip_date, trip_id`
      if (needsMatching(query)) {
        const list = {
          first: (count: number) =>
            sql`SELECT * FROM (${firstOf(businessId, query, count)}) f ORDER BY ${order} LIMIT ${rowCount(sql, count)}`,
          conditions: sql.and([conditionsOf(businessId, query), sql.or(timesOf(query))]),
          order
        }
        const { ids, total } = yield* matching(businessId, query, list, request)
        return {
          page: sql`SELECT unnest(${ids}::bigint[]) AS trip_id`,
          total: sql`${total ?? maxCount + 1}::int`
        }
      }
      const counted = firstOf(businessId, query, maxCount + 1)
      const page = firstOf(businessId, query, offsetOf(request) + request.perPage + 1)
      return {
        page: sql`
          SELECT trip_id FROM (${page}) f ORDER BY ${order}
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
