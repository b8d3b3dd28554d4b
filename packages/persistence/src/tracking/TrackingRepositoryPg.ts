import { Array, Effect, Schema, Struct } from "effect"
import type { Statement } from "effect/sql"
import {
  ActingBusiness,
  Brand,
  type BusinessId,
  Milestone,
  Position,
  RideCar,
  TrackingRepository,
  TripId,
  type TrackedTrip,
  tripMachine,
  StoredTrip
} from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { instant, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { stateLiterals } from "../sql/rows/States.ts"
import * as Conditions from "../trips/TripConditions.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const tripStatus = stateLiterals(tripMachine)

const TrackedTripRow = Schema.Struct({
  trip_id: StoredTrip.fields.trip_id,
  trip_status: StoredTrip.fields.status,
  driver_status: StoredTrip.fields.driver_status,
  trip_date: StoredTrip.fields.trip_date,
  pickup_timezone: StoredTrip.fields.pickup_timezone,
  deleted: Schema.Boolean,
  ended_at: Schema.NullOr(StoredTrip.fields.trip_date),
  link_hash: Schema.NullOr(Schema.String),
  asks_pin: Schema.Boolean,
  ...Position.mapFields(Struct.map(Schema.NullOr)).fields,
  pickup_lat: StoredTrip.fields.pickup_lat,
  pickup_lng: StoredTrip.fields.pickup_lng,
  dropoff_lat: StoredTrip.fields.dropoff_lat,
  dropoff_lng: StoredTrip.fields.dropoff_lng,
  driver_name: Schema.NullOr(Schema.String),
  car: Schema.NullOr(RideCar),
  milestone: Schema.NullOr(Milestone),
  ...Brand.fields,
  ...ActingBusiness.fields
})

const rowsOf = rowsAs(TrackedTripRow)
const trips = rowsAs(Schema.Struct({ trip_id: TripId }))

const pointOf = (lat: number | null, lng: number | null) =>
  lat === null || lng === null ? null : { lat, lng }

const trackedTripOf = (row: typeof TrackedTripRow.Type): TrackedTrip => {
  const { accuracy, heading, lat, lng, recorded_at, speed } = row
  return {
    trip_id: row.trip_id,
    business: {
      business_id: row.business_id,
      business_name: row.business_name,
      status: row.status,
      currency: row.currency,
      timezone: row.timezone
    },
    status: row.trip_status,
    driver_status: row.driver_status,
    trip_date: row.trip_date,
    pickup_timezone: row.pickup_timezone,
    deleted: row.deleted,
    ended_at: row.ended_at,
    link_hash: row.link_hash,
    asks_pin: row.asks_pin,
    position:
      lat === null || lng === null || recorded_at === null
        ? null
        : { lat, lng, accuracy, heading, speed, recorded_at },
    brand: {
      business_name: row.business_name,
      phone: row.phone,
      logo_url: row.logo_url,
      accent_color: row.accent_color
    },
    pickup: pointOf(row.pickup_lat, row.pickup_lng),
    dropoff: pointOf(row.dropoff_lat, row.dropoff_lng),
    ride:
      row.driver_name === null
        ? null
        : { driver_name: row.driver_name, car: row.car, milestone: row.milestone }
  }
}

export const layer = onPostgres(TrackingRepository, (sql) => {
  const isUnderWay = sql.literal(`a.status ${Conditions.isUnderWay}`)
  // IS TRUE keeps PostgreSQL from the index of a driver's live assignments, of which it read thousands for one trip.
  const isLive = sql.literal(`(a.status ${Conditions.isLive}) IS TRUE`)
  const isOpen = sql.literal(`status ${Conditions.isOpenTrip}`)

  const business = sql.literal(columnsOf(ActingBusiness, "b"))
  const position = sql.literal(columnsOf(Position, "p"))
  const ridePosition = sql.literal(columnsOf(Position, "r"))

  /** Each table is compared with the business's id itself, so that a distributed database reads one node (`ForBusiness.ts`). */
  const select = (businessId: BusinessId, which: Statement.Fragment) =>
    Effect.map(
      rowsOf(sql`
        SELECT t.trip_id, t.status AS trip_status, t.driver_status, t.trip_date,
          t.details ->> 'pickup_timezone' AS pickup_timezone, t.deleted_at IS NOT NULL AS deleted,
          CASE t.status WHEN ${sql.literal(tripStatus.completed)} THEN t.completed_at
            WHEN ${sql.literal(tripStatus.cancelled)} THEN t.cancelled_at END AS ended_at,
          ${business}, l.token_hash AS link_hash, b.pickup_pin AS asks_pin,
          b.phone, b.logo_url, b.accent_color, t.pickup_lat, t.pickup_lng, t.dropoff_lat, t.dropoff_lng,
          r.driver_name,
          (SELECT json_build_object('make', c.make, 'model', c.model, 'color', c.color,
              'vehicle_class', c.vehicle_class, 'plate_number', c.plate_number)
            FROM cars c WHERE c.business_id = ${businessId} AND c.car_id = coalesce(r.car_id, t.car_id)) AS car,
          (SELECT m.milestone FROM assignment_milestones m
            WHERE m.business_id = ${businessId} AND m.assignment_id = r.assignment_id AND m.stop_index = 0
              AND m.milestone <> 'arrived_at_stop'
            ORDER BY m.at DESC, m.milestone DESC LIMIT 1) AS milestone,
          ${ridePosition}
        FROM ${which}
        JOIN businesses b ON b.business_id = ${businessId}
        LEFT JOIN LATERAL (
          SELECT a.assignment_id, a.car_id, d.name AS driver_name, ${position}
          FROM assignments a
          JOIN drivers d ON d.business_id = ${businessId} AND d.driver_id = a.driver_id
          LEFT JOIN driver_positions p
            ON p.business_id = ${businessId} AND p.assignment_id = a.assignment_id AND ${isUnderWay}
          WHERE a.business_id = ${businessId} AND a.trip_id = t.trip_id AND ${isLive}
          ORDER BY ${isUnderWay} DESC, p.recorded_at DESC NULLS LAST, a.assignment_id LIMIT 1
        ) r ON true`),
      Array.map(trackedTripOf)
    )

  return {
    find: (businessId, tripIds) =>
      select(
        businessId,
        sql`
        unnest(${tripIds}::bigint[]) AS f (trip_id)
        JOIN trips t ON t.business_id = ${businessId} AND t.trip_id = f.trip_id
        LEFT JOIN tracking_links l ON l.business_id = ${businessId} AND l.trip_id = t.trip_id`
      ),
    findByLink: (businessId, tokenHash) =>
      firstOf(
        select(
          businessId,
          sql`
          tracking_links l
          JOIN trips t ON l.business_id = ${businessId} AND l.token_hash = ${tokenHash}
            AND t.business_id = ${businessId} AND t.trip_id = l.trip_id`
        )
      ),
    setLink: (businessId, tripId, tokenHash, now) =>
      Effect.map(
        trips(sql`
          INSERT INTO tracking_links (business_id, trip_id, token_hash, created_at)
          SELECT business_id, trip_id, ${tokenHash}, ${instant(now)} FROM trips
          WHERE business_id = ${businessId} AND trip_id = ${tripId} AND deleted_at IS NULL
            AND ${isOpen}
          ON CONFLICT (business_id, trip_id) DO UPDATE
          SET token_hash = excluded.token_hash, created_at = excluded.created_at
          RETURNING trip_id`),
        Array.isReadonlyArrayNonEmpty
      ),
    removeLink: (businessId, tripId) =>
      Effect.map(
        trips(sql`
          DELETE FROM tracking_links WHERE business_id = ${businessId} AND trip_id = ${tripId} RETURNING trip_id`),
        Array.isReadonlyArrayNonEmpty
      )
  }
})
