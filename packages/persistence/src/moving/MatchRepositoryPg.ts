import { Effect, Schema } from "effect"
import { Customer, InvoiceId, MatchRepository, TripId, type TripKey } from "@livery/domain"
import { besideWords, documentOf } from "../sql/lists/SearchDocument.ts"
import { columnsOf } from "../sql/rows/Columns.ts"
import { instant, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"
import { readTrips, tripColumns } from "../trips/TripRows.ts"

const customers = rowsAs(Customer)
const sameTrips = rowsAs(Schema.Struct({ place: Schema.Int, trip_id: TripId }))
const invoices = rowsAs(Schema.Struct({ number: Schema.String, invoice_id: InvoiceId }))
const emails = rowsAs(Schema.Struct({ email: Schema.String }))

export const layer = onPostgres(MatchRepository, (sql) => {
  const columns = sql.literal(columnsOf(Customer))
  const tripColumnsOf = tripColumns(sql)
  return {
    customers: (businessId, { emails, names, phones, refs }) => {
      const live = sql`business_id = ${businessId} AND deleted_at IS NULL`
      const ofBusiness = sql`c.business_id = ${businessId} AND c.deleted_at IS NULL`
      // Each part reads an index of its own. A join looks each key up alone: a condition with `= ANY` in a plan for any keys does
      // not read the indexes of the customers that have such a key, and one query for all numbers takes a hundred times as long.
      const byPhone =
        phones.length === 0
          ? sql``
          : sql`UNION SELECT c.customer_id
              FROM unnest(${phones.map((phone) => documentOf(businessId, [phone]))}::text[]) AS p (word)
              JOIN customers c ON ${besideWords(sql, businessId, sql`c`)} AND c.search @@ p.word::tsquery
                AND c.deleted_at IS NULL`
      return customers(sql`
        SELECT ${columns} FROM customers WHERE ${live} AND customer_id IN (
          SELECT c.customer_id FROM unnest(${refs}::text[]) AS k (ref) JOIN customers c ON ${ofBusiness} AND c.external_ref = k.ref
          UNION SELECT c.customer_id FROM unnest(${emails}::text[]) AS k (email) JOIN customers c ON ${ofBusiness} AND c.email = k.email
          UNION SELECT c.customer_id FROM unnest(${names}::text[]) AS k (name) JOIN customers c ON ${ofBusiness} AND c.name = k.name
          ${byPhone})
        ORDER BY customer_id`)
    },
    trips: (businessId, refs) =>
      Effect.map(
        readTrips(sql`
          SELECT ${tripColumnsOf(businessId)} FROM unnest(${refs}::text[]) AS e (ref)
          JOIN trips t ON t.business_id = ${businessId} AND t.external_ref = e.ref AND t.deleted_at IS NULL`),
        (rows) => new Map(rows.map((trip) => [trip.external_ref ?? "", trip]))
      ),
    sameTrips: Effect.fnUntraced(function* (businessId, keys: ReadonlyArray<TripKey>) {
      const wanted = keys.map(({ customer_name, pickup_address, trip_date }, place) => ({
        place,
        customer_name,
        pickup_address,
        trip_date: instant(trip_date)
      }))
      const places = yield* sameTrips(sql`
        SELECT k.place, min(t.trip_id) AS trip_id
        FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
          AS k (place integer, customer_name text, pickup_address text, trip_date timestamptz)
        JOIN trips t ON t.business_id = ${businessId} AND t.trip_date = k.trip_date
          AND lower(t.pickup_address) = lower(k.pickup_address)
          AND lower(t.customer_name) = lower(k.customer_name) AND t.deleted_at IS NULL
        GROUP BY k.place`)
      const ids = [...new Set(places.map(({ trip_id }) => trip_id))]
      const found = yield* readTrips(sql`
        SELECT ${tripColumnsOf(businessId)} FROM trips t
        WHERE t.business_id = ${businessId} AND t.trip_id = ANY (${ids}::bigint[])`)
      const byId = new Map(found.map((trip) => [trip.trip_id, trip]))
      const byPlace = new Map(places.map(({ place, trip_id }) => [place, byId.get(trip_id)]))
      return keys.map((_, place) => byPlace.get(place) ?? null)
    }),
    invoices: (businessId, numbers) =>
      Effect.map(
        invoices(sql`
          SELECT coalesce(shown_number, number) AS number, invoice_id FROM invoices
          WHERE business_id = ${businessId} AND deleted_at IS NULL
            AND (shown_number = ANY (${numbers}::text[]) OR (shown_number IS NULL AND number = ANY (${numbers}::text[])))`),
        (rows) => new Map(rows.map(({ invoice_id, number }) => [number, invoice_id]))
      ),
    emailsOfTrips: (businessId, wanted) =>
      Effect.map(
        emails(sql`
          SELECT e.email FROM unnest(${wanted}::text[]) AS e (email)
          WHERE EXISTS (
            SELECT FROM trips t WHERE t.business_id = ${businessId} AND t.customer_email = e.email
              AND t.customer_id IS NULL AND t.deleted_at IS NULL)`),
        (rows) => rows.map(({ email }) => email)
      )
  }
})
