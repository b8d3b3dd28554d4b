import { Effect, Schema } from "effect"
import {
  ActingBusiness,
  businessMachine,
  InvoiceId,
  invoiceMachine,
  isOpenInvoice,
  ReminderRepository,
  Tax,
  UntaxedAs
} from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { instant, oneRow, rowsAs } from "../sql/rows/Rows.ts"
import { inStates, stateLiterals } from "../sql/rows/States.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const RemindingBusiness = Schema.Struct({
  ...ActingBusiness.fields,
  business_email: Schema.String,
  reminder_days: Schema.Array(Schema.Int)
})
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
const ids = rowsAs(Schema.Struct({ invoice_id: InvoiceId }))

export const layer = onPostgres(ReminderRepository, (sql) => {
  const isOpen = sql.literal(inStates(invoiceMachine, isOpenInvoice))
  const active = sql.literal(stateLiterals(businessMachine).A)
  const columns = sql.literal(columnsOf(RemindingBusiness))
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
        SELECT ${columns} FROM businesses
        WHERE business_id > ${after ?? 0} AND status = ${active} AND email_credits > 0 AND reminder_days <> '{}'
        ORDER BY business_id LIMIT ${limit}`),
    due: (businessId, dueBy, days, limit) =>
      Effect.map(
        ids(sql`
          SELECT i.invoice_id FROM invoices i
          WHERE i.business_id = ${businessId} AND i.status ${isOpen} AND i.deleted_at IS NULL
            AND i.sent_at IS NOT NULL AND i.due_date <= ${dueBy} AND i.total_minor - i.credited_minor > i.paid_minor
            AND NOT EXISTS (
              SELECT FROM invoice_reminders r
              WHERE r.business_id = ${businessId} AND r.invoice_id = i.invoice_id AND r.due_date = i.due_date
                AND r.days >= ${days})
          ORDER BY i.due_date, i.invoice_id LIMIT ${limit}`),
        (rows) => rows.map(({ invoice_id }) => invoice_id)
      ),
    add: ({ business_id, days, due_date, invoice_id }, now) =>
      Effect.map(
        Effect.orDie(sql`
          INSERT INTO invoice_reminders (business_id, invoice_id, due_date, days, sent_at)
          SELECT ${business_id}, ${invoice_id}, ${due_date}, ${days}, ${instant(now)}
          WHERE NOT EXISTS (
            SELECT FROM invoice_reminders
            WHERE business_id = ${business_id} AND invoice_id = ${invoice_id} AND due_date = ${due_date}
              AND days >= ${days})
          RETURNING days`),
        (rows) => rows.length > 0
      )
  }
})
