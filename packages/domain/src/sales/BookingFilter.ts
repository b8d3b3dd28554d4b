/** The filters of the list of bookings (docs/api/sales.md). */
import { type DateTime, Schema } from "effect"
import { text } from "../kernel/fields/Text.ts"
import { CustomerId, ProductId } from "../kernel/Ids.ts"
import { dayRangeFields, dayRangeOf } from "../kernel/time/DayRange.ts"
import { PaymentStatus } from "../trips/TripStatus.ts"
import { BookingStatus } from "./Booking.ts"

/** The filters as callers write them. `date_from` and `date_to` are days of the start. */
export const BookingFilter = Schema.Struct({
  status: Schema.optionalKey(BookingStatus),
  payment_status: Schema.optionalKey(PaymentStatus),
  product_id: Schema.optionalKey(ProductId),
  customer_id: Schema.optionalKey(CustomerId),
  reference: Schema.optionalKey(text(100)),
  ...dayRangeFields
})
export type BookingFilter = typeof BookingFilter.Type

/** Bookings that match every given field and start at `from` or later and before `before`. */
export interface BookingQuery {
  readonly status?: BookingStatus | undefined
  readonly paymentStatus?: PaymentStatus | undefined
  readonly productId?: ProductId | undefined
  readonly customerId?: CustomerId | undefined
  readonly reference?: string | undefined
  readonly from?: DateTime.Utc | undefined
  readonly before?: DateTime.Utc | undefined
}

/** The query of a filter on the clock of `timezone`. */
export const bookingQueryOf = (filter: BookingFilter, timezone: string): BookingQuery => ({
  status: filter.status,
  paymentStatus: filter.payment_status,
  productId: filter.product_id,
  customerId: filter.customer_id,
  reference: filter.reference?.toUpperCase(),
  ...dayRangeOf(filter, timezone)
})
