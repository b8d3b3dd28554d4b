/** The domain's `DispatchBoardRepository` on PostgreSQL. */
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import {
  BoardCar,
  BoardDriver,
  type BoardJob,
  awaitsStart,
  type BoardQuery,
  type BusinessId,
  ClashPolicy,
  maxAbsenceDays,
  maxCount,
  Neighbour,
  DispatchBoardRepository,
  maxDurationMinutes,
  offsetOf,
  type PageRequest,
  StoredTrip,
  tripMachine
} from "@livery/domain"
import { jsonOf } from "../sql/Columns.ts"
import { business, forBusiness } from "../sql/ForBusiness.ts"
import { pageOf } from "../sql/Pages.ts"
import { instant, rowsAs } from "../sql/Rows.ts"
import {
  isListedOnBoard,
  isLive,
  isOnTrip,
  isOpenTrip,
  isStarted,
  isUnderWay,
  overlaps,
  windowOf,
  windowOfAssignment
} from "./TripConditions.ts"
import { matchingTrips, needsMatching } from "./MatchingTrips.ts"
import { tripCriteriaSql } from "./TripCriteriaSql.ts"
import { tripColumns, tripRows } from "./TripRows.ts"

const { absence_ids, assignment_id, clashes, license_expires_on, neighbours, ...ofDriver } =
  BoardDriver.fields
const RosterEntry = Schema.Struct({
  assignment_id,
  clashes,
  neighbours,
  license_expires_on,
  absence_ids,
  phone: ofDriver.phone,
  active: ofDriver.active,
  position: ofDriver.position
})

const JobRow = Schema.Struct({
  ...StoredTrip.fields,
  roster: Schema.Array(RosterEntry),
  car: Schema.NullOr(BoardCar)
})

const jobsOf = rowsAs(JobRow)
const standingOf = rowsAs(Schema.Struct({ total: Schema.Int, policy: ClashPolicy, turnaround: Schema.Int }))

const withoutEntry: Omit<typeof RosterEntry.Type, "assignment_id"> = {
  phone: null,
  active: false,
  clashes: [],
  neighbours: [],
  license_expires_on: null,
  absence_ids: [],
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

/** The ids of the trips of a subquery `other`, by pickup time, as JSON. */
const idsByPickup = "coalesce(json_agg(o.trip_id ORDER BY o.trip_date, o.trip_id), '[]'::json)"

/**
 * The trips that a driver's assignment `a` clashes with. Nearly all windows last a day at most, so the index is read
 * from a day before; the few longer ones have an index of their own.
 */
const clashesOfDriver = `
  SELECT ${idsByPickup} FROM (
    SELECT b.trip_id, b.trip_date FROM assignments b
    WHERE b.business_id = ${business} AND b.driver_id = a.driver_id AND b.status ${isLive}
      AND b.trip_date > a.trip_date - interval '1 day'
      AND ${overlaps(windowOfAssignment("a"), windowOfAssignment("b"))}
    UNION
    SELECT b.trip_id, b.trip_date FROM assignments b
    WHERE b.business_id = ${business} AND b.driver_id = a.driver_id AND b.status ${isLive}
      AND b.trip_ends_at - b.trip_date > interval '1 day'
      AND ${overlaps(windowOfAssignment("a"), windowOfAssignment("b"))}
  ) o WHERE o.trip_id <> a.trip_id`

const neighbour = (starts: string, ends: string) => jsonOf(Neighbour, "u", { starts, ends })

/** The neighbours of a trip from two subqueries with at most one row each. */
const both = (before: string, after: string) => `
  (SELECT coalesce(json_agg(n.neighbour), '[]'::json) FROM ((${before}) UNION ALL (${after})) n)`

/** The first other assignment of a driver that `condition` permits, in the order of an index, with its trip. */
const otherOfDriver = (condition: string, order: string) => `
  SELECT ${neighbour("b.trip_date", "b.trip_ends_at")} AS neighbour
  FROM (
    SELECT * FROM assignments b
    WHERE b.business_id = ${business} AND b.driver_id = a.driver_id AND b.status ${isLive} AND b.trip_id <> a.trip_id
      AND ${condition}
    ORDER BY ${order} LIMIT 1
  ) b JOIN trips u ON u.business_id = ${business} AND u.trip_id = b.trip_id`

/** No neighbour is further than a day. A trip of more than a day before the assignment is left out. */
const neighboursOfDriver = both(
  otherOfDriver(
    `b.trip_date > a.trip_date - interval '2 days' AND b.trip_date < a.trip_date AND b.trip_ends_at <= a.trip_date`,
    "b.trip_date DESC, b.assignment_id DESC"
  ),
  otherOfDriver(
    `b.trip_date >= a.trip_ends_at AND b.trip_date < a.trip_ends_at + interval '1 day'`,
    "b.trip_date, b.assignment_id"
  )
)

const absencesOfDriver = `
  (SELECT coalesce(json_agg(b.absence_id ORDER BY b.absence_id), '[]'::json) FROM driver_absences b
   WHERE b.business_id = ${business} AND b.driver_id = a.driver_id
     AND ${overlaps({ starts: "b.starts_at", ends: "b.ends_at" }, windowOfAssignment("a"))}
     -- No absence is longer, so the index is read from here.
     AND b.starts_at > a.trip_date - make_interval(days => ${maxAbsenceDays + 1}))`

const rosterEntry = jsonOf(RosterEntry, "a", {
  phone: "d.phone",
  active: "d.active AND d.deleted_at IS NULL",
  position: `CASE WHEN a.status ${isUnderWay} THEN (
    SELECT json_build_object('lat', w.lat, 'lng', w.lng, 'recorded_at', w.recorded_at) FROM driver_positions w
    WHERE w.business_id = ${business} AND w.assignment_id = a.assignment_id) END`,
  clashes: `CASE WHEN a.status ${isLive} THEN (${clashesOfDriver}) ELSE '[]'::json END`,
  neighbours: `CASE WHEN a.status ${isLive} THEN ${neighboursOfDriver} ELSE '[]'::json END`,
  license_expires_on: "d.license_expires_on",
  absence_ids: `CASE WHEN a.status ${isLive} THEN ${absencesOfDriver} ELSE '[]'::json END`
})

const roster = `
  coalesce((
    SELECT json_agg(${rosterEntry})
    FROM assignments a JOIN drivers d ON d.business_id = ${business} AND d.driver_id = a.driver_id
    WHERE a.business_id = ${business} AND a.trip_id = t.trip_id AND a.status ${isOnTrip}), '[]'::json) AS roster`

/** The trips that the car of a trip `t` clashes with, found like {@link clashesOfDriver}. */
const clashesOfCar = `
  SELECT ${idsByPickup} FROM (
    SELECT u.trip_id, u.trip_date FROM trips u
    WHERE u.business_id = ${business} AND u.car_id = t.car_id AND u.deleted_at IS NULL AND u.status ${isOpenTrip}
      AND u.trip_date > t.trip_date - interval '1 day'
      AND ${overlaps(windowOf("t"), windowOf("u"))}
    UNION
    SELECT u.trip_id, u.trip_date FROM trips u
    WHERE u.business_id = ${business} AND u.car_id = t.car_id AND u.deleted_at IS NULL AND u.status ${isOpenTrip}
      AND u.duration_minutes > 1440
      AND ${overlaps(windowOf("t"), windowOf("u"))}
  ) o WHERE o.trip_id <> t.trip_id`

const otherOfCar = `
  SELECT ${neighbour("u.trip_date", windowOf("u").ends)} AS neighbour FROM trips u
  WHERE u.business_id = ${business} AND u.car_id = t.car_id AND u.deleted_at IS NULL AND u.status ${isOpenTrip}
    AND u.trip_id <> t.trip_id`

const neighboursOfCar = both(
  `${otherOfCar} AND u.trip_date > t.trip_date - interval '2 days' AND u.trip_date < t.trip_date
   AND ${windowOf("u").ends} <= t.trip_date ORDER BY u.trip_date DESC, u.trip_id DESC LIMIT 1`,
  `${otherOfCar} AND u.trip_date >= ${windowOf("t").ends} AND u.trip_date < ${windowOf("t").ends} + interval '1 day'
   ORDER BY u.trip_date, u.trip_id LIMIT 1`
)

const car = `
  (SELECT ${jsonOf(BoardCar, "c", {
    active: "c.active AND c.deleted_at IS NULL",
    clashes: `CASE WHEN t.status ${isOpenTrip} THEN (${clashesOfCar}) ELSE '[]'::json END`,
    neighbours: `CASE WHEN t.status ${isOpenTrip} THEN ${neighboursOfCar} ELSE '[]'::json END`
  })}
   FROM cars c WHERE c.business_id = ${business} AND c.car_id = t.car_id) AS car`

export const layer = Layer.effect(
  DispatchBoardRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = tripColumns(sql)
    const more = forBusiness(sql, `, ${roster}, ${car}`)
    const isListed = sql.literal(`trips.status ${isListedOnBoard}`)
    const criteria = tripCriteriaSql(sql)
    const matching = matchingTrips(sql)
    const endsAt = sql.literal(windowOf("trips").ends)
    const minutesOfDay = sql.literal("1440")
    const started = sql.literal(`trips.status ${isStarted}`)
    const overdue = tripMachine.states
      .filter(awaitsStart)
      .map((status) => sql.literal(`trips.status = '${status}'`))
    const rowCount = (rows: number) => sql.literal(String(Math.trunc(rows)))

    const conditionsOf = (businessId: BusinessId, query: BoardQuery) =>
      sql.and([
        sql`trips.business_id = ${businessId}`,
        sql`trips.deleted_at IS NULL`,
        query.status === undefined ? isListed : sql`trips.status = ${query.status}`,
        ...criteria.conditionsOf(businessId, query)
      ])

    /** The board's condition, split into one part for each index. Together the parts are the domain's `isAtTimeOf`. */
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
           ORDER BY trip_date, trip_id LIMIT ${rowCount(count)})`
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
            sql`SELECT * FROM (${firstOf(businessId, query, count)}) f ORDER BY ${order} LIMIT ${rowCount(count)}`,
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
          LIMIT ${rowCount(request.perPage + 1)} OFFSET ${offsetOf(request)}`,
        total: sql`(SELECT least(count(*), ${rowCount(maxCount + 1)}) FROM (${counted}) c)`
      }
    })

    const jobs = Effect.fn("DispatchBoardRepositoryPg.jobs")(function* (
      businessId: BusinessId,
      query: BoardQuery,
      request: PageRequest
    ) {
      const { page, total } = yield* pageOfIds(businessId, query, request)
      const standing = sql`
        ${total} AS total, (SELECT clash_policy FROM businesses WHERE business_id = ${businessId}) AS policy,
        (SELECT turnaround_minutes FROM businesses WHERE business_id = ${businessId}) AS turnaround`
      const rows = yield* Effect.orDie(sql<object>`
        SELECT ${columns(businessId)}${more(businessId)}, ${standing}
        FROM (${page}) p
        CROSS JOIN LATERAL (SELECT * FROM trips WHERE business_id = ${businessId} AND trip_id = p.trip_id LIMIT 1) t
        ORDER BY t.trip_date, t.trip_id`)
      const [read] = yield* standingOf(
        rows.length > 0 ? Effect.succeed(rows.slice(0, 1)) : sql`SELECT ${standing}`
      )
      const jobs = yield* jobsOf(tripRows(Effect.succeed(rows)))
      const { policy, total: count, turnaround } = read ?? { policy: "warn", total: 0, turnaround: 0 }
      return { ...pageOf(request, jobs.map(jobOf), count), policy, turnaround }
    })

    return DispatchBoardRepository.of({ jobs })
  })
)
