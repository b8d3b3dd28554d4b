/**
 * The domain's `DriverTripRepository` on PostgreSQL. The columns are named one by one: what a driver must not know is
 * not read.
 */
import { Array, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  AssignmentId,
  AssignmentStatus,
  type BusinessId,
  CarId,
  countedAtMost,
  type DriverId,
  DriverTripRepository,
  type DriverTripQuery,
  Milestone,
  offsetOf,
  TripId,
  TripStatus,
  TripType
} from "@livery/domain"
import { Instant, instant, rowsAs } from "../sql/Rows.ts"

const text = Schema.NullOr(Schema.String)
const number = Schema.NullOr(Schema.Finite)
const count = Schema.NullOr(Schema.Int)

const CarJson = Schema.Struct({
  car_id: CarId,
  name: Schema.String,
  plate_number: text,
  make: text,
  model: text,
  color: text,
  vehicle_class: text,
  seats: count
})

const MilestoneJson = Schema.Struct({
  milestone: Milestone,
  at: Schema.DateTimeUtcFromMillis,
  lat: number,
  lng: number
})

const JobRow = Schema.Struct({
  trip_id: TripId,
  assignment_id: AssignmentId,
  reference: Schema.String,
  trip_status: TripStatus,
  status: AssignmentStatus,
  trip_type: TripType,
  trip_date: Instant,
  duration_minutes: count,
  pickup_address: Schema.String,
  pickup_postal_code: text,
  pickup_lat: number,
  pickup_lng: number,
  dropoff_address: Schema.String,
  dropoff_postal_code: text,
  dropoff_lat: number,
  dropoff_lng: number,
  customer_name: Schema.String,
  customer_phone: text,
  car: Schema.NullOr(CarJson),
  flight_number: text,
  terminal: text,
  participants_count: count,
  notes: text,
  special_requirements: text,
  milestones: Schema.Array(MilestoneJson),
  created_at: Instant,
  updated_at: Instant
})

const jobs = rowsAs(JobRow)
const countedJobs = rowsAs(Schema.Struct({ ...JobRow.fields, total: Schema.Int }))
const counts = rowsAs(Schema.Struct({ total: Schema.Int }))
const days = rowsAs(
  Schema.Struct({
    name: Schema.String,
    trips_today: Schema.Int,
    trips_upcoming: Schema.Int,
    trips_completed: Schema.Int,
    default_car: Schema.NullOr(CarJson),
    upcoming_cars: Schema.Array(CarJson)
  })
)

export const layer = Layer.effect(
  DriverTripRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const carJson =
      sql.literal(`json_build_object('car_id', c.car_id, 'name', c.name, 'plate_number', c.plate_number,
      'make', c.make, 'model', c.model, 'color', c.color, 'vehicle_class', c.vehicle_class, 'seats', c.seats)`)

    /** Of `assignments a` and `trips t`. */
    const columns = sql`
      t.trip_id, a.assignment_id, t.reference, t.status AS trip_status, a.status, t.trip_type, t.trip_date, t.duration_minutes,
      t.pickup_address, t.pickup_postal_code, t.pickup_lat, t.pickup_lng, t.dropoff_address, t.dropoff_postal_code,
      t.dropoff_lat, t.dropoff_lng, t.customer_name, t.customer_phone, t.flight_number, t.terminal,
      t.participants_count, t.notes, t.special_requirements, t.created_at, t.updated_at,
      (SELECT ${carJson} FROM cars c WHERE c.business_id = t.business_id AND c.car_id = t.car_id) AS car,
      coalesce((
        SELECT json_agg(json_build_object('milestone', m.milestone, 'lat', m.lat, 'lng', m.lng,
          'at', floor(extract(epoch FROM m.at) * 1000)) ORDER BY m.at, m.milestone)
        FROM assignment_milestones m
        WHERE m.business_id = a.business_id AND m.assignment_id = a.assignment_id), '[]') AS milestones`

    /**
     * Of a driver's `assignments a` those that are jobs: the last part in each trip that is not deleted. Only a
     * cancelled part can have a later one, so that no other is asked for it; and deleted trips are few, with an index
     * of their own. Both are written so that they are looked up row by row: made into joins, a wrong guess of how many
     * there are compared a long history with itself, for seconds.
     */
    const own = (businessId: BusinessId, driverId: DriverId) => sql`
      a.business_id = ${businessId} AND a.driver_id = ${driverId}
      AND (a.status <> 'cancelled' OR NOT EXISTS (
        SELECT FROM assignments later
        WHERE later.business_id = a.business_id AND later.trip_id = a.trip_id AND later.driver_id = a.driver_id
          AND later.assignment_id > a.assignment_id))
      AND (
        SELECT gone.trip_id FROM trips gone
        WHERE gone.business_id = a.business_id AND gone.trip_id = a.trip_id AND gone.deleted_at IS NOT NULL) IS NULL`

    const toBeDone = (now: Date) =>
      sql`(a.status = 'en_route' OR (a.status = 'assigned' AND a.trip_ends_at > ${now}))`

    const wanted = (businessId: BusinessId, driverId: DriverId, { filter, now, status }: DriverTripQuery) => {
      const upcoming = toBeDone(instant(now))
      return sql.and([
        own(businessId, driverId),
        ...(filter === undefined ? [] : [filter === "upcoming" ? upcoming : sql`NOT ${upcoming}`]),
        ...(status === undefined ? [] : [sql`a.status = ${status}`])
      ])
    }

    return DriverTripRepository.of({
      find: (businessId, driverId, tripId) =>
        Effect.map(
          jobs(sql`
            SELECT ${columns} FROM assignments a JOIN trips t USING (business_id, trip_id)
            WHERE ${own(businessId, driverId)} AND a.trip_id = ${tripId}`),
          Array.head
        ),
      list: Effect.fnUntraced(function* (businessId, driverId, query, request) {
        const which = wanted(businessId, driverId, query)
        const order = sql.literal(
          query.order === "soonest"
            ? "a.trip_date ASC, a.assignment_id ASC"
            : "a.trip_date DESC, a.assignment_id DESC"
        )
        const counted = sql`
          SELECT count(*) AS total FROM (SELECT FROM assignments a WHERE ${which} LIMIT ${countedAtMost + 1}) c`
        const rows = yield* countedJobs(sql`
          SELECT ${columns}, (${counted}) AS total
          FROM (
            SELECT * FROM assignments a WHERE ${which} ORDER BY ${order}
            LIMIT ${request.perPage + 1} OFFSET ${offsetOf(request)}
          ) a
          CROSS JOIN LATERAL (
            SELECT * FROM trips WHERE business_id = a.business_id AND trip_id = a.trip_id LIMIT 1) t
          ORDER BY ${order}`)
        const [first] = rows
        const total = first?.total ?? (request.page === 1 ? 0 : ((yield* counts(counted))[0]?.total ?? 0))
        return {
          items: rows.slice(0, request.perPage).map(({ total: _total, ...job }) => job),
          total: total > countedAtMost ? undefined : total,
          hasMore: rows.length > request.perPage
        }
      }),
      day: Effect.fnUntraced(function* (businessId, driverId, { ends, now, starts }) {
        const upcoming = toBeDone(instant(now))
        const job = own(businessId, driverId)
        const [day] = yield* days(sql`
          SELECT d.name,
            (SELECT ${carJson} FROM cars c WHERE c.business_id = d.business_id AND c.car_id = d.default_car_id
              AND c.deleted_at IS NULL) AS default_car,
            (SELECT count(*) FROM assignments a WHERE ${job} AND a.status <> 'cancelled'
              AND a.trip_date >= ${instant(starts)} AND a.trip_date < ${instant(ends)}) AS trips_today,
            (SELECT count(*) FROM assignments a WHERE ${job} AND ${upcoming}) AS trips_upcoming,
            (SELECT count(*) FROM assignments a WHERE ${job} AND a.status = 'completed') AS trips_completed,
            coalesce((
              SELECT json_agg(${carJson} ORDER BY c.name, c.car_id) FROM cars c
              WHERE c.business_id = d.business_id
                AND c.car_id IN (
                  SELECT t.car_id FROM assignments a JOIN trips t USING (business_id, trip_id)
                  WHERE ${job} AND ${upcoming})), '[]') AS upcoming_cars
          FROM drivers d WHERE d.business_id = ${businessId} AND d.driver_id = ${driverId}`)
        return yield* Effect.orDie(Effect.fromNullishOr(day))
      })
    })
  })
)
