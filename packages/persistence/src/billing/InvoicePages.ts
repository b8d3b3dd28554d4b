/** Pages of a business's invoices, the newest first, by the beginning of their number and by days too. */
import type { SqlClient, Statement } from "effect/sql"
import {
  type BusinessId,
  invoiceMachine,
  isOpenInvoice,
  type InvoiceQuery,
  offsetOf,
  type PageRequest,
  StoredInvoice
} from "@livery/domain"
import { countOf, pagesOf, statementPagesOf } from "../sql/lists/Pages.ts"
import { rowsOfPage } from "../sql/lists/PageLimits.ts"
import { instant } from "../sql/rows/Rows.ts"
import { inStates, stateLiterals } from "../sql/rows/States.ts"
import { type NumberRange, rangesOfNumbers } from "./InvoiceNumber.ts"

const literals = stateLiterals(invoiceMachine)
const pageOfInvoices = pagesOf(StoredInvoice)
const pageOfRanges = statementPagesOf(StoredInvoice)

/** The filters of a list, and its order, which the index for these filters has. */
interface Listing {
  readonly where: Statement.Fragment
  readonly length: Statement.Fragment
  readonly order: Statement.Fragment
}

/** Makes the read of a page; the columns are those of `StoredInvoice`, of a table `i`. */
export const makeInvoicePages = (sql: SqlClient.SqlClient) => {
  /** The invoices of all ranges. The first part has none, so that there is a part if there is no range. */
  const unionOf = (businessId: BusinessId, parts: ReadonlyArray<Statement.Fragment>) => {
    const none = sql`SELECT * FROM invoices WHERE business_id = ${businessId} AND false`
    return sql`(${sql.join(" UNION ALL ", false)([none, ...parts])}) i`
  }

  /** Whether a number of a format that the business set begins with a text. Each of its signs is before the tilde. */
  const shownFrom = (text: string) => sql`(i.shown_number >= ${text} AND i.shown_number < ${`${text}~`})`

  /**
   * Each range is read for itself, in the order of the list and no further than the page ends: PostgreSQL does not know how
   * many numbers a range has, and would otherwise read and sort all of them.
   */
  const pageOfNumbers = (
    businessId: BusinessId,
    columns: Statement.Fragment,
    { length: numberLength, order, where }: Listing,
    text: string,
    ranges: ReadonlyArray<NumberRange>,
    page: PageRequest
  ) => {
    const parts = [
      sql`SELECT * FROM invoices i WHERE ${where} AND ${shownFrom(text)}`,
      ...ranges.map(
        ({ first, last, length }) => sql`
        SELECT * FROM invoices i
        WHERE ${where} AND i.shown_number IS NULL AND ${numberLength} = ${length}
          AND i.number BETWEEN ${first} AND ${last}`
      )
    ]
    const ordered = parts.map(
      (part) => sql`(${part} ORDER BY ${order} LIMIT ${offsetOf(page) + page.perPage + 1})`
    )
    const counted = countOf(sql, unionOf(businessId, parts))
    const rows = sql`
      SELECT ${columns}, (${counted}) AS total FROM ${unionOf(businessId, ordered)}
      ORDER BY ${order} ${rowsOfPage(sql, page, false)}`
    return pageOfRanges(page, { rows, counted })
  }

  return (
    businessId: BusinessId,
    columns: Statement.Fragment,
    { before, customerId, dueBefore, from, number = "", status }: InvoiceQuery,
    page: PageRequest
  ) => {
    const isOpen = sql.literal(inStates(invoiceMachine, isOpenInvoice))
    const where = sql.and([
      sql`i.business_id = ${businessId}`,
      sql`i.deleted_at IS NULL`,
      // Not a parameter: PostgreSQL plans by how many invoices have this status.
      ...(status === undefined ? [] : [sql`i.status = ${sql.literal(literals[status])}`]),
      ...(customerId === undefined ? [] : [sql`i.customer_id = ${customerId}`]),
      ...(dueBefore === undefined
        ? []
        : [
            sql`i.status ${isOpen}`,
            sql`i.due_date < ${dueBefore}`,
            sql`i.total_minor - i.credited_minor > i.paid_minor`
          ]),
      ...(from === undefined ? [] : [sql`i.created_at >= ${instant(from)}`]),
      ...(before === undefined ? [] : [sql`i.created_at < ${instant(before)}`]),
      ...(number === "" ? [] : [sql`i.number IS NOT NULL`])
    ])
    // The index with the status has the other name of the function (0009_billing), so that no other index serves.
    const length = sql.literal(status === undefined ? "length(i.number)" : "char_length(i.number)")
    // The order in which invoices were raised: a number has more digits than an earlier one, or is larger.
    // Drafts, which have no number, come first, in the order in which they were made.
    const order = sql`${length} DESC, i.number DESC, i.invoice_id DESC`
    const ranges = rangesOfNumbers(number)
    // Every number without a format begins with the text.
    const beginning =
      ranges === undefined && number !== ""
        ? sql.and([where, sql.or([sql`i.shown_number IS NULL`, shownFrom(number)])])
        : where
    if (ranges !== undefined)
      return pageOfNumbers(businessId, columns, { where, length, order }, number, ranges, page)
    // The indexes with the time (0009_billing) have the invoices of some days together, and in this order.
    const isOfDays = from !== undefined || before !== undefined
    if (dueBefore !== undefined)
      return pageOfInvoices(sql, page, {
        columns,
        from: sql`invoices i`,
        where: beginning,
        order: sql`i.due_date, i.invoice_id`
      })
    const listed = isOfDays ? sql`i.created_at DESC, i.invoice_id DESC` : order
    return pageOfInvoices(sql, page, { columns, from: sql`invoices i`, where: beginning, order: listed })
  }
}
