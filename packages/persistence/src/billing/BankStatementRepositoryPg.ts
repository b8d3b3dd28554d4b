import { Effect, Schema } from "effect"
import {
  BankEntry,
  invoiceMachine,
  isOpenInvoice,
  BankStatement,
  BankStatementId,
  BankStatementRepository,
  type BusinessId,
  OpenInvoice
} from "@livery/domain"
import { pagesOf } from "../sql/lists/Pages.ts"
import { inStates } from "../sql/rows/States.ts"
import { columnsOf, valuesOf } from "../sql/rows/Columns.ts"
import { business, forBusiness } from "../sql/statements/ForBusiness.ts"
import { execute, firstOf, instant, oneRow, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const statements = rowsAs(BankStatement)
const statementPages = pagesOf(BankStatement)
const entries = rowsAs(BankEntry)
const entryPages = pagesOf(BankEntry)
const openInvoices = rowsAs(OpenInvoice)
const ids = rowsAs(Schema.Struct({ statement_id: BankStatementId }))

const countOf = (condition: string) => `(
  SELECT count(*)::int FROM bank_entries e
  WHERE e.business_id = ${business} AND e.statement_id = s.statement_id AND ${condition})`

/** The status of an entry that waits for a person. */
const waiting = "open" satisfies BankEntry["status"]

const insertedNames = ["business_id", "format", "account", "digest", "read_count"] as const

export const layer = onPostgres(BankStatementRepository, (sql) => {
  const columns = forBusiness(
    sql,
    columnsOf(BankStatement, "s", {
      entry_count: countOf("true"),
      open_count: countOf(`e.status = '${waiting}'`)
    })
  )
  const isOpen = sql.literal(inStates(invoiceMachine, isOpenInvoice))
  const entryColumns = sql.literal(columnsOf(BankEntry))
  const find = (businessId: BusinessId, statementId: BankStatementId) =>
    statements(sql`
      SELECT ${columns(businessId)} FROM bank_statements s WHERE business_id = ${businessId} AND statement_id = ${statementId}`)

  return {
    insert: Effect.fnUntraced(function* (statement, newEntries, now) {
      const { business_id, digest } = statement
      const row = { ...valuesOf(insertedNames, statement), created_at: instant(now) }
      const [made] = yield* ids(sql`
        INSERT INTO bank_statements ${sql.insert(row)}
        ON CONFLICT (business_id, digest) DO NOTHING RETURNING statement_id`)
      if (made === undefined)
        return yield* oneRow(
          statements(sql`
            SELECT ${columns(business_id)} FROM bank_statements s WHERE business_id = ${business_id} AND digest = ${digest}`)
        )
      yield* execute(sql`
        INSERT INTO bank_entries (business_id, statement_id, status, direction, booked_on, amount_minor, currency,
          payer_name, text, structured_reference, bank_reference, fingerprint, created_at)
        SELECT ${business_id}::bigint, ${made.statement_id}::bigint, e.status, e.direction, e.booked_on, e.amount_minor,
          e.currency, e.payer_name, e.text, e.structured_reference, e.bank_reference, e.fingerprint,
          ${instant(now)}::timestamptz
        FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(newEntries)}::jsonb) AS (
          status text, direction text, booked_on text, amount_minor bigint, currency text, payer_name text, text text,
          structured_reference text, bank_reference text, fingerprint text)) WITH ORDINALITY AS e (
          status, direction, booked_on, amount_minor, currency, payer_name, text, structured_reference, bank_reference,
          fingerprint, place)
        ORDER BY e.place
        ON CONFLICT (business_id, fingerprint) DO NOTHING`)
      return yield* oneRow(find(business_id, made.statement_id))
    }),
    find: (businessId, statementId) => firstOf(find(businessId, statementId)),
    list: (businessId, page) =>
      statementPages(sql, page, {
        columns: columns(businessId),
        from: sql.literal("bank_statements s"),
        where: sql`business_id = ${businessId}`,
        order: sql.literal("statement_id DESC")
      }),
    entries: (businessId, statementId, status, page) => {
      const isInStatus = status === undefined ? sql`true` : sql`status = ${status}`
      return entryPages(sql, page, {
        columns: entryColumns,
        from: sql.literal("bank_entries"),
        where: sql`business_id = ${businessId} AND statement_id = ${statementId} AND ${isInStatus}`,
        order: sql.literal("entry_id")
      })
    },
    lockEntry: (businessId, statementId, entryId) =>
      firstOf(
        entries(sql`
          SELECT ${entryColumns} FROM bank_entries
          WHERE business_id = ${businessId} AND entry_id = ${entryId} AND statement_id = ${statementId}
          FOR NO KEY UPDATE`)
      ),
    decide: ({ business_id, entry_id, remittance_id, status }) =>
      execute(sql`
        UPDATE bank_entries SET status = ${status}, remittance_id = ${remittance_id}
        WHERE business_id = ${business_id} AND entry_id = ${entry_id}`),
    openInvoices: (businessId, most) =>
      openInvoices(sql`
        SELECT i.invoice_id, i.number, i.currency, c.name, c.company,
          i.total_minor - i.credited_minor - i.paid_minor AS due_minor
        FROM invoices i
        LEFT JOIN customers c ON c.business_id = ${businessId} AND c.customer_id = i.customer_id
        WHERE i.business_id = ${businessId} AND i.status ${isOpen} AND i.deleted_at IS NULL
          AND i.total_minor - i.credited_minor - i.paid_minor > 0
        ORDER BY i.invoice_id DESC LIMIT ${most}`)
  }
})
