import { Array, type DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  type BusinessId,
  type CarId,
  type CustomerId,
  StoredTrip,
  type Trip,
  TripId,
  TripRepository
} from "@livery/domain"
import { compiled } from "../sql/statements/Compiled.ts"
import { makeKeyedRead } from "../sql/lists/KeyedReads.ts"
import { execute, instant, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { isLive, isOpenTrip } from "./TripConditions.ts"
import { makeInsertTrip } from "./TripInsertion.ts"
import { readTrips, searchOf, tripColumns, tripRows, tripValues } from "./TripRows.ts"

const tripsOf = rowsAs(StoredTrip)
const ids = rowsAs(Schema.Struct({ trip_id: TripId }))

/** The columns that an update never sets. Assignments are rows of another table. */
const immutable = new Set(["business_id", "trip_id", "reference", "drivers", "former_drivers", "created_at"])
const updatedNames = Object.keys(StoredTrip.fields).filter((name) => !immutable.has(name))

/** The values of the columns that an update sets. */
const rowOf = (trip: Trip) => ({
  ...tripValues(updatedNames, trip),
  deleted_at: trip.deleted_at === undefined ? null : instant(trip.deleted_at)
})

interface TripKey {
  readonly businessId: BusinessId
  readonly tripId: TripId
}

/** Trips in the table `trips`. A deleted one stays as a row with `deleted_at`. */
export const layer = Layer.effect(
  TripRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = tripColumns(sql)
    const insert = yield* makeInsertTrip(sql)
    const isOpen = sql.literal(`status ${isOpenTrip}`)
    const isLiveAssignment = sql.literal(`status ${isLive}`)

    const readRows = makeKeyedRead(sql, {
      statement: (businessId, ids) => sql`
        SELECT ${columns(businessId)} FROM trips t
        WHERE t.business_id = ${businessId} AND t.trip_id ${ids} AND t.deleted_at IS NULL`,
      idOf: (row) => (row as { readonly trip_id: TripId }).trip_id,
      complete: tripRows
    })

    const find = (businessId: BusinessId, tripId: TripId) => firstOf(tripsOf(readRows(businessId, tripId)))

    const lockStatement = compiled<TripKey>(
      sql,
      ({ businessId, tripId }) => sql`
        SELECT FROM trips
        WHERE business_id = ${businessId} AND trip_id = ${tripId} AND deleted_at IS NULL FOR NO KEY UPDATE`
    )

    const lock = Effect.fnUntraced(function* (businessId: BusinessId, tripId: TripId) {
      // A separate statement, so that the next one sees changes of the assignments that were committed while this one
      // waited.
      yield* Effect.orDie(lockStatement({ businessId, tripId }))
      return yield* find(businessId, tripId)
    })

    const lockAll = Effect.fnUntraced(function* (businessId: BusinessId, tripIds: ReadonlyArray<TripId>) {
      const these = sql`business_id = ${businessId} AND trip_id = ANY (${tripIds}::bigint[]) AND deleted_at IS NULL`
      yield* Effect.orDie(sql`SELECT FROM trips WHERE ${these} ORDER BY trip_id FOR NO KEY UPDATE`)
      return yield* readTrips(sql`SELECT ${columns(businessId)} FROM trips t WHERE ${these} ORDER BY trip_id`)
    })

    const updateStatement = compiled<TripKey>(
      sql,
      ({ businessId, tripId, ...row }) => sql`
        UPDATE trips SET ${sql.update(row)} WHERE business_id = ${businessId} AND trip_id = ${tripId}`
    )

    const update = Effect.fnUntraced(function* (trip: Trip, before: Trip) {
      const { business_id: businessId, trip_id: tripId } = trip
      const search = searchOf(trip)
      if (search !== searchOf(before))
        yield* execute(sql`
          UPDATE trip_search SET search = ${search}::tsvector
          WHERE business_id = ${businessId} AND trip_id = ${tripId}`)
      yield* execute(updateStatement({ businessId, tripId, ...rowOf(trip) }))
    })

    const updateAll = Effect.fnUntraced(function* (businessId: BusinessId, changed: ReadonlyArray<Trip>) {
      const [first] = changed
      if (first === undefined) return
      const assignments = Object.keys(rowOf(first)).map((name) => `${name} = changed.${name}`)
      const rows = JSON.stringify(changed.map((trip) => ({ trip_id: trip.trip_id, ...rowOf(trip) })))
      const tripIds = changed.map(({ trip_id }) => trip_id)
      yield* sql`
        UPDATE trip_search s SET search = words.search::tsvector
        FROM unnest(${tripIds}::bigint[], ${changed.map(searchOf)}::text[]) AS words (trip_id, search)
        WHERE s.business_id = ${businessId} AND s.trip_id = words.trip_id AND s.search <> words.search::tsvector`
      yield* sql`
        UPDATE trips t SET ${sql.literal(assignments.join(", "))}
        FROM jsonb_populate_recordset(NULL::trips, ${rows}::jsonb) AS changed
        WHERE t.business_id = ${businessId} AND t.trip_id = changed.trip_id`
    }, Effect.orDie)

    const insertAll = Effect.fnUntraced(function* (businessId: BusinessId, all: ReadonlyArray<Trip>) {
      const rows = all.map((trip) => ({
        business_id: businessId,
        trip_id: trip.trip_id,
        reference: trip.reference,
        created_at: instant(trip.created_at),
        ...rowOf(trip)
      }))
      const [first] = rows
      if (first === undefined) return []
      const names = sql.literal(Object.keys(first).join(", "))
      const inserted = yield* ids(sql`
        INSERT INTO trips (${names})
        SELECT ${names} FROM jsonb_populate_recordset(NULL::trips, ${JSON.stringify(rows)}::jsonb)
        ON CONFLICT DO NOTHING
        RETURNING trip_id`)
      const stored = new Set(inserted.map(({ trip_id }) => trip_id))
      const found = all.filter(({ trip_id }) => stored.has(trip_id))
      yield* execute(sql`
        INSERT INTO trip_search (business_id, trip_id, search)
        SELECT ${businessId}::bigint, words.trip_id, words.search::tsvector
        FROM unnest(${found.map(({ trip_id }) => trip_id)}::bigint[], ${found.map(searchOf)}::text[])
          AS words (trip_id, search)`)
      return [...stored]
    })

    const setCustomer = (
      businessId: BusinessId,
      tripIds: ReadonlyArray<TripId>,
      customerId: CustomerId,
      now: DateTime.Utc
    ) =>
      execute(sql`
          UPDATE trips SET customer_id = ${customerId}, updated_at = ${instant(now)}
          WHERE business_id = ${businessId} AND trip_id = ANY (${tripIds}::bigint[])`)

    const tripsWithoutCustomer = (businessId: BusinessId, email: string) =>
      Effect.map(
        ids(sql`
          SELECT trip_id FROM trips
          WHERE business_id = ${businessId} AND customer_id IS NULL AND customer_email = ${email}
            AND deleted_at IS NULL
          ORDER BY trip_id`),
        Array.map(({ trip_id }) => trip_id)
      )

    const openTripsOfCar = (businessId: BusinessId, carId: CarId) =>
      Effect.map(
        ids(sql`
          SELECT trip_id FROM trips
          WHERE business_id = ${businessId} AND car_id = ${carId} AND ${isOpen} AND deleted_at IS NULL
          UNION
          SELECT trip_id FROM assignments
          WHERE business_id = ${businessId} AND car_id = ${carId} AND ${isLiveAssignment}
          ORDER BY trip_id`),
        Array.map(({ trip_id }) => trip_id)
      )

    const openTripsOfCustomer = (businessId: BusinessId, customerId: CustomerId) =>
      Effect.map(
        ids(sql`
          SELECT trip_id FROM trips
          WHERE business_id = ${businessId} AND customer_id = ${customerId} AND ${isOpen} AND deleted_at IS NULL
          ORDER BY trip_id`),
        Array.map(({ trip_id }) => trip_id)
      )

    return TripRepository.of({
      insert,
      insertAll,
      find,
      lock,
      lockAll,
      update,
      updateAll,
      setCustomer,
      setInvoice: (businessId, tripIds, { invoiceId, paymentStatus }, now) =>
        execute(sql`
            UPDATE trips
            SET invoice_id = ${invoiceId}, payment_status = ${paymentStatus}, updated_at = ${instant(now)}
            WHERE business_id = ${businessId} AND trip_id = ANY (${tripIds}::bigint[])`),
      tripsWithoutCustomer,
      openTripsOfGroup: (businessId, groupId, most) =>
        Effect.map(
          ids(sql`
            SELECT trip_id FROM trips
            WHERE business_id = ${businessId} AND group_id = ${groupId} AND ${isOpen} AND deleted_at IS NULL
            ORDER BY trip_id LIMIT ${most}`),
          Array.map(({ trip_id }) => trip_id)
        ),
      endedTripsOfGroup: (businessId, groupId, from, most) =>
        Effect.map(
          ids(sql`
            SELECT trip_id FROM trips
            WHERE business_id = ${businessId} AND group_id = ${groupId} AND NOT (${isOpen}) AND deleted_at IS NULL
              ${from === undefined ? sql`` : sql`AND trip_date >= ${instant(from)}`}
            ORDER BY trip_date DESC, trip_id DESC LIMIT ${most}`),
          Array.map(({ trip_id }) => trip_id)
        ),
      openTripsOfCar,
      openTripsOfCustomer
    })
  })
)
