/** The filters that the lists of quotes and of bookings share (docs/api/sales.md). */
import { type DateTime, Schema } from "effect"
import { text } from "../../kernel/fields/Text.ts"
import { CustomerId } from "../../kernel/Ids.ts"
import { dayRangeFields, dayRangeOf } from "../../kernel/time/DayRange.ts"

/** The shared filters as callers write them. */
export const salesFilterFields = {
  customer_id: Schema.optionalKey(CustomerId),
  reference: Schema.optionalKey(text(100)),
  ...dayRangeFields
}

interface SalesFilter {
  readonly customer_id?: CustomerId
  readonly reference?: string
  readonly date_from?: string
  readonly date_to?: string
}

/** The shared part of a query. The time of a record, which its list defines, is at `from` or later and before `before`. */
export interface SalesQuery {
  readonly customerId?: CustomerId | undefined
  readonly reference?: string | undefined
  readonly from?: DateTime.Utc | undefined
  readonly before?: DateTime.Utc | undefined
}

/** The shared part of a filter's query, with its days on the clock of `timezone`. */
export const salesQueryOf = (filter: SalesFilter, timezone: string): SalesQuery => ({
  customerId: filter.customer_id,
  reference: filter.reference?.toUpperCase(),
  ...dayRangeOf(filter, timezone)
})
