/** The domain's `AccountRepository` on PostgreSQL. */
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  AccountRepository,
  BusinessId,
  CreditNote,
  InvoiceId,
  Payment,
  PaymentStatus,
  StoredInvoice,
  TripId
} from "@livery/domain"
import { columnsOf } from "../sql/Columns.ts"
import { rowsAs } from "../sql/Rows.ts"

const invoices = rowsAs(StoredInvoice)
const payments = rowsAs(Payment)
const creditNotes = rowsAs(CreditNote)
const counts = rowsAs(Schema.Struct({ count: Schema.Int }))
const businesses = rowsAs(Schema.Struct({ business_id: BusinessId }))
const trips = rowsAs(
  Schema.Struct({
    business_id: BusinessId,
    invoice_id: InvoiceId,
    trip_id: TripId,
    payment_status: PaymentStatus
  })
)

export const layer = Layer.effect(
  AccountRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const invoiceColumns = sql.literal(columnsOf(StoredInvoice, "i", { trip_ids: "'{}'::bigint[]" }))
    const noteColumns = sql.literal(columnsOf(CreditNote))
    const paymentColumns = sql.literal(columnsOf(Payment))

    return AccountRepository.of({
      page: Effect.fnUntraced(function* (after, size) {
        const [afterBusiness, afterInvoice] = after ?? [0, 0]
        const pageOfInvoices = yield* invoices(sql`
          SELECT ${invoiceColumns} FROM invoices i
          WHERE (i.business_id, i.invoice_id) > (${afterBusiness}, ${afterInvoice})
          ORDER BY i.business_id, i.invoice_id LIMIT ${size}`)
        const last = pageOfInvoices.at(-1)
        if (last === undefined) return []
        const inPage = sql`(business_id, invoice_id) > (${afterBusiness}, ${afterInvoice})
          AND (business_id, invoice_id) <= (${last.business_id}, ${last.invoice_id})`
        const entries = yield* payments(sql`
          SELECT ${paymentColumns} FROM payments WHERE ${inPage} ORDER BY payment_id`)
        const notes = yield* creditNotes(sql`
          SELECT ${noteColumns} FROM credit_notes WHERE ${inPage} ORDER BY credit_note_id`)
        const attached = yield* trips(sql`
          SELECT business_id, invoice_id, trip_id, payment_status FROM trips
          WHERE ${inPage} AND invoice_id IS NOT NULL AND deleted_at IS NULL`)
        return pageOfInvoices.map((invoice) => {
          const isOfInvoice = ({ invoice_id }: { readonly invoice_id: InvoiceId }) =>
            invoice_id === invoice.invoice_id
          return {
            invoice,
            entries: entries.filter(isOfInvoice),
            notes: notes.filter(isOfInvoice),
            trips: attached
              .filter(isOfInvoice)
              .map(({ payment_status, trip_id }) => ({ trip_id, payment_status }))
          }
        })
      }),
      count: Effect.map(counts(sql`SELECT count(*)::int AS count FROM invoices`), ([row]) => row?.count ?? 0),
      gaps: Effect.map(
        businesses(sql`
          SELECT n.business_id FROM invoice_numbers n
          WHERE n.last_number <> (SELECT count(*) FROM invoices i WHERE i.business_id = n.business_id)
            OR n.last_credit_note <> (SELECT count(*) FROM credit_notes c WHERE c.business_id = n.business_id)
          ORDER BY n.business_id`),
        (rows) => rows.map(({ business_id }) => business_id)
      )
    })
  })
)
