/** The filters of the list of quotes (docs/api/sales.md). */
import { type DateTime, Schema } from "effect"
import { text } from "../kernel/fields/Text.ts"
import { CustomerId } from "../kernel/Ids.ts"
import { dayRangeFields, dayRangeOf } from "../kernel/time/DayRange.ts"
import { QuoteStatus } from "./QuoteStatus.ts"

/** The filters as callers write them. `date_from` and `date_to` are days of the creation. */
export const QuoteFilter = Schema.Struct({
  status: Schema.optionalKey(QuoteStatus),
  customer_id: Schema.optionalKey(CustomerId),
  reference: Schema.optionalKey(text(100)),
  ...dayRangeFields
})
export type QuoteFilter = typeof QuoteFilter.Type

/** Quotes that match every given field, created at `from` or later and before `before`. */
export interface QuoteQuery {
  readonly status?: QuoteStatus | undefined
  readonly customerId?: CustomerId | undefined
  readonly reference?: string | undefined
  readonly from?: DateTime.Utc | undefined
  readonly before?: DateTime.Utc | undefined
}

/** The query of a filter on the clock of `timezone`. */
export const quoteQueryOf = (filter: QuoteFilter, timezone: string): QuoteQuery => ({
  status: filter.status,
  customerId: filter.customer_id,
  reference: filter.reference?.toUpperCase(),
  ...dayRangeOf(filter, timezone)
})
