/** Draws the numbers of invoices and credit notes. Each business has its own sequences, in `invoice_numbers`. */
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { type BusinessId, InvoiceNumbering, nextNumberOf, type NumberedDocument } from "@livery/domain"
import { execute, oneRow, rowsAs } from "../sql/rows/Rows.ts"

const numbers = rowsAs(Schema.Struct({ last: Schema.Int, numbering: Schema.NullOr(InvoiceNumbering) }))

/** The columns of `invoice_numbers` for each kind of document: its last count, and its numbering. */
export const numberColumns: Readonly<
  Record<NumberedDocument, { readonly last: string; readonly numbering: string }>
> = {
  invoice: { last: "last_number", numbering: "numbering" },
  credit_note: { last: "last_credit_note", numbering: "credit_note_numbering" }
}

/**
 * Makes the function that draws the next number of a kind of document: its place in the order of all, and the number that is
 * shown if the business set a format. The row of the business stays locked until the transaction ends.
 */
export const makeDrawNumber = (
  sql: SqlClient.SqlClient,
  document: NumberedDocument,
  textOf: (count: number) => string
) => {
  const last = sql.literal(numberColumns[document].last)
  const numberingColumn = sql.literal(numberColumns[document].numbering)
  const first = sql.literal(document === "invoice" ? "1, 0" : "0, 1")
  return Effect.fnUntraced(function* (businessId: BusinessId, issuedOn: string) {
    const drawn = yield* oneRow(
      numbers(sql`
        INSERT INTO invoice_numbers (business_id, last_number, last_credit_note) VALUES (${businessId}, ${first})
        ON CONFLICT (business_id) DO UPDATE SET ${last} = invoice_numbers.${last} + 1
        RETURNING ${last} AS last, ${numberingColumn} AS numbering`)
    )
    const number = textOf(drawn.last)
    if (drawn.numbering === null) return { number, shown_number: null }
    const next = nextNumberOf(drawn.numbering, issuedOn)
    yield* execute(sql`
      UPDATE invoice_numbers SET ${numberingColumn} = ${JSON.stringify(next.numbering)}
      WHERE business_id = ${businessId}`)
    return { number, shown_number: next.number }
  })
}
