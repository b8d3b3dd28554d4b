/** The domain's `DispatchBoardRepository` on PostgreSQL. */
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  AssignmentId,
  defaultDurationMinutes,
  type BoardDriver,
  type BoardJob,
  type BoardQuery,
  type BusinessId,
  CarId,
  ClashPolicy,
  countedAtMost,
  DispatchBoardRepository,
  offsetOf,
  type PageRequest,
  TripId
} from "@livery/domain"
import { instant, rowsAs } from "../sql/Rows.ts"
import { tripColumns, tripOf, TripRow } from "./TripRows.ts"

const RosterEntry = Schema.Struct({
  assignment_id: AssignmentId,
  phone: Schema.NullOr(Schema.String),
  active: Schema.Boolean,
  clashes: Schema.Array(TripId),
  position: Schema.NullOr(
    Schema.Struct({ lat: Schema.Finite, lng: Schema.Finite, recorded_at: Schema.DateTimeUtcFromString })
  )
})

const BoardCarRow = Schema.Struct({
  car_id: CarId,
  name: Schema.String,
  plate_number: Schema.NullOr(Schema.String),
  seats: Schema.NullOr(Schema.Int),
  active: Schema.Boolean,
  clashes: Schema.Array(TripId)
})

const JobRow = Schema.Struct({
  ...TripRow.fields,
  roster: Schema.Array(RosterEntry),
  car: Schema.NullOr(BoardCarRow),
  total: Schema.Int,
  policy: ClashPolicy
})

const jobsOf = rowsAs(JobRow)
const totals = rowsAs(Schema.Struct({ total: Schema.Int, policy: ClashPolicy }))

const unknown: Omit<BoardDriver, keyof BoardJob["trip"]["drivers"][number]> = {
  phone: null,
  active: false,
  clashes: [],
  position: null
}

const jobOf = ({ car, policy: _policy, roster, total: _total, ...row }: typeof JobRow.Type): BoardJob => {
  const trip = tripOf(row)
  const entries = new Map(roster.map(({ assignment_id, ...entry }) => [assignment_id, entry]))
  return {
    trip,
    car,
    drivers: trip.drivers.map((driver) => ({ ...driver, ...(entries.get(driver.assignment_id) ?? unknown) }))
  }
}

/**
 * Windows are found by when they begin: nearly all of them last a day at most, so that those of the day before and of
 * the window itself are looked at; the few that last longer have indexes of their own.
 */
const roster = `
  coalesce((
    SELECT json_agg(json_build_object(
      'assignment_id', a.assignment_id, 'phone', d.phone, 'active', d.active AND d.deleted_at IS NULL,
      'position', CASE WHEN a.status = 'en_route' THEN (
        SELECT json_build_object('lat', w.lat, 'lng', w.lng, 'recorded_at', w.recorded_at) FROM driver_positions w
        WHERE w.business_id = a.business_id AND w.assignment_id = a.assignment_id) END,
      'clashes', CASE WHEN a.status IN ('assigned', 'en_route') THEN (
        SELECT coalesce(json_agg(o.trip_id ORDER BY o.trip_date, o.trip_id), '[]'::json) FROM (
          SELECT trip_id, trip_date FROM assignments
          WHERE business_id = a.business_id AND driver_id = a.driver_id AND status IN ('assigned', 'en_route')
            AND trip_date > a.trip_date - interval '1 day' AND trip_date < a.trip_ends_at
            AND trip_ends_at > a.trip_date
          UNION
          SELECT trip_id, trip_date FROM assignments
          WHERE business_id = a.business_id AND driver_id = a.driver_id AND status IN ('assigned', 'en_route')
            AND trip_ends_at - trip_date > interval '1 day'
            AND trip_date < a.trip_ends_at AND trip_ends_at > a.trip_date
        ) o WHERE o.trip_id <> a.trip_id)
      ELSE '[]'::json END))
    FROM assignments a JOIN drivers d ON d.business_id = a.business_id AND d.driver_id = a.driver_id
    WHERE a.business_id = t.business_id AND a.trip_id = t.trip_id AND a.status <> 'cancelled'), '[]'::json) AS roster`

const endOf = (trip: string) =>
  `${trip}.trip_date + make_interval(mins => coalesce(${trip}.duration_minutes, ${defaultDurationMinutes}))`

const open = "('pending', 'confirmed', 'in_progress')"

const car = `
  (SELECT json_build_object(
     'car_id', c.car_id, 'name', c.name, 'plate_number', c.plate_number, 'seats', c.seats,
     'active', c.active AND c.deleted_at IS NULL,
     'clashes', CASE WHEN t.status IN ${open} THEN (
       SELECT coalesce(json_agg(o.trip_id ORDER BY o.trip_date, o.trip_id), '[]'::json) FROM (
         SELECT u.trip_id, u.trip_date FROM trips u
         WHERE u.business_id = t.business_id AND u.car_id = t.car_id AND u.deleted_at IS NULL AND u.status IN ${open}
           AND u.trip_date > t.trip_date - interval '1 day' AND u.trip_date < ${endOf("t")} AND ${endOf("u")} > t.trip_date
         UNION
         SELECT u.trip_id, u.trip_date FROM trips u
         WHERE u.business_id = t.business_id AND u.car_id = t.car_id AND u.deleted_at IS NULL AND u.status IN ${open}
           AND u.duration_minutes > 1440
           AND u.trip_date < ${endOf("t")} AND ${endOf("u")} > t.trip_date
       ) o WHERE o.trip_id <> t.trip_id)
     ELSE '[]'::json END)
   FROM cars c WHERE c.business_id = t.business_id AND c.car_id = t.car_id) AS car`

export const layer = Layer.effect(
  DispatchBoardRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const more = sql.literal(`, ${roster}, ${car}`)

    const conditionsOf = (businessId: BusinessId, query: BoardQuery) =>
      sql.and([
        sql`trips.business_id = ${businessId}`,
        sql`trips.deleted_at IS NULL`,
        sql`trips.trip_date >= ${instant(query.from)}`,
        sql`trips.trip_date < ${instant(query.before)}`,
        query.status === undefined ? sql`trips.status <> 'cancelled'` : sql`trips.status = ${query.status}`,
        ...(query.driverId === undefined
          ? []
          : [
              sql`EXISTS (
                SELECT FROM assignments a
                WHERE a.business_id = trips.business_id AND a.trip_id = trips.trip_id AND a.status <> 'cancelled'
                  AND a.driver_id = ${query.driverId})`
            ])
      ])

    const jobs = Effect.fn("DispatchBoardRepositoryPg.jobs")(function* (
      businessId: BusinessId,
      query: BoardQuery,
      request: PageRequest
    ) {
      const conditions = conditionsOf(businessId, query)
      const rowCount = (rows: number) => sql.literal(String(Math.trunc(rows)))
      const standing = sql`
        (SELECT count(*) FROM (SELECT FROM trips WHERE ${conditions} LIMIT ${rowCount(countedAtMost + 1)}) c) AS total,
        (SELECT clash_policy FROM businesses WHERE business_id = ${businessId}) AS policy`
      const rows = yield* jobsOf(sql`
        SELECT ${tripColumns(sql)}${more}, ${standing}
        FROM (SELECT trip_id FROM trips WHERE ${conditions} ORDER BY trip_date, trip_id
              LIMIT ${rowCount(request.perPage + 1)} OFFSET ${offsetOf(request)}) p
        CROSS JOIN LATERAL (SELECT * FROM trips WHERE business_id = ${businessId} AND trip_id = p.trip_id LIMIT 1) t
        ORDER BY t.trip_date, t.trip_id`)
      const told = rows[0] ?? (request.page === 1 ? undefined : (yield* totals(sql`SELECT ${standing}`))[0])
      const total = told?.total ?? 0
      return {
        items: rows.slice(0, request.perPage).map(jobOf),
        total: total > countedAtMost ? undefined : total,
        hasMore: rows.length > request.perPage,
        policy: told?.policy ?? "warn"
      }
    })

    return DispatchBoardRepository.of({ jobs })
  })
)
