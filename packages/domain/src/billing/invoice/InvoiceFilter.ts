/** The filters of the list of invoices. */
import { Schema } from "effect"
import { textOrBlank } from "../../kernel/fields/Text.ts"
import { CustomerId } from "../../kernel/Ids.ts"
import { InvoiceStatus } from "./InvoiceStatus.ts"
import { dayRangeFields } from "../../kernel/time/DayRange.ts"

/**
 * The filters of the list. `search` is the beginning of a number; a blank one matches every invoice. `date_from` and
 * `date_to` are days of the creation. With `overdue`, the list has the invoices whose due date has passed while something is
 * due, those due the longest first.
 */
export const InvoiceFilter = Schema.Struct({
  status: Schema.optionalKey(InvoiceStatus),
  customer_id: Schema.optionalKey(CustomerId),
  search: Schema.optionalKey(
    textOrBlank(30).pipe(
      Schema.annotateEncoded({ description: "The beginning of a number.", examples: ["INV-0000"] })
    )
  ),
  overdue: Schema.optionalKey(Schema.Literal(true)),
  ...dayRangeFields
})
export type InvoiceFilter = typeof InvoiceFilter.Type
