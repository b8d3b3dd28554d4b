/** The filters of the list of bookings (docs/api/sales.md). */
import { Schema } from "effect"
import { ProductId } from "../../kernel/Ids.ts"
import { PaymentStatus } from "../../trips/trip/TripStatus.ts"
import { BookingStatus } from "./Booking.ts"
import { salesFilterFields, type SalesQuery, salesQueryOf } from "../fields/SalesFilter.ts"

/** The filters as callers write them. `date_from` and `date_to` are days of the start. */
export const BookingFilter = Schema.Struct({
  status: Schema.optionalKey(BookingStatus),
  payment_status: Schema.optionalKey(PaymentStatus),
  product_id: Schema.optionalKey(ProductId),
  ...salesFilterFields
})
export type BookingFilter = typeof BookingFilter.Type

/** Bookings that match every given field and start at `from` or later and before `before`. */
export interface BookingQuery extends SalesQuery {
  readonly status?: BookingStatus | undefined
  readonly paymentStatus?: PaymentStatus | undefined
  readonly productId?: ProductId | undefined
}

/** The query of a filter on the clock of `timezone`. */
export const bookingQueryOf = (filter: BookingFilter, timezone: string): BookingQuery => ({
  status: filter.status,
  paymentStatus: filter.payment_status,
  productId: filter.product_id,
  ...salesQueryOf(filter, timezone)
})
