import { type DateTime, Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import {
  type BusinessId,
  type Invoice,
  InvoiceId,
  type InvoiceQuery,
  InvoiceRepository,
  type NewInvoice,
  type PageRequest,
  StoredInvoice
} from "@livery/domain"
import { columnsOf, valuesOf } from "../sql/rows/Columns.ts"
import { business, forBusiness } from "../sql/statements/ForBusiness.ts"
import { execute, instant, oneRow, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { makeDrawNumber } from "./DrawnNumbers.ts"
import { invoiceNumber } from "./InvoiceNumber.ts"
import { makeInvoicePages } from "./InvoicePages.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const invoices = rowsAs(StoredInvoice)
const drawn = rowsAs(Schema.Struct({ last_number: Schema.Int }))
const invoiceIds = rowsAs(Schema.Struct({ invoice_id: InvoiceId }))
const counts = rowsAs(Schema.Struct({ count: Schema.Int }))

const tripIds = `ARRAY(
  SELECT t.trip_id FROM trips t
  WHERE t.business_id = ${business} AND t.invoice_id = i.invoice_id AND t.deleted_at IS NULL ORDER BY t.trip_id)`

/** A draft has no number. */
const storedNumber = "coalesce(i.shown_number, i.number, '')"

/** The columns that an update never sets. */
const immutable = new Set([
  "business_id",
  "invoice_id",
  "number",
  "currency",
  "payment_hash",
  "trip_ids",
  "created_at"
])
const updatedNames = Object.keys(StoredInvoice.fields).filter((name) => !immutable.has(name))
const insertedNames = Object.keys(StoredInvoice.fields).filter(
  (name) => !["invoice_id", "number", "trip_ids", "created_at", "updated_at"].includes(name)
)

/** The values of an invoice's columns; its lines are one JSON value. */
const rowOf = (names: ReadonlyArray<string>, invoice: NewInvoice | Invoice) => ({
  ...valuesOf(names, invoice),
  lines: JSON.stringify(invoice.lines)
})

export const layer = onPostgres(InvoiceRepository, (sql) => {
  const readPage = makeInvoicePages(sql)
  const columns = forBusiness(sql, columnsOf(StoredInvoice, "i", { number: storedNumber, trip_ids: tripIds }))
  const insertedColumns = sql.literal(
    columnsOf(StoredInvoice, "i", { number: storedNumber, trip_ids: "ARRAY[]::bigint[]" })
  )

  const findWhere = (
    businessId: BusinessId,
    where: Statement.Fragment,
    isPresent: Statement.Fragment = sql`i.deleted_at IS NULL`
  ) =>
    firstOf(
      invoices(sql`
        SELECT ${columns(businessId)} FROM invoices i
        WHERE i.business_id = ${businessId} AND ${where} AND ${isPresent}`)
    )

  const find = (businessId: BusinessId, invoiceId: InvoiceId) =>
    findWhere(businessId, sql`i.invoice_id = ${invoiceId}`)

  /** Locks an invoice. A separate statement, so that the next one sees the trips that were attached while this one waited. */
  const lockRow = (businessId: BusinessId, invoiceId: InvoiceId) =>
    Effect.orDie(sql`
      SELECT FROM invoices WHERE business_id = ${businessId} AND invoice_id = ${invoiceId} FOR NO KEY UPDATE`)

  const nextNumber = makeDrawNumber(sql, "invoice", invoiceNumber)

  /** The columns of a number that an invoice has already. It takes a place in the order, and no number of the business. */
  const keptColumns = (businessId: BusinessId, shown_number: string) =>
    Effect.map(
      oneRow(
        drawn(sql`
          INSERT INTO invoice_numbers (business_id, last_number) VALUES (${businessId}, 1)
          ON CONFLICT (business_id) DO UPDATE SET last_number = invoice_numbers.last_number + 1
          RETURNING last_number`)
      ),
      ({ last_number }) => ({ number: invoiceNumber(last_number), shown_number })
    )

  const numberOf = ({ business_id, issued_on, status }: NewInvoice, keptNumber: string | undefined) => {
    if (status === "draft") return Effect.succeed({ number: null })
    return keptNumber === undefined
      ? nextNumber(business_id, issued_on)
      : keptColumns(business_id, keptNumber)
  }

  const insert = Effect.fnUntraced(function* (invoice: NewInvoice, now: DateTime.Utc, keptNumber?: string) {
    const row = {
      ...rowOf(insertedNames, invoice),
      ...(yield* numberOf(invoice, keptNumber)),
      created_at: instant(now),
      updated_at: instant(now)
    }
    // No trip is on a new invoice.
    return yield* oneRow(
      invoices(sql`
      INSERT INTO invoices AS i ${sql.insert(row)} RETURNING ${insertedColumns}`)
    )
  })

  const list = (businessId: BusinessId, query: InvoiceQuery, page: PageRequest) =>
    readPage(businessId, columns(businessId), query, page)

  return {
    insert,
    drawNumber: Effect.fnUntraced(function* (draft, now) {
      const { business_id, invoice_id, issued_on } = draft
      const { number, shown_number } = yield* nextNumber(business_id, issued_on)
      yield* execute(sql`
        UPDATE invoices SET number = ${number}, shown_number = ${shown_number}, created_at = ${instant(now)}
        WHERE business_id = ${business_id} AND invoice_id = ${invoice_id}`)
      return { ...draft, number: shown_number ?? number, created_at: now }
    }),
    remove: Effect.fnUntraced(function* (businessId, invoiceId) {
      const ofInvoice = sql`business_id = ${businessId} AND invoice_id = ${invoiceId}`
      yield* execute(sql`DELETE FROM invoice_changes WHERE ${ofInvoice}`)
      yield* execute(sql`DELETE FROM invoices WHERE ${ofInvoice}`)
    }),
    raised: (businessId, from, before, most) =>
      Effect.map(
        counts(sql`
          SELECT count(*) AS count FROM (
            SELECT FROM invoices
            WHERE business_id = ${businessId} AND created_at >= ${instant(from)} AND created_at < ${instant(before)}
              AND number IS NOT NULL
            LIMIT ${most}) counted`),
        ([row]) => row?.count ?? 0
      ),
    list,
    ofCustomer: (businessId, customerId, page) => list(businessId, { customerId }, page),
    withExcess: (businessId, customerId) =>
      Effect.map(
        invoiceIds(sql`
          SELECT invoice_id FROM invoices
          WHERE business_id = ${businessId} AND customer_id = ${customerId} AND excess_minor > 0 ORDER BY invoice_id`),
        (rows) => rows.map(({ invoice_id }) => invoice_id)
      ),
    find,
    findByHash: (businessId, hash) =>
      findWhere(businessId, sql`i.payment_hash = ${hash} AND i.number IS NOT NULL`),
    lock: (businessId, invoiceId) =>
      Effect.andThen(lockRow(businessId, invoiceId), find(businessId, invoiceId)),
    lockEvenDeleted: (businessId, invoiceId) =>
      Effect.andThen(
        lockRow(businessId, invoiceId),
        findWhere(businessId, sql`i.invoice_id = ${invoiceId}`, sql`true`)
      ),
    update: (invoice) => {
      const { business_id, deleted_at, invoice_id } = invoice
      const row = {
        ...rowOf(updatedNames, invoice),
        deleted_at: deleted_at === undefined ? null : instant(deleted_at)
      }
      return execute(sql`
          UPDATE invoices SET ${sql.update(row)} WHERE business_id = ${business_id} AND invoice_id = ${invoice_id}`)
    }
  }
})
