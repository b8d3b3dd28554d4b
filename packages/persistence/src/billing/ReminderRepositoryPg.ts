import { Effect, Schema } from "effect"
import {
  ActingBusiness,
  businessMachine,
  Dunning,
  InvoiceId,
  invoiceMachine,
  isOpenInvoice,
  ReminderRepository,
  Tax,
  UntaxedAs
} from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { execute, instant, oneRow, rowsAs } from "../sql/rows/Rows.ts"
import { inStates, stateLiterals } from "../sql/rows/States.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const ReminderSettings = Schema.Struct({
  business_email: Schema.String,
  dunning: Schema.toType(Dunning)
})
const settings = rowsAs(ReminderSettings)
const RemindingBusiness = Schema.Struct({ ...ActingBusiness.fields, ...ReminderSettings.fields })
const businesses = rowsAs(RemindingBusiness)
const terms = rowsAs(
  Schema.Struct({
    payment_terms_days: Schema.NullOr(Schema.Int),
    untaxed_as: UntaxedAs,
    untaxed_reason: Schema.NullOr(Schema.String),
    default_taxes: Schema.Array(Tax),
    prices_include_tax: Schema.Boolean,
    customer: Schema.Struct({
      untaxed_as: Schema.NullOr(UntaxedAs),
      untaxed_reason: Schema.NullOr(Schema.String)
    })
  })
)
const termsDays = rowsAs(Schema.Struct({ days: Schema.NullOr(Schema.Int) }))
const dueInvoices = rowsAs(Schema.Struct({ invoice_id: InvoiceId, due_date: Schema.String }))
const sums = rowsAs(Schema.Struct({ minor: Schema.Int }))

export const layer = onPostgres(ReminderRepository, (sql) => {
  const isOpen = sql.literal(inStates(invoiceMachine, isOpenInvoice))
  const active = sql.literal(stateLiterals(businessMachine).A)
  const columns = sql.literal(columnsOf(RemindingBusiness, "b"))
  return {
    termsOf: (businessId, customerId) =>
      oneRow(
        terms(sql`
          SELECT b.payment_terms_days, b.untaxed_as, b.untaxed_reason, b.default_taxes, b.prices_include_tax,
            json_build_object('untaxed_as', c.untaxed_as, 'untaxed_reason', c.untaxed_reason) AS customer
          FROM businesses b
          LEFT JOIN customers c
            ON c.business_id = ${businessId} AND c.customer_id = ${customerId} AND c.deleted_at IS NULL
          WHERE b.business_id = ${businessId}`)
      ),
    termsDaysOf: (businessId, customerId) =>
      Effect.map(
        oneRow(
          termsDays(sql`
            SELECT coalesce((
              SELECT c.payment_terms_days FROM customers c
              WHERE c.business_id = ${businessId} AND c.customer_id = ${customerId}), b.payment_terms_days) AS days
            FROM businesses b WHERE b.business_id = ${businessId}`)
        ),
        ({ days }) => days
      ),
    businesses: (after, limit) =>
      businesses(sql`
        SELECT ${columns} FROM business_counters c JOIN businesses b USING (business_id)
        WHERE b.business_id > ${after ?? 0} AND b.status = ${active} AND c.email_credits_change > 0
          AND b.dunning @> '{"automatic": true}' AND b.dunning -> 'levels' <> '[]'
        ORDER BY b.business_id LIMIT ${limit}`),
    settingsOf: (businessId) =>
      oneRow(settings(sql`SELECT business_email, dunning FROM businesses WHERE business_id = ${businessId}`)),
    due: (businessId, { dueBy, reached, remindedBefore }, after, limit) =>
      dueInvoices(sql`
        SELECT i.invoice_id, i.due_date FROM invoices i
        WHERE i.business_id = ${businessId} AND i.status ${isOpen} AND i.deleted_at IS NULL
          AND i.sent_at IS NOT NULL AND i.due_date <= ${dueBy} AND i.total_minor - i.credited_minor > i.paid_minor
          AND (i.due_date, i.invoice_id) > (${after?.due_date ?? "-infinity"}::date, ${after?.invoice_id ?? 0})
          AND i.reminder_level = ${reached} AND i.fee_of_invoice_id IS NULL
          AND (i.last_reminder_at IS NULL OR i.last_reminder_at < ${instant(remindedBefore)})
          AND (i.customer_id IS NULL OR EXISTS (
            SELECT FROM customers c
            WHERE c.business_id = ${businessId} AND c.customer_id = i.customer_id AND c.email IS NOT NULL))
        ORDER BY i.due_date, i.invoice_id LIMIT ${limit}`),
    openFees: (businessId, invoiceId) =>
      Effect.map(
        oneRow(
          sums(sql`
            SELECT coalesce(sum(total_minor - credited_minor - paid_minor), 0)::bigint AS minor FROM invoices
            WHERE business_id = ${businessId} AND fee_of_invoice_id = ${invoiceId} AND status ${isOpen}`)
        ),
        ({ minor }) => minor
      ),
    add: ({ business_id, days, due_date, invoice_id }, now) =>
      execute(sql`
        INSERT INTO invoice_reminders (business_id, invoice_id, due_date, days, sent_at)
        VALUES (${business_id}, ${invoice_id}, ${due_date}, ${days}, ${instant(now)}) ON CONFLICT DO NOTHING`)
  }
})
