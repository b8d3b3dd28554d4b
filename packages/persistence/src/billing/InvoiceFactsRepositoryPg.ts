import { Array, Effect, Option, Schema } from "effect"
import {
  type BusinessId,
  type CustomerId,
  InvoiceBuyer,
  InvoiceFactsRepository,
  InvoiceSeller,
  TripId,
  tripsNamedBy
} from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { Instant, oneRow, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const sellers = rowsAs(InvoiceSeller)
const terms = rowsAs(Schema.Struct({ part_payments_allowed: Schema.Boolean }))
const buyers = rowsAs(InvoiceBuyer)
const trips = rowsAs(
  Schema.Struct({
    trip_id: TripId,
    trip_date: Instant,
    pickup_timezone: Schema.NullOr(Schema.String),
    customer_name: Schema.String,
    customer_email: Schema.NullOr(Schema.String),
    po_number: Schema.NullOr(Schema.String),
    cost_center: Schema.NullOr(Schema.String)
  })
)

export const layer = onPostgres(InvoiceFactsRepository, (sql) => {
  const sellerColumns = sql.literal(columnsOf(InvoiceSeller))
  const buyerColumns = sql.literal(columnsOf(InvoiceBuyer))

  const partiesOf = Effect.fnUntraced(function* (businessId: BusinessId, customerId: CustomerId | null) {
    return {
      seller: yield* oneRow(
        sellers(sql`SELECT ${sellerColumns} FROM businesses WHERE business_id = ${businessId}`)
      ),
      buyer:
        customerId === null
          ? null
          : yield* Effect.map(
              // The fields of an erased customer are those that were retained for the invoices.
              buyers(sql`
                SELECT ${buyerColumns} FROM (
                  SELECT (jsonb_populate_record(c, coalesce(r.party, '{}'))).*
                  FROM customers c LEFT JOIN retained_parties r
                    ON r.business_id = ${businessId} AND r.kind = 'customer' AND r.record_id = c.customer_id
                  WHERE c.business_id = ${businessId} AND c.customer_id = ${customerId}
                ) customer`),
              (rows) => Option.getOrNull(Array.head(rows))
            )
    }
  })

  return {
    partiesOf,
    allowsPartPayments: (businessId) =>
      Effect.map(
        oneRow(terms(sql`SELECT part_payments_allowed FROM businesses WHERE business_id = ${businessId}`)),
        ({ part_payments_allowed }) => part_payments_allowed
      ),
    of: Effect.fnUntraced(function* ({ business_id, customer_id, invoice_id, lines }) {
      return {
        ...(yield* partiesOf(business_id, customer_id)),
        trips: yield* trips(sql`
          SELECT t.trip_id, t.trip_date, t.details ->> 'pickup_timezone' AS pickup_timezone,
            coalesce(r.party ->> 'customer_name', t.customer_name) AS customer_name,
            t.customer_email,
            coalesce(r.party ->> 'po_number', t.details ->> 'po_number') AS po_number,
            coalesce(r.party ->> 'cost_center', t.details ->> 'cost_center') AS cost_center
          FROM trips t LEFT JOIN retained_parties r
            ON r.business_id = ${business_id} AND r.kind = 'trip' AND r.record_id = t.trip_id
          WHERE t.business_id = ${business_id} AND t.trip_id IN (
            SELECT a.trip_id FROM trips a
            WHERE a.business_id = ${business_id} AND a.invoice_id = ${invoice_id} AND a.deleted_at IS NULL
            UNION ALL
            SELECT * FROM unnest(${tripsNamedBy(lines)}::bigint[]))
          ORDER BY t.trip_date, t.trip_id`)
      }
    })
  }
})
