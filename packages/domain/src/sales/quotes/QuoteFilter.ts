/** The filters of the list of quotes (docs/api/sales.md). */
import { Schema } from "effect"
import { QuoteStatus } from "./QuoteStatus.ts"
import { salesFilterFields, type SalesQuery, salesQueryOf } from "../fields/SalesFilter.ts"

/** The filters as callers write them. `date_from` and `date_to` are days of the creation. */
export const QuoteFilter = Schema.Struct({
  status: Schema.optionalKey(QuoteStatus),
  ...salesFilterFields
})
export type QuoteFilter = typeof QuoteFilter.Type

/** Quotes that match every given field, created at `from` or later and before `before`. */
export interface QuoteQuery extends SalesQuery {
  readonly status?: QuoteStatus | undefined
}

/** The query of a filter on the clock of `timezone`. */
export const quoteQueryOf = (filter: QuoteFilter, timezone: string): QuoteQuery => ({
  status: filter.status,
  ...salesQueryOf(filter, timezone)
})
