import { Effect, Schema } from "effect"
import {
  type BillableQuery,
  BillableTripRepository,
  type BusinessId,
  Currency,
  CustomerId,
  LeftOutReason,
  TripId,
  tripMachine
} from "@livery/domain"
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

const customers = rowsAs(
  Schema.Struct({ customer_id: Schema.NullOr(CustomerId), currency: Currency, count: Schema.Int })
)
const leftOutTrips = rowsAs(Schema.Struct({ trip_id: TripId, reason: LeftOutReason }))

export const layer = onPostgres(BillableTripRepository, (sql) => {
  const completed = sql.literal(status.completed)
  const cancelled = sql.literal(status.cancelled)
  const uninvoiced = (businessId: BusinessId, { before, customerId, from }: BillableQuery) => sql`
    t.business_id = ${businessId} AND t.customer_id = ${customerId} AND t.deleted_at IS NULL
    AND t.trip_date >= ${instant(from)} AND t.trip_date < ${instant(before)} AND t.invoice_id IS NULL`
  return {
    customers: (businessId, { before, from }) =>
      Effect.map(
        customers(sql`
          SELECT t.customer_id, t.currency, count(*)::int AS count FROM trips t
          WHERE t.business_id = ${businessId} AND t.status IN (${sql.literal(tripMachine.states.map((state) => status[state]).join(", "))})
            AND t.trip_date >= ${instant(from)} AND t.trip_date < ${instant(before)}
            AND t.invoice_id IS NULL AND t.deleted_at IS NULL
            AND (t.status <> ${cancelled} OR t.cancellation_fee_minor > 0)
          GROUP BY t.customer_id, t.currency ORDER BY t.customer_id, t.currency`),
        (rows) =>
          rows.map(({ count, currency, customer_id }) => ({ customerId: customer_id, currency, count }))
      ),
    ofCustomer: (businessId, query, most) =>
      trips(sql`
        SELECT t.trip_id, t.details ->> 'po_number' AS po_number, t.details ->> 'cost_center' AS cost_center
        FROM trips t
        WHERE ${uninvoiced(businessId, query)} AND t.currency = ${query.currency}
          AND ((t.status = ${completed} AND t.total_minor > 0)
            OR (t.status = ${cancelled} AND t.cancellation_fee_minor > 0))
        ORDER BY t.trip_date, t.trip_id LIMIT ${most}`),
    leftOut: (businessId, query, most) =>
      leftOutTrips(sql`
        SELECT t.trip_id, CASE
          WHEN t.status NOT IN (${completed}, ${cancelled}) THEN 'not_completed'
          WHEN t.currency <> ${query.currency} THEN 'other_currency'
          ELSE 'no_price' END AS reason
        FROM trips t
        WHERE ${uninvoiced(businessId, query)}
          AND (t.status NOT IN (${completed}, ${cancelled})
            OR (t.status = ${completed} AND (t.currency <> ${query.currency} OR coalesce(t.total_minor, 0) <= 0))
            OR (t.status = ${cancelled} AND t.currency <> ${query.currency} AND t.cancellation_fee_minor > 0))
        ORDER BY t.trip_date, t.trip_id LIMIT ${most}`)
  }
})
