/** The trips of a person on PostgreSQL, and erasing quotes, bookings, positions and what is stored beside trips. */
import {
  AssignmentId,
  type BusinessId,
  erasedBooking,
  erasedQuote,
  erasedQuoteItem,
  type Person,
  type Trip,
  TripId
} from "@livery/domain"
import { type DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { execute, instant, rowsAs } from "../sql/rows/Rows.ts"
import { readTrips, tripColumns } from "../trips/TripRows.ts"
import { eraseEmailsOfTrips } from "./ErasedInvoicesPg.ts"
import { conditionsOf } from "./PersonConditions.ts"

const lockedOf = rowsAs(
  Schema.Struct({ trip_id: TripId, deleted_at: Schema.NullOr(Schema.DateTimeUtcFromDate) })
)
const assignmentsOf = rowsAs(Schema.Struct({ assignment_id: AssignmentId, trip_id: TripId }))
const idsOf = rowsAs(Schema.Struct({ id: Schema.Int }))

/** SQL for the inputs of a stored fare without the places. */
const withoutPlaces = (fare: string) => `
  jsonb_set(jsonb_set(jsonb_set(${fare}, '{inputs,child_seats}', '[]'),
    '{inputs,pickup}', ${fare} #> '{inputs,pickup}' || '{"postal_code": null, "lat": null, "lng": null}'),
    '{inputs,dropoff}', ${fare} #> '{inputs,dropoff}' || '{"postal_code": null, "lat": null, "lng": null}')`

/** The methods of `PersonalData` for trips, quotes, bookings and positions. */
export const makePersonalTrips = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = tripColumns(sql)

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
      SELECT r.trip_id, r.deleted_at FROM trips r
      WHERE r.business_id = ${business_id} AND r.trip_id > ${after} AND ${conditionsOf(sql, person).isTrip}
      ORDER BY r.trip_id LIMIT ${limit} FOR NO KEY UPDATE`)
    const deletedAt = new Map(locked.map(({ deleted_at, trip_id }) => [trip_id, deleted_at]))
    const trips = yield* readTrips(sql`
      SELECT ${columns(business_id)} FROM trips t
      WHERE t.business_id = ${business_id} AND t.trip_id = ANY (${[...deletedAt.keys()]}::bigint[])
      ORDER BY t.trip_id`)
    return trips.map((trip): Trip => {
      const deleted_at = deletedAt.get(trip.trip_id) ?? null
      return deleted_at === null ? trip : { ...trip, deleted_at }
    })
  })

  const erasePositions = Effect.fnUntraced(function* (
    businessId: BusinessId,
    assignmentIds: ReadonlyArray<AssignmentId>
  ) {
    const isErased = sql`business_id = ${businessId} AND assignment_id = ANY (${assignmentIds}::bigint[])`
    yield* sql`DELETE FROM driver_positions WHERE ${isErased}`
    yield* sql`DELETE FROM driver_trail_history WHERE ${isErased}`
  }, Effect.orDie)

  const eraseBesideTrips = Effect.fnUntraced(function* (
    businessId: BusinessId,
    tripIds: ReadonlyArray<TripId>,
    now: DateTime.Utc
  ) {
    const ofTrips = sql`business_id = ${businessId} AND trip_id = ANY (${tripIds}::bigint[])`
    yield* sql`
      INSERT INTO retained_parties (business_id, kind, record_id, party, retained_at)
      SELECT business_id, 'trip', trip_id, jsonb_build_object('customer_name', customer_name,
        'po_number', details ->> 'po_number', 'cost_center', details ->> 'cost_center'), ${instant(now)}
      FROM trips WHERE ${ofTrips} AND invoice_id IS NOT NULL
      ON CONFLICT DO NOTHING`
    yield* sql`DELETE FROM tracking_links WHERE ${ofTrips}`
    yield* sql`DELETE FROM flight_checks WHERE ${ofTrips}`
    const assignments = yield* assignmentsOf(sql`
      SELECT assignment_id, trip_id FROM assignments WHERE ${ofTrips} ORDER BY assignment_id`)
    yield* erasePositions(
      businessId,
      assignments.map(({ assignment_id }) => assignment_id)
    )
    yield* sql`
      UPDATE trip_fares SET quoted = ${sql.literal(withoutPlaces("quoted"))},
        final = ${sql.literal(withoutPlaces("final"))}
      WHERE ${ofTrips}`
    yield* eraseEmailsOfTrips(sql, businessId, tripIds)
    yield* markErased(businessId, "trip", tripIds, now)
  }, Effect.orDie)

  const lockAssignments = Effect.fnUntraced(function* (person: Person, after: number, limit: number) {
    const { business_id } = person
    if (business_id === null) return []
    const assignments = yield* assignmentsOf(sql`
      SELECT r.assignment_id, r.trip_id FROM assignments r
      WHERE r.business_id = ${business_id} AND r.assignment_id > ${after} AND ${conditionsOf(sql, person).isDriver}
      ORDER BY r.assignment_id LIMIT ${limit}`)
    const tripIds = assignments.map(({ trip_id }) => trip_id)
    yield* sql`
      SELECT FROM trips WHERE business_id = ${business_id} AND trip_id = ANY (${tripIds}::bigint[])
      ORDER BY trip_id FOR NO KEY UPDATE`
    return assignments
  }, Effect.orDie)

  const eraseQuotes = Effect.fnUntraced(function* (person: Person, limit: number, now: DateTime.Utc) {
    const { business_id } = person
    if (business_id === null) return 0
    const erased = yield* idsOf(sql`
      UPDATE quotes SET ${sql.update({ ...erasedQuote, updated_at: instant(now) })}, version = version + 1, items = (
          SELECT coalesce(jsonb_agg(item || ${JSON.stringify(erasedQuoteItem)}::jsonb ORDER BY nth), '[]')
          FROM jsonb_array_elements(items) WITH ORDINALITY AS i (item, nth))
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
      UPDATE bookings SET ${sql.update({ ...erasedBooking, updated_at: instant(now) })}
      WHERE business_id = ${business_id} AND booking_id IN (
        SELECT r.booking_id FROM bookings r
        WHERE r.business_id = ${business_id} AND ${conditionsOf(sql, person).isBooking}
        ORDER BY r.booking_id LIMIT ${limit} FOR NO KEY UPDATE)
      RETURNING booking_id AS id`)
    const ids = erased.map(({ id }) => id)
    yield* execute(sql`
      UPDATE booking_payments SET customer_id = NULL
      WHERE business_id = ${business_id} AND booking_id = ANY (${ids}::bigint[])`)
    yield* Effect.orDie(markErased(business_id, "booking", ids, now))
    return ids.length
  })

  const eraseTemplates = Effect.fnUntraced(function* (person: Person, limit: number) {
    const { business_id } = person
    if (business_id === null) return 0
    const erased = yield* idsOf(sql`
      DELETE FROM trip_templates WHERE business_id = ${business_id} AND template_id IN (
        SELECT r.template_id FROM (
          SELECT template_id, name, trip, (trip ->> 'customer_id')::bigint AS customer_id,
            trip ->> 'customer_phone' AS customer_phone
          FROM trip_templates WHERE business_id = ${business_id}) r
        WHERE ${conditionsOf(sql, person).isTemplate}
        ORDER BY r.template_id LIMIT ${limit})
      RETURNING template_id AS id`)
    return erased.length
  })

  return {
    lockTrips,
    eraseBesideTrips,
    eraseQuotes,
    eraseBookings,
    eraseTemplates,
    lockAssignments,
    erasePositions
  }
})
