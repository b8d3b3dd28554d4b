/** Erasing how a person is reached from the snapshots of sealed invoices on PostgreSQL. */
import { type BusinessId, InvoiceId, type Person, type TripId } from "@livery/domain"
import { Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { rowsAs } from "../sql/rows/Rows.ts"

const idsOf = rowsAs(Schema.Struct({ id: InvoiceId }))

/** SQL for the trips and the emails in a snapshot `s`: the expressions of the index `invoice_snapshots_by_trip`. */
const tripIdsIn = "jsonb_path_query_array(s.snapshot, '$.trips[*].trip_id')"
const emailsIn = "(lower(jsonb_path_query_array(s.snapshot, '$.trips[*].customer_email')::text)::jsonb)"

/** The trips of a snapshot `s`, without the emails of those trips `t` for which the condition holds. */
const tripsWithoutEmails = (sql: SqlClient.SqlClient, condition: Statement.Fragment) => sql`
  coalesce((
    SELECT jsonb_agg(CASE WHEN ${condition} THEN t || '{"customer_email": null}' ELSE t END ORDER BY nth)
    FROM jsonb_array_elements(s.snapshot -> 'trips') WITH ORDINALITY AS trips (t, nth)), '[]')`

/** Erases the emails of trips from the snapshots of all invoices that billed them. */
export const eraseEmailsOfTrips = (
  sql: SqlClient.SqlClient,
  businessId: BusinessId,
  tripIds: ReadonlyArray<TripId>
) => {
  const isErased = sql`(t ->> 'trip_id')::bigint = ANY (${tripIds}::bigint[])`
  return sql`
    UPDATE invoice_snapshots s SET snapshot = jsonb_set(s.snapshot, '{trips}', ${tripsWithoutEmails(sql, isErased)})
    WHERE s.business_id = ${businessId} AND s.invoice_id = ANY (ARRAY(
      SELECT s.invoice_id FROM unnest(${tripIds}::bigint[]) AS trip_id
      JOIN invoice_snapshots s ON ${sql.literal(tripIdsIn)} @> jsonb_build_array(trip_id)
      WHERE s.business_id = ${businessId}))`
}

/** The method `eraseInvoices` of `PersonalData`. */
export const makeErasedInvoices = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const eraseInvoices = Effect.fnUntraced(function* (person: Person, after: number, limit: number) {
    const { business_id, customer_ids, emails } = person
    if (business_id === null) return []
    const isCustomer = sql`i.customer_id = ANY (${customer_ids}::bigint[])`
    const hasEmail = sql`${sql.literal(emailsIn)} ?| ${emails}::text[]`
    const found = yield* idsOf(sql`
      SELECT i.invoice_id AS id FROM invoices i
      WHERE i.business_id = ${business_id} AND i.invoice_id > ${after} AND ${isCustomer}
      UNION SELECT s.invoice_id FROM invoice_snapshots s
      WHERE s.business_id = ${business_id} AND s.invoice_id > ${after} AND ${hasEmail}
      ORDER BY 1 LIMIT ${limit}`)
    const ids = found.map(({ id }) => id)
    if (ids.length === 0) return ids
    const isErased = sql`(coalesce(${isCustomer}, false) OR lower(t ->> 'customer_email') = ANY (${emails}::text[]))`
    yield* sql`
      UPDATE invoice_snapshots s SET snapshot = jsonb_set(
        CASE WHEN ${isCustomer} AND s.snapshot -> 'buyer' <> 'null'
          THEN jsonb_set(s.snapshot, '{buyer}', s.snapshot -> 'buyer' || '{"email": null, "phone": null}')
          ELSE s.snapshot END,
        '{trips}', ${tripsWithoutEmails(sql, isErased)})
      FROM invoices i
      WHERE i.business_id = ${business_id} AND i.invoice_id = ANY (${ids}::bigint[])
        AND s.business_id = ${business_id} AND s.invoice_id = i.invoice_id`
    return ids
  }, Effect.orDie)

  return { eraseInvoices }
})
