import { Effect, Schema } from "effect"
import {
  type AccountPosition,
  AccountRepository,
  BusinessId,
  CreditNote,
  Currency,
  InvoiceId,
  InvoiceLine,
  Payment,
  PaymentStatus,
  RemittanceId,
  StoredInvoice,
  TripId,
  tripsNamedBy
} from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { rowsAs } from "../sql/rows/Rows.ts"
import { shownNumber } from "./CreditNoteRepositoryPg.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const StoredAccount = Schema.Struct({
  ...StoredInvoice.fields,
  is_deleted: Schema.Boolean,
  sealed_lines: Schema.NullOr(Schema.Array(InvoiceLine))
})
const invoices = rowsAs(StoredAccount)
const payments = rowsAs(Payment)
const creditNotes = rowsAs(CreditNote)
const counts = rowsAs(Schema.Struct({ count: Schema.Int }))
const businesses = rowsAs(Schema.Struct({ business_id: BusinessId }))
const trips = rowsAs(
  Schema.Struct({
    business_id: BusinessId,
    invoice_id: InvoiceId,
    trip_id: TripId,
    payment_status: PaymentStatus,
    currency: Currency
  })
)
const paidTrips = rowsAs(
  Schema.Struct({ business_id: BusinessId, trip_id: TripId, payment_status: PaymentStatus })
)
const unequalRemittances = rowsAs(
  Schema.Struct({
    business_id: BusinessId,
    remittance_id: RemittanceId,
    amount_minor: Schema.Int,
    entered_minor: Schema.Int
  })
)
const charged = rowsAs(
  Schema.Struct({ business_id: BusinessId, trip_id: TripId, invoice_id: Schema.NullOr(InvoiceId) })
)

interface OfInvoice {
  readonly business_id: BusinessId
  readonly invoice_id: InvoiceId
}

export const layer = onPostgres(AccountRepository, (sql) => {
  const invoiceColumns = sql.literal(
    columnsOf(StoredAccount, "i", {
      number: "coalesce(i.shown_number, i.number, '')",
      trip_ids: "'{}'::bigint[]",
      is_deleted: "i.deleted_at IS NOT NULL",
      sealed_lines: `(
        SELECT s.snapshot -> 'invoice' -> 'lines' FROM invoice_snapshots s
        WHERE s.business_id = i.business_id AND s.invoice_id = i.invoice_id)`
    })
  )
  const noteColumns = sql.literal(columnsOf(CreditNote, undefined, shownNumber))
  const paymentColumns = sql.literal(columnsOf(Payment))

  const readPage = Effect.fnUntraced(function* (after: AccountPosition | null, size: number) {
    yield* Effect.orDie(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`.unprepared)
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
    const usedIds = entries.flatMap(({ kind, payment_id }) => (kind === "credit_used" ? [payment_id] : []))
    const sourceIds = entries.flatMap(({ kind, refund_of }) =>
      kind === "from_credit" && refund_of !== null ? [refund_of] : []
    )
    const linked =
      usedIds.length + sourceIds.length === 0
        ? []
        : yield* payments(sql`
            SELECT ${paymentColumns} FROM payments
            WHERE business_id >= ${pageOfInvoices[0]?.business_id ?? 0} AND business_id <= ${last.business_id}
              AND payment_id = ANY(${sourceIds}::bigint[])
            UNION
            SELECT ${paymentColumns} FROM payments
            WHERE business_id >= ${pageOfInvoices[0]?.business_id ?? 0} AND business_id <= ${last.business_id}
              AND refund_of = ANY(${[...usedIds, ...sourceIds]}::bigint[]) AND kind IN ('from_credit', 'credit_returned')`)
    const notes = yield* creditNotes(sql`
      SELECT ${noteColumns} FROM credit_notes WHERE ${inPage} ORDER BY credit_note_id`)
    const attached = yield* trips(sql`
      SELECT business_id, invoice_id, trip_id, payment_status, currency FROM trips
      WHERE ${inPage} AND invoice_id IS NOT NULL AND deleted_at IS NULL`)
    const named = pageOfInvoices.flatMap(({ business_id, lines }) =>
      tripsNamedBy(lines).map((trip_id) => ({ business_id, trip_id }))
    )
    const chargedTrips = yield* charged(sql`
      SELECT t.business_id, t.trip_id, t.invoice_id FROM trips t
      WHERE (t.business_id, t.trip_id) IN (SELECT * FROM unnest(
        ${named.map(({ business_id }) => business_id)}::bigint[], ${named.map(({ trip_id }) => trip_id)}::bigint[]))`)
    const chargedById = new Map(chargedTrips.map((trip) => [`${trip.business_id}/${trip.trip_id}`, trip]))
    return pageOfInvoices.map(({ is_deleted, sealed_lines, ...invoice }) => {
      const isOfInvoice = ({ business_id, invoice_id }: OfInvoice) =>
        business_id === invoice.business_id && invoice_id === invoice.invoice_id
      return {
        invoice,
        entries: entries.filter(isOfInvoice),
        linked: linked.filter(
          (entry) => entry.business_id === invoice.business_id && entry.invoice_id !== invoice.invoice_id
        ),
        notes: notes.filter(isOfInvoice),
        trips: attached
          .filter(isOfInvoice)
          .map(({ currency, payment_status, trip_id }) => ({ trip_id, payment_status, currency })),
        charged: tripsNamedBy(invoice.lines).flatMap((trip_id) => {
          const trip = chargedById.get(`${invoice.business_id}/${trip_id}`)
          return trip === undefined ? [] : [{ trip_id, invoice_id: trip.invoice_id }]
        }),
        isDeleted: is_deleted,
        sealedLines: sealed_lines
      }
    })
  })

  return {
    // One snapshot for the statements of a page.
    page: (after, size) => Effect.orDie(sql.withTransaction(readPage(after, size))),
    count: Effect.map(counts(sql`SELECT count(*)::int AS count FROM invoices`), ([row]) => row?.count ?? 0),
    gaps: Effect.map(
      businesses(sql`
        SELECT business_id FROM (
          SELECT business_id, number, 'INV-' AS prefix,
            row_number() OVER (PARTITION BY business_id ORDER BY length(number), number) AS nth FROM invoices
          WHERE number IS NOT NULL
          UNION ALL
          SELECT business_id, number, 'CN-',
            row_number() OVER (PARTITION BY business_id ORDER BY length(number), number) FROM credit_notes
        ) numbered
        WHERE number <> prefix || lpad(nth::text, greatest(6, length(nth::text)), '0')
        UNION
        SELECT business_id FROM (
          SELECT business_id, 1 AS invoices, 0 AS notes FROM invoices WHERE number IS NOT NULL
          UNION ALL
          SELECT business_id, 0, 1 FROM credit_notes
          UNION ALL
          SELECT business_id, -last_number, -last_credit_note FROM invoice_numbers
        ) counted
        GROUP BY business_id HAVING sum(invoices) <> 0 OR sum(notes) <> 0
        ORDER BY business_id`),
      (rows) => rows.map(({ business_id }) => business_id)
    ),
    unequalRemittances: unequalRemittances(sql`
      SELECT r.business_id, r.remittance_id, r.amount_minor, coalesce(sum(p.amount_minor), 0)::bigint AS entered_minor
      FROM remittances r
      LEFT JOIN remittance_payments e ON e.business_id = r.business_id AND e.remittance_id = r.remittance_id
      LEFT JOIN payments p ON p.business_id = e.business_id AND p.payment_id = e.payment_id AND p.currency = r.currency
      GROUP BY r.business_id, r.remittance_id
      HAVING r.amount_minor <> coalesce(sum(p.amount_minor), 0) ORDER BY r.business_id, r.remittance_id`),
    paidWithoutInvoice: paidTrips(sql`
      SELECT business_id, trip_id, payment_status FROM trips
      WHERE invoice_id IS NULL AND payment_status <> 'unpaid' AND deleted_at IS NULL
      ORDER BY business_id, trip_id`)
  }
})
