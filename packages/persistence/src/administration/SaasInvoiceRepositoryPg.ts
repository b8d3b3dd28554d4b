import { SaasInvoice, SaasInvoiceRepository } from "@livery/domain"
import { Effect, Option, Schema } from "effect"
import { columnsOf, valuesOf } from "../sql/rows/Columns.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { execute, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { withValues } from "../sql/lists/ValueIndex.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const invoices = rowsAs(SaasInvoice)
const pageOfInvoices = pagesOf(SaasInvoice)

const columnsOfInvoice = columnsOf(SaasInvoice, "i", {
  business_name: "(SELECT b.business_name FROM businesses b WHERE b.business_id = i.business_id)"
})

const ids = rowsAs(Schema.Struct({ saas_invoice_id: Schema.Int }))

const inserted = Object.keys(SaasInvoice.fields).filter(
  (name) => !["saas_invoice_id", "business_name"].includes(name)
)

export const layer = onPostgres(SaasInvoiceRepository, (sql) => {
  const columns = sql.literal(columnsOfInvoice)
  const find = (invoiceId: number) =>
    firstOf(invoices(sql`SELECT ${columns} FROM saas_invoices i WHERE i.saas_invoice_id = ${invoiceId}`))
  return {
    list: ({ business_id, status }, page) =>
      pageOfInvoices(sql, page, {
        columns,
        from: sql`saas_invoices i`,
        ...withValues(sql, "i.saas_invoice_id", "DESC", [
          ["i.business_id", business_id],
          ["i.status", status]
        ])
      }),
    find,
    lock: (invoiceId) =>
      firstOf(
        invoices(sql`
          SELECT ${columns} FROM saas_invoices i WHERE i.saas_invoice_id = ${invoiceId} FOR NO KEY UPDATE`)
      ),
    update: ({ payments, saas_invoice_id, status }) =>
      execute(sql`
          UPDATE saas_invoices SET status = ${status}, payments = ${JSON.stringify(payments)}::jsonb
          WHERE saas_invoice_id = ${saas_invoice_id}`),
    insert: Effect.fnUntraced(function* (invoice) {
      const row = {
        ...valuesOf(inserted, invoice),
        lines: JSON.stringify(invoice.lines),
        payments: JSON.stringify(invoice.payments)
      }
      const [stored] = yield* ids(sql`
        INSERT INTO saas_invoices ${sql.insert(row)} ON CONFLICT (number) DO NOTHING RETURNING saas_invoice_id`)
      return stored === undefined ? Option.none() : yield* find(stored.saas_invoice_id)
    })
  }
})
