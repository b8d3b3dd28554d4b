import { Effect, Schema } from "effect"
import { InvoiceNumbering, InvoiceNumberingRepository, usualNumbering } from "@livery/domain"
import { execute, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const numberings = rowsAs(
  Schema.Struct({ last_number: Schema.Int, numbering: Schema.NullOr(InvoiceNumbering) })
)

export const layer = onPostgres(InvoiceNumberingRepository, (sql) => ({
  read: (businessId) =>
    Effect.map(
      numberings(sql`SELECT last_number, numbering FROM invoice_numbers WHERE business_id = ${businessId}`),
      ([row]) => row?.numbering ?? usualNumbering(row?.last_number ?? 0)
    ),
  save: (businessId, numbering) =>
    execute(sql`
      INSERT INTO invoice_numbers (business_id, last_number, numbering)
      VALUES (${businessId}, 0, ${JSON.stringify(numbering)})
      ON CONFLICT (business_id) DO UPDATE SET numbering = excluded.numbering`)
}))
