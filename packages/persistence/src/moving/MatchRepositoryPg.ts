import { Effect, Schema } from "effect"
import { Customer, InvoiceId, MatchRepository, TripId } from "@livery/domain"
import { documentOf } from "../sql/lists/SearchDocument.ts"
import { columnsOf } from "../sql/rows/Columns.ts"
import { instant, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const customers = rowsAs(Customer)
const trips = rowsAs(Schema.Struct({ external_ref: Schema.String, trip_id: TripId }))
const sameTrips = rowsAs(Schema.Struct({ place: Schema.Int, trip_id: TripId }))
const invoices = rowsAs(Schema.Struct({ number: Schema.String, invoice_id: InvoiceId }))
const emails = rowsAs(Schema.Struct({ email: Schema.String }))

export const layer = onPostgres(MatchRepository, (sql) => {
  const columns = sql.literal(columnsOf(Customer))
  return {
    customers: (businessId, { emails, names, phones, refs }) => {
      const live = sql`business_id = ${businessId} AND deleted_at IS NULL`
      // Each part reads an index of its own.
      // A join looks each number up alone: one query for all of them takes a hundred times as long.
      const byPhone =
        phones.length === 0
          ? sql``
          : sql`UNION SELECT c.customer_id
              FROM unnest(${phones.map((phone) => documentOf(businessId, [phone]))}::text[]) AS p (word)
              JOIN customers c ON c.search @@ p.word::tsquery AND c.deleted_at IS NULL`
      return customers(sql`
        SELECT ${columns} FROM customers WHERE ${live} AND customer_id IN (
          SELECT customer_id FROM customers WHERE ${live} AND external_ref = ANY (${refs}::text[])
          UNION SELECT customer_id FROM customers WHERE ${live} AND email = ANY (${emails}::text[])
          UNION SELECT customer_id FROM customers WHERE ${live} AND name = ANY (${names}::text[])
          ${byPhone})
        ORDER BY customer_id`)
    },
    trips: (businessId, refs) =>
      Effect.map(
        trips(sql`
          SELECT external_ref, trip_id FROM trips
          WHERE business_id = ${businessId} AND external_ref = ANY (${refs}::text[]) AND deleted_at IS NULL`),
        (rows) => new Map(rows.map(({ external_ref, trip_id }) => [external_ref, trip_id]))
      ),
    sameTrips: (businessId, keys) => {
      const wanted = keys.map(({ customer_name, pickup_address, trip_date }, place) => ({
        place,
        customer_name,
        pickup_address,
        trip_date: instant(trip_date)
      }))
      return Effect.map(
        sameTrips(sql`
          SELECT k.place, min(t.trip_id) AS trip_id
          FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
            AS k (place integer, customer_name text, pickup_address text, trip_date timestamptz)
          JOIN trips t ON t.business_id = ${businessId} AND t.trip_date = k.trip_date
            AND lower(t.pickup_address) = lower(k.pickup_address)
            AND lower(t.customer_name) = lower(k.customer_name) AND t.deleted_at IS NULL
          GROUP BY k.place`),
        (rows) => {
          const found = new Map(rows.map(({ place, trip_id }) => [place, trip_id]))
          return keys.map((_, place) => found.get(place) ?? null)
        }
      )
    },
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
