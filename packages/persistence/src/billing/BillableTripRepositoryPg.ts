import { Schema } from "effect"
import { BillableTripRepository, TripId, tripMachine } from "@livery/domain"
import { instant, rowsAs } from "../sql/rows/Rows.ts"
import { stateLiterals } from "../sql/rows/States.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const status = stateLiterals(tripMachine)

const trips = rowsAs(
  Schema.Struct({
    trip_id: TripId,
    po_number: Schema.NullOr(Schema.String),
    cost_center: Schema.NullOr(Schema.String)
  })
)

export const layer = onPostgres(BillableTripRepository, (sql) => ({
  ofCustomer: (businessId, { before, currency, customerId, from }, most) =>
    trips(sql`
        SELECT t.trip_id, t.details ->> 'po_number' AS po_number, t.details ->> 'cost_center' AS cost_center
        FROM trips t
        WHERE t.business_id = ${businessId} AND t.customer_id = ${customerId} AND t.deleted_at IS NULL
          AND t.trip_date >= ${instant(from)} AND t.trip_date < ${instant(before)}
          AND t.invoice_id IS NULL AND t.currency = ${currency}
          AND ((t.status = ${sql.literal(status.completed)} AND t.total_minor > 0)
            OR (t.status = ${sql.literal(status.cancelled)} AND t.cancellation_fee_minor > 0))
        ORDER BY t.trip_date, t.trip_id LIMIT ${most}`)
}))
