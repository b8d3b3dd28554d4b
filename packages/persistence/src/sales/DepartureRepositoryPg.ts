import { Schema } from "effect"
import { bookingMachine, DepartureRepository, holdsPlaces, TripId, tripMachine } from "@livery/domain"
import { Instant, instant, rowsAs } from "../sql/rows/Rows.ts"
import { inStates, stateLiterals } from "../sql/rows/States.ts"
import { forBusiness } from "../sql/statements/ForBusiness.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"
import { isDue, paymentColumns } from "./DueBookings.ts"

const departures = rowsAs(
  Schema.Struct({
    starts_at: Instant,
    taken: Schema.Int,
    on_trip: Schema.Int,
    trip_id: Schema.NullOr(TripId),
    is_cancelled: Schema.Boolean
  })
)

const tripStatus = stateLiterals(tripMachine)

export const layer = onPostgres(DepartureRepository, (sql) => {
  const paymentOf = forBusiness(sql, paymentColumns.payment_status)
  const hasPlaces = sql.literal(inStates(bookingMachine, holdsPlaces))
  return {
    booked: (businessId, productId, { before, from }, now) =>
      departures(sql`
        SELECT b.starts_at, sum(b.participants_count)::int AS taken,
          coalesce(sum(b.participants_count) FILTER (WHERE b.trip_id IS NOT NULL), 0)::int AS on_trip,
          max(b.trip_id) AS trip_id,
          coalesce(bool_or(t.deleted_at IS NOT NULL OR t.status = ${sql.literal(tripStatus.cancelled)}), false) AS is_cancelled
        FROM bookings b
        LEFT JOIN trips t ON t.business_id = ${businessId} AND t.trip_id = b.trip_id
        WHERE b.business_id = ${businessId} AND b.product_id = ${productId} AND b.shares_trip AND b.deleted_at IS NULL
          AND b.starts_at >= ${instant(from)} AND b.starts_at < ${instant(before)}
          AND b.status ${hasPlaces} AND NOT ${isDue(sql, now, paymentOf(businessId))}
        GROUP BY b.starts_at ORDER BY b.starts_at`)
  }
})
