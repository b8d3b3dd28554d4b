import { Effect, Schema } from "effect"
import {
  type BusinessId,
  InvoiceNumbering,
  InvoiceNumberingRepository,
  type NumberedDocument,
  usualNumbering
} from "@livery/domain"
import { execute, oneRow, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"
import { numberColumns } from "./DrawnNumbers.ts"

const Numbers = Schema.Struct({ last: Schema.Int, numbering: Schema.NullOr(InvoiceNumbering) })
const numberings = rowsAs(Numbers)

const numberingOf = (
  document: NumberedDocument,
  { last, numbering }: typeof Numbers.Type = { last: 0, numbering: null }
) => numbering ?? usualNumbering(document, last)

export const layer = onPostgres(InvoiceNumberingRepository, (sql) => {
  const columnsOf = (document: NumberedDocument) => {
    const { last, numbering } = numberColumns[document]
    return sql.literal(`${last} AS last, ${numbering} AS numbering`)
  }
  return {
    read: (businessId: BusinessId, document: NumberedDocument) =>
      Effect.map(
        numberings(sql`SELECT ${columnsOf(document)} FROM invoice_numbers WHERE business_id = ${businessId}`),
        ([row]) => numberingOf(document, row)
      ),
    lock: (businessId, document) =>
      Effect.map(
        // The update locks the row of the business, also a row that this statement made.
        oneRow(
          numberings(sql`
            INSERT INTO invoice_numbers AS n (business_id, last_number) VALUES (${businessId}, 0)
            ON CONFLICT (business_id) DO UPDATE SET last_number = n.last_number RETURNING ${columnsOf(document)}`)
        ),
        (row) => numberingOf(document, row)
      ),
    save: (businessId, document, numbering) => {
      const column = sql.literal(numberColumns[document].numbering)
      return execute(sql`
        INSERT INTO invoice_numbers (business_id, last_number, ${column})
        VALUES (${businessId}, 0, ${JSON.stringify(numbering)})
        ON CONFLICT (business_id) DO UPDATE SET ${column} = excluded.${column}`)
    }
  }
})
