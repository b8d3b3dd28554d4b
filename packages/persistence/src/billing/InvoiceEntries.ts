/** Reads the records that belong to an invoice: its payments and its credit notes. */
import { Effect, type Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { BusinessId, InvoiceId, PageRequest } from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { rowsAs } from "../sql/rows/Rows.ts"

/**
 * Builds the reads of a table whose rows have a `business_id` and an `invoice_id`, in order of their id. `expressions` are
 * those of columns that are no plain names.
 *
 * - `ofInvoice`: every row of an invoice.
 * - `list`: a page of them.
 */
export const makeEntriesOfInvoice = <A, I, Fields extends Schema.Struct.Fields>(
  record: Schema.Codec<A, I> & { readonly fields: Fields },
  table: string,
  id: keyof Fields & string,
  expressions: Readonly<Record<string, string>> = {}
) => {
  const rows = rowsAs(record)
  const pages = pagesOf(record)
  return Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(columnsOf(record, undefined, expressions))
    const from = sql.literal(table)
    const order = sql.literal(id)
    const whereOf = (businessId: BusinessId, invoiceId: InvoiceId) =>
      sql`business_id = ${businessId} AND invoice_id = ${invoiceId}`
    return {
      ofInvoice: (businessId: BusinessId, invoiceId: InvoiceId) =>
        rows(sql`
          SELECT ${columns} FROM ${from} WHERE ${whereOf(businessId, invoiceId)} ORDER BY ${order}`),
      list: (businessId: BusinessId, invoiceId: InvoiceId, page: PageRequest) =>
        pages(sql, page, { columns, from, where: whereOf(businessId, invoiceId), order })
    }
  })
}
