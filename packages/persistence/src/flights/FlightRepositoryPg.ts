import { Array, DateTime, Effect, Schema } from "effect"
import {
  ActingBusiness,
  businessMachine,
  defaultFlightSettings,
  FlightRepository,
  FlightSettings,
  mostLaterMinutes,
  StoredTrip
} from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { execute, instant, rowsAs } from "../sql/rows/Rows.ts"
import { stateLiterals } from "../sql/rows/States.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"
import * as Conditions from "../trips/TripConditions.ts"

const instantOrNull = Schema.NullOr(StoredTrip.fields.trip_date)

const CheckRow = Schema.Struct({
  trip_id: StoredTrip.fields.trip_id,
  booked_for: instantOrNull,
  set_to: instantOrNull,
  failures: Schema.Int
})

const settingsOf = rowsAs(Schema.Struct({ settings: FlightSettings }))
const followingOf = rowsAs(Schema.Struct({ ...ActingBusiness.fields, settings: FlightSettings }))
const checksOf = rowsAs(CheckRow)

const checkColumns = columnsOf(CheckRow, "c")

export const layer = onPostgres(FlightRepository, (sql) => {
  const acting = sql.literal(columnsOf(ActingBusiness, "b"))
  const columns = sql.literal(checkColumns)
  const active = sql.literal(stateLiterals(businessMachine).A)
  const isOpen = sql.literal(`t.status ${Conditions.isOpenTrip}`)

  return {
    settings: (businessId) =>
      Effect.map(
        settingsOf(sql`SELECT settings FROM flight_settings WHERE business_id = ${businessId}`),
        ([row]) => row?.settings ?? defaultFlightSettings
      ),
    save: (businessId, settings) =>
      execute(sql`
        INSERT INTO flight_settings (business_id, enabled, settings)
        VALUES (${businessId}, ${settings.enabled}, ${JSON.stringify(settings)})
        ON CONFLICT (business_id) DO UPDATE SET enabled = excluded.enabled, settings = excluded.settings`),
    businesses: (after, limit) =>
      Effect.map(
        followingOf(sql`
          SELECT ${acting}, s.settings
          FROM flight_settings s JOIN businesses b ON b.business_id = s.business_id
          WHERE s.business_id > ${after ?? 0} AND s.enabled AND b.status = ${active}
          ORDER BY s.business_id LIMIT ${limit}`),
        Array.map(({ settings, ...business }) => ({ acting: business, settings }))
      ),
    claim: (businessId, { dueAgain, from, limit, now, until }) =>
      checksOf(sql`
        INSERT INTO flight_checks AS c (business_id, trip_id, flight, due_at)
        SELECT t.business_id, t.trip_id, t.flight_number, ${instant(dueAgain)}::timestamptz
        FROM trips t
        LEFT JOIN flight_checks k ON k.business_id = ${businessId} AND k.trip_id = t.trip_id
        WHERE t.business_id = ${businessId} AND t.deleted_at IS NULL AND t.flight_number IS NOT NULL AND ${isOpen}
          AND t.trip_date >= ${instant(from)} AND t.trip_date <= ${instant(DateTime.add(until, { minutes: mostLaterMinutes }))}
          AND coalesce(k.booked_for, t.trip_date) <= ${instant(until)}
          AND (k.trip_id IS NULL OR k.due_at <= ${instant(now)} OR k.flight <> t.flight_number)
        ORDER BY t.trip_date, t.trip_id LIMIT ${limit}
        ON CONFLICT (business_id, trip_id) DO UPDATE SET
          due_at = excluded.due_at,
          flight = excluded.flight,
          booked_for = CASE WHEN c.flight = excluded.flight THEN c.booked_for END,
          set_to = CASE WHEN c.flight = excluded.flight THEN c.set_to END,
          failures = CASE WHEN c.flight = excluded.flight THEN c.failures ELSE 0 END
        WHERE c.due_at <= ${instant(now)} OR c.flight <> excluded.flight
        RETURNING ${columns}`),
    check: (businessId, tripId) =>
      Effect.map(
        checksOf(sql`
          SELECT ${columns} FROM flight_checks c WHERE c.business_id = ${businessId} AND c.trip_id = ${tripId}`),
        ([row]) => row
      ),
    record: (businessId, { booked_for, failures, set_to, trip_id }, dueAt) =>
      execute(sql`
        UPDATE flight_checks SET booked_for = ${booked_for && instant(booked_for)},
          set_to = ${set_to && instant(set_to)}, failures = ${failures}, due_at = ${dueAt && instant(dueAt)}
        WHERE business_id = ${businessId} AND trip_id = ${trip_id}`)
  }
})
