/** The domain's `TripRepository` on PostgreSQL. */
import { Array, type DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  type BusinessId,
  CurrentActor,
  type NewTrip,
  type Trip,
  TripId,
  TripRepository
} from "@livery/domain"
import { compiled } from "../sql/Compiled.ts"
import { instant, rowsAs } from "../sql/Rows.ts"
import { tripColumns, tripOf, TripRow } from "./TripRows.ts"

const trips = rowsAs(TripRow)
const ids = rowsAs(Schema.Struct({ trip_id: TripId }))

/** The columns that an update of a trip sets. */
const updatedColumns = (trip: Trip) => {
  const {
    business_id: _business,
    created_at: _created,
    deleted_at,
    drivers: _drivers,
    reference: _reference,
    trip_id: _trip,
    ...rest
  } = trip
  return {
    ...rest,
    ...(deleted_at === undefined ? {} : { deleted_at: instant(deleted_at) }),
    trip_date: instant(trip.trip_date),
    cancelled_at: trip.cancelled_at && instant(trip.cancelled_at),
    completed_at: trip.completed_at && instant(trip.completed_at),
    updated_at: instant(trip.updated_at)
  }
}

/** The values of the statement that inserts a trip: its columns, and who is inserting it. */
interface Inserted extends Omit<NewTrip, "trip_date"> {
  readonly actor: string
  readonly trip_date: Date
  readonly created_at: Date
  readonly updated_at: Date
}

interface Found {
  readonly businessId: BusinessId
  readonly tripId: TripId
}

export const layer = Layer.effect(
  TripRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = tripColumns(sql)

    const one = (businessId: BusinessId, tripId: TripId) =>
      sql`t.business_id = ${businessId} AND t.trip_id = ${tripId} AND t.deleted_at IS NULL`

    const inserted = compiled<Inserted>(
      sql,
      ({ actor, ...row }) => sql`
        WITH t AS (
          INSERT INTO trips ${sql.insert(row)} ON CONFLICT (business_id, reference) DO NOTHING RETURNING *
        ), line AS (
          INSERT INTO trip_changes (business_id, trip_id, at, actor, change, after)
          SELECT business_id, trip_id, created_at, ${actor}, 'created', jsonb_build_object('status', status) FROM t
        )
        SELECT t.*, '[]'::json AS drivers FROM t`
    )

    const insert = Effect.fnUntraced(function* (trip: NewTrip, now: DateTime.Utc) {
      const actor = yield* CurrentActor
      const row = {
        ...trip,
        actor,
        trip_date: instant(trip.trip_date),
        created_at: instant(now),
        updated_at: instant(now)
      }
      return Option.map(Array.head(yield* trips(inserted(row))), tripOf)
    })

    const found = compiled<Found>(
      sql,
      ({ businessId, tripId }) => sql`
        SELECT ${columns} FROM trips t
        WHERE t.business_id = ${businessId} AND t.trip_id = ${tripId} AND t.deleted_at IS NULL`
    )

    const find = (businessId: BusinessId, tripId: TripId) =>
      Effect.map(trips(found({ businessId, tripId })), (rows) => Option.map(Array.head(rows), tripOf))

    const lock = Effect.fnUntraced(function* (businessId: BusinessId, tripId: TripId) {
      // A statement of its own, so that the next one sees changes of the assignments that were committed while this one waited.
      yield* Effect.orDie(sql`SELECT FROM trips t WHERE ${one(businessId, tripId)} FOR NO KEY UPDATE`)
      return yield* find(businessId, tripId)
    })

    return TripRepository.of({
      insert,
      find,
      lock,
      update: (trip) =>
        Effect.asVoid(
          Effect.orDie(sql`
            UPDATE trips SET ${sql.update(updatedColumns(trip))}
            WHERE business_id = ${trip.business_id} AND trip_id = ${trip.trip_id}`)
        ),
      openTripsOfCar: (businessId, carId) =>
        Effect.map(
          ids(sql`
            SELECT trip_id FROM trips
            WHERE business_id = ${businessId} AND car_id = ${carId}
              AND status IN ('pending', 'confirmed', 'in_progress') AND deleted_at IS NULL
            ORDER BY trip_id`),
          (open) => open.map(({ trip_id }) => trip_id)
        ),
      openTripsOfCustomer: (businessId, customerId) =>
        Effect.map(
          ids(sql`
            SELECT trip_id FROM trips
            WHERE business_id = ${businessId} AND customer_id = ${customerId}
              AND status IN ('pending', 'confirmed', 'in_progress') AND deleted_at IS NULL
            ORDER BY trip_id`),
          (open) => open.map(({ trip_id }) => trip_id)
        )
    })
  })
)
