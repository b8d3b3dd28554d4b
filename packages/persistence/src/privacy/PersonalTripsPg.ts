/** Erasing trips, quotes, bookings and positions on PostgreSQL. */
import {
  type BusinessId,
  type ErasedTrip,
  erasedText,
  type Person,
  personalFields,
  StoredTrip,
  type Trip,
  TripId
} from "@livery/domain"
import { type DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { instant, rowsAs } from "../sql/Rows.ts"
import { searchOf, tripColumns, tripRows, tripValues } from "../trips/TripRows.ts"
import { conditionsOf } from "./PersonConditions.ts"

const decodeTrips = rowsAs(StoredTrip)
const lockedOf = rowsAs(Schema.Struct({ trip_id: TripId, is_deleted: Schema.Boolean }))
const idsOf = rowsAs(Schema.Struct({ id: Schema.Int }))

/** The columns of a trip that an erasure changes. */
const erasedNames = [
  "customer_id",
  "updated_at",
  ...personalFields.filter((name) => name in StoredTrip.fields)
]

/** SQL for the inputs of a stored fare without the places. */
const withoutPlaces = (fare: string) => `
  jsonb_set(jsonb_set(jsonb_set(${fare}, '{inputs,child_seats}', '[]'),
    '{inputs,pickup}', ${fare} #> '{inputs,pickup}' || '{"postal_code": null, "lat": null, "lng": null}'),
    '{inputs,dropoff}', ${fare} #> '{inputs,dropoff}' || '{"postal_code": null, "lat": null, "lng": null}')`

/** The methods of `PersonalData` for trips, quotes, bookings and positions. */
export const makePersonalTrips = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = tripColumns(sql)
  const personal = sql`${[...personalFields]}::text[]`

  const markErased = (
    businessId: BusinessId,
    kind: "trip" | "quote" | "booking",
    ids: ReadonlyArray<number>,
    now: DateTime.Utc
  ) => sql`
    INSERT INTO erased_records (business_id, kind, record_id, erased_at)
    SELECT ${businessId}, ${kind}, id, ${instant(now)} FROM unnest(${ids}::bigint[]) AS id
    ON CONFLICT (business_id, kind, record_id) DO UPDATE SET erased_at = excluded.erased_at`

  const lockTrips = Effect.fnUntraced(function* (person: Person, after: number, limit: number) {
    const { business_id } = person
    if (business_id === null) return []
    const locked = yield* lockedOf(sql`
      SELECT r.trip_id, r.deleted_at IS NOT NULL AS is_deleted FROM trips r
      WHERE r.business_id = ${business_id} AND r.trip_id > ${after} AND ${conditionsOf(sql, person).isTrip}
      ORDER BY r.trip_id LIMIT ${limit} FOR NO KEY UPDATE`)
    const deleted = new Map(locked.map(({ is_deleted, trip_id }) => [trip_id, is_deleted]))
    const trips = yield* decodeTrips(
      tripRows(sql`
        SELECT ${columns(business_id)} FROM trips t
        WHERE t.business_id = ${business_id} AND t.trip_id = ANY (${[...deleted.keys()]}::bigint[])
        ORDER BY t.trip_id`)
    )
    return trips.map((trip) => ({ trip, isDeleted: deleted.get(trip.trip_id) === true }))
  })

  /** Deletes the links, positions and other rows that belong to these trips. */
  const eraseBeside = Effect.fnUntraced(function* (businessId: BusinessId, tripIds: ReadonlyArray<TripId>) {
    const ofTrips = sql`business_id = ${businessId} AND trip_id = ANY (${tripIds}::bigint[])`
    const assignments = sql`
      business_id = ${businessId} AND assignment_id IN (SELECT assignment_id FROM assignments WHERE ${ofTrips})`
    yield* sql`DELETE FROM tracking_links WHERE ${ofTrips}`
    yield* sql`DELETE FROM driver_positions WHERE ${assignments}`
    yield* sql`DELETE FROM driver_trail_history WHERE ${assignments}`
    yield* sql`UPDATE assignment_milestones SET lat = NULL, lng = NULL WHERE ${assignments} AND lat IS NOT NULL`
    yield* sql`UPDATE assignments SET ended_token_hash = NULL WHERE ${ofTrips} AND ended_token_hash IS NOT NULL`
    yield* sql`
      UPDATE trip_fares SET quoted = ${sql.literal(withoutPlaces("quoted"))},
        final = ${sql.literal(withoutPlaces("final"))}
      WHERE ${ofTrips}`
  })

  const saveTrips = Effect.fnUntraced(function* (erased: ReadonlyArray<ErasedTrip>, now: DateTime.Utc) {
    const [first] = erased
    if (first === undefined) return
    const businessId = first.trip.business_id
    const ids = (trips: ReadonlyArray<ErasedTrip>) => trips.map(({ trip }) => trip.trip_id)
    const whole = ids(erased.filter(({ isWhole }) => isWhole))
    yield* sql`
      INSERT INTO retained_parties (business_id, kind, record_id, party, retained_at)
      SELECT business_id, 'trip', trip_id, jsonb_build_object('customer_name', customer_name,
        'po_number', details ->> 'po_number', 'cost_center', details ->> 'cost_center'), ${instant(now)}
      FROM trips
      WHERE business_id = ${businessId} AND trip_id = ANY (${whole}::bigint[]) AND invoice_id IS NOT NULL
      ON CONFLICT DO NOTHING`
    const save = (trip: Trip) => sql`
      WITH words AS (
        UPDATE trip_search SET search = ${searchOf(trip)}::tsvector
        WHERE business_id = ${businessId} AND trip_id = ${trip.trip_id}
      )
      UPDATE trips SET ${sql.update(tripValues(erasedNames, trip))}
      WHERE business_id = ${businessId} AND trip_id = ${trip.trip_id}`
    yield* Effect.forEach(erased, ({ trip }) => save(trip), { discard: true })
    yield* sql`
      UPDATE trip_changes SET before = before - ${personal}, after = after - ${personal}
      WHERE business_id = ${businessId} AND trip_id = ANY (${ids(erased)}::bigint[])
        AND (before ?| ${personal} OR after ?| ${personal})`
    if (whole.length === 0) return
    yield* eraseBeside(businessId, whole)
    yield* markErased(businessId, "trip", whole, now)
  }, Effect.orDie)

  const eraseQuotes = Effect.fnUntraced(function* (person: Person, limit: number, now: DateTime.Utc) {
    const { business_id } = person
    if (business_id === null) return 0
    const erased = yield* idsOf(sql`
      UPDATE quotes SET customer_id = NULL, customer_name = ${erasedText}, customer_email = NULL,
        customer_phone = NULL, notes = NULL, accepted_by = NULL, accepted_address = NULL, reject_reason = NULL,
        token_hash = NULL, updated_at = ${instant(now)}, items = (
          SELECT coalesce(jsonb_agg(item || jsonb_build_object('description', ${erasedText}::text, 'trip', NULL, 'fare', NULL)
            ORDER BY place), '[]')
          FROM jsonb_array_elements(items) WITH ORDINALITY AS i (item, place))
      WHERE business_id = ${business_id} AND quote_id IN (
        SELECT r.quote_id FROM quotes r
        WHERE r.business_id = ${business_id} AND ${conditionsOf(sql, person).isQuote}
        ORDER BY r.quote_id LIMIT ${limit} FOR NO KEY UPDATE)
      RETURNING quote_id AS id`)
    const ids = erased.map(({ id }) => id)
    yield* Effect.orDie(markErased(business_id, "quote", ids, now))
    return ids.length
  })

  const eraseBookings = Effect.fnUntraced(function* (person: Person, limit: number, now: DateTime.Utc) {
    const { business_id } = person
    if (business_id === null) return 0
    const erased = yield* idsOf(sql`
      UPDATE bookings SET customer_id = NULL, customer_name = ${erasedText}, customer_email = NULL,
        customer_phone = NULL, pickup_address = NULL, dropoff_address = NULL, notes = NULL,
        updated_at = ${instant(now)}
      WHERE business_id = ${business_id} AND booking_id IN (
        SELECT r.booking_id FROM bookings r
        WHERE r.business_id = ${business_id} AND ${conditionsOf(sql, person).isBooking}
        ORDER BY r.booking_id LIMIT ${limit} FOR NO KEY UPDATE)
      RETURNING booking_id AS id`)
    const ids = erased.map(({ id }) => id)
    yield* Effect.orDie(markErased(business_id, "booking", ids, now))
    return ids.length
  })

  const eraseAssignments = Effect.fnUntraced(function* (person: Person, after: number, limit: number) {
    const { business_id } = person
    if (business_id === null || person.driver_ids.length === 0) return { count: 0, last: after }
    const found = yield* idsOf(sql`
      SELECT r.assignment_id AS id FROM assignments r
      WHERE r.business_id = ${business_id} AND r.assignment_id > ${after} AND ${conditionsOf(sql, person).isDriver}
      ORDER BY r.assignment_id LIMIT ${limit}`)
    const ids = found.map(({ id }) => id)
    const these = sql`business_id = ${business_id} AND assignment_id = ANY (${ids}::bigint[])`
    yield* sql`DELETE FROM driver_positions WHERE ${these}`
    yield* sql`DELETE FROM driver_trail_history WHERE ${these}`
    yield* sql`UPDATE assignment_milestones SET lat = NULL, lng = NULL WHERE ${these} AND lat IS NOT NULL`
    yield* sql`UPDATE assignments SET ended_token_hash = NULL WHERE ${these} AND ended_token_hash IS NOT NULL`
    return { count: ids.length, last: ids.at(-1) ?? after }
  }, Effect.orDie)

  return { lockTrips, saveTrips, eraseQuotes, eraseBookings, eraseAssignments }
})
