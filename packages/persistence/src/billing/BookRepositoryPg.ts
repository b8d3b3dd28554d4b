import { Effect, Schema } from "effect"
import {
  Accounting,
  type BookDays,
  type BookEntry,
  type BookEntryType,
  type BookPosition,
  BookRepository,
  type BusinessId,
  CreditNote,
  CustomerId,
  Payment,
  PaymentKind,
  postedKinds,
  StoredInvoice,
  UntaxedAs,
  WallClock
} from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { instant, oneRow, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const settings = rowsAs(
  Schema.Struct({ accounting: Schema.toType(Accounting), country: Schema.NullOr(Schema.String) })
)

const textOrNull = Schema.NullOr(Schema.String)

const Customer = Schema.Struct({
  customer_id: Schema.NullOr(CustomerId),
  name: Schema.String,
  company: textOrNull,
  email: textOrNull,
  address: textOrNull,
  country: textOrNull,
  vat_number: textOrNull,
  account_number: textOrNull
})

const Invoice = Schema.Struct({ number: Schema.String, untaxed_as: UntaxedAs, untaxed_reason: textOrNull })

const { trip_ids: _trips, ...invoiceFields } = StoredInvoice.fields
const invoices = rowsAs(Schema.Struct({ ...invoiceFields, customer: Customer }))
const notes = rowsAs(Schema.Struct({ ...CreditNote.fields, customer: Customer, invoice: Invoice }))
const payments = rowsAs(
  Schema.Struct({
    ...Payment.fields,
    refers_to: Schema.NullOr(PaymentKind),
    customer: Customer,
    invoice: Invoice
  })
)

const invoice = `jsonb_build_object('number', coalesce(i.shown_number, i.number), 'untaxed_as', i.untaxed_as, 'untaxed_reason', i.untaxed_reason)
  AS invoice`

/** The books, by an index of the days of each type. */
export const layer = onPostgres(BookRepository, (sql) => {
  const invoiceColumn = sql.literal(invoice)
  const invoiceColumns = sql.literal(
    columnsOf({ fields: invoiceFields }, "i", { number: "coalesce(i.shown_number, i.number)" })
  )
  const noteColumns = sql.literal(
    columnsOf(CreditNote, "e", { number: "coalesce(e.shown_number, e.number)" })
  )
  const paymentColumns = sql.literal(columnsOf(Payment, "e"))
  const isPosted = sql.literal(postedKinds.map((kind) => `'${kind}'`).join(", "))

  /**
   * The customer of the invoice `i` as JSON: as the invoice was sealed with, and otherwise as the customer is now. The fields of
   * an erased customer are those that were retained for the invoices. `joined` has the tables that this column reads.
   */
  const customerColumn = (businessId: BusinessId) => sql`jsonb_build_object(
    'customer_id', i.customer_id,
    'name', coalesce(b.buyer ->> 'name', s.snapshot #>> '{trips,0,customer_name}', (
      SELECT coalesce(r.party ->> 'customer_name', t.customer_name)
      FROM trips t LEFT JOIN retained_parties r
        ON r.business_id = ${businessId} AND r.kind = 'trip' AND r.record_id = t.trip_id
      WHERE t.business_id = ${businessId} AND t.invoice_id = i.invoice_id AND t.deleted_at IS NULL
      ORDER BY t.trip_date, t.trip_id LIMIT 1), ''),
    'company', b.buyer ->> 'company', 'email', b.buyer ->> 'email', 'address', b.buyer ->> 'address',
    'country', b.buyer ->> 'country', 'vat_number', b.buyer ->> 'vat_number',
    'account_number', c.account_number) AS customer`

  const joined = (businessId: BusinessId) => sql`
    LEFT JOIN customers c ON c.business_id = ${businessId} AND c.customer_id = i.customer_id
    LEFT JOIN retained_parties p
      ON p.business_id = ${businessId} AND p.kind = 'customer' AND p.record_id = i.customer_id
    LEFT JOIN invoice_snapshots s ON s.business_id = ${businessId} AND s.invoice_id = i.invoice_id
    CROSS JOIN LATERAL (
      SELECT CASE WHEN s.snapshot IS NULL THEN to_jsonb(c) || coalesce(p.party, '{}')
        ELSE nullif(s.snapshot -> 'buyer', 'null') END AS buyer) b`

  /** The invoice `i` is of the customer, or of any. */
  const isOf = (customerId: CustomerId | undefined) =>
    customerId === undefined ? sql`true` : sql`i.customer_id = ${customerId}`

  /** The entries of some days after a position, in the order of a column with an instant and of their ids. */
  const within = (
    column: string,
    id: string,
    { from, timezone, to }: BookDays,
    after: BookPosition | null
  ) => {
    const at = sql.literal(column)
    const start = sql`${at} >= ${instant(WallClock.startOfDay(from, timezone))}`
    return sql.and([
      sql`${at} < ${instant(WallClock.endOfDay(to, timezone))}`,
      after === null || after.at === null
        ? start
        : sql`(${at}, ${sql.literal(id)}) > (${instant(after.at)}, ${after.id})`
    ])
  }

  const pages: Readonly<
    Record<
      BookEntryType,
      (
        businessId: BusinessId,
        days: BookDays,
        after: BookPosition | null,
        size: number,
        customerId: CustomerId | undefined
      ) => Effect.Effect<ReadonlyArray<BookEntry>>
    >
  > = {
    invoice: (businessId, { from, to }, after, size, customerId) =>
      Effect.map(
        invoices(sql`
          SELECT ${invoiceColumns}, ${customerColumn(businessId)} FROM invoices i ${joined(businessId)}
          WHERE i.business_id = ${businessId} AND i.number IS NOT NULL AND i.issued_on <= ${to} AND ${isOf(customerId)}
            AND (i.issued_on, i.invoice_id) > (${after?.day ?? from}::date, ${after?.id ?? 0})
          ORDER BY i.issued_on, i.invoice_id LIMIT ${size}`),
        (rows) => rows.map(({ customer, ...invoice }) => ({ type: "invoice" as const, invoice, customer }))
      ),
    void: (businessId, days, after, size, customerId) =>
      Effect.map(
        invoices(sql`
          SELECT ${invoiceColumns}, ${customerColumn(businessId)} FROM invoices i ${joined(businessId)}
          WHERE i.business_id = ${businessId} AND i.voided_at IS NOT NULL AND ${isOf(customerId)}
            AND ${within("i.voided_at", "i.invoice_id", days, after)}
          ORDER BY i.voided_at, i.invoice_id LIMIT ${size}`),
        (rows) => rows.map(({ customer, ...invoice }) => ({ type: "void" as const, invoice, customer }))
      ),
    credit_note: (businessId, days, after, size, customerId) =>
      Effect.map(
        notes(sql`
          SELECT ${noteColumns}, ${customerColumn(businessId)}, ${invoiceColumn}
          FROM credit_notes e JOIN invoices i ON i.business_id = ${businessId} AND i.invoice_id = e.invoice_id ${joined(businessId)}
          WHERE e.business_id = ${businessId} AND ${isOf(customerId)} AND ${within("e.created_at", "e.credit_note_id", days, after)}
          ORDER BY e.created_at, e.credit_note_id LIMIT ${size}`),
        (rows) =>
          rows.map(({ customer, invoice, ...note }) => ({
            type: "credit_note" as const,
            note,
            invoice,
            customer
          }))
      ),
    payment: (businessId, days, after, size, customerId) =>
      Effect.map(
        payments(sql`
          SELECT ${paymentColumns}, r.kind AS refers_to, ${customerColumn(businessId)}, ${invoiceColumn}
          FROM payments e JOIN invoices i ON i.business_id = ${businessId} AND i.invoice_id = e.invoice_id LEFT JOIN payments r ON r.business_id = ${businessId} AND r.payment_id = e.refund_of ${joined(businessId)}
          WHERE e.business_id = ${businessId} AND e.kind IN (${isPosted}) AND ${isOf(customerId)}
            AND ${within("e.received_at", "e.payment_id", days, after)}
          ORDER BY e.received_at, e.payment_id LIMIT ${size}`),
        (rows) =>
          rows.map(({ customer, invoice, ...payment }) => ({
            type: "payment" as const,
            payment,
            invoice,
            customer
          }))
      )
  }

  return {
    settingsOf: (businessId) =>
      oneRow(settings(sql`SELECT accounting, country FROM businesses WHERE business_id = ${businessId}`)),
    page: (businessId, type, days, after, size, customerId) =>
      pages[type](businessId, days, after, size, customerId)
  }
})
