import { Effect } from "effect"
import { InvoiceSnapshotRepository, SealedInvoice } from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { execute, firstOf, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const sealedInvoices = rowsAs(SealedInvoice)

/** Snapshots in the table `invoice_snapshots`. */
export const layer = onPostgres(InvoiceSnapshotRepository, (sql) => {
  const columns = sql.literal(columnsOf(SealedInvoice))
  return {
    insert: (business_id, invoice_id, snapshot) => {
      const row = { business_id, invoice_id, snapshot: JSON.stringify(snapshot) }
      return execute(sql`INSERT INTO invoice_snapshots ${sql.insert(row)}`)
    },
    find: (businessId, invoiceId) =>
      firstOf(
        sealedInvoices(sql`
          SELECT ${columns} FROM invoice_snapshots
          WHERE business_id = ${businessId} AND invoice_id = ${invoiceId}`)
      ),
    keepPdf: (businessId, invoiceId, pdf, earlier) =>
      Effect.map(
        Effect.orDie(sql`
          UPDATE invoice_snapshots SET kept_pdf = ${JSON.stringify(pdf)}::jsonb
          WHERE business_id = ${businessId} AND invoice_id = ${invoiceId}
            AND kept_pdf ->> 'file' IS NOT DISTINCT FROM ${earlier}::text
          RETURNING invoice_id`),
        (rows) => rows.length > 0
      )
  }
})
