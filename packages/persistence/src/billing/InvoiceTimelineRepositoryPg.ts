import {
  type BusinessId,
  CurrentActor,
  InvoiceTimelineEntry,
  InvoiceTimelineRepository
} from "@livery/domain"
import type { InvoiceId, NewInvoiceTimelineEntry, PageRequest } from "@livery/domain"
import { Array, type DateTime, Effect, Option, Schema } from "effect"
import { countOf, pageOf } from "../sql/lists/Pages.ts"
import { rowsOfPage } from "../sql/lists/PageLimits.ts"
import { nameOfActor } from "../sql/statements/ActorName.ts"
import { columnsOf } from "../sql/rows/Columns.ts"
import { instant, rowsAs } from "../sql/rows/Rows.ts"
import { forBusiness } from "../sql/statements/ForBusiness.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

/** An invoice without entries on the page has one row, whose `change_id` is null. */
const totalsOf = rowsAs(Schema.Struct({ change_id: Schema.NullOr(Schema.Int), total: Schema.Int }))
const entriesOf = rowsAs(InvoiceTimelineEntry)

const json = (fields: NewInvoiceTimelineEntry["before"]) => (fields === null ? null : JSON.stringify(fields))

/** Timelines in the table `invoice_changes`. Names of authors are read from the rows of users. */
export const layer = onPostgres(InvoiceTimelineRepository, (sql) => {
  const columns = forBusiness(sql, columnsOf(InvoiceTimelineEntry, "e", { actor_name: nameOfActor }))

  const append = Effect.fnUntraced(function* (
    business_id: BusinessId,
    invoice_id: InvoiceId,
    entries: ReadonlyArray<NewInvoiceTimelineEntry>,
    now: DateTime.Utc
  ) {
    const actor = yield* CurrentActor
    const rows = entries.map(({ after, before, change, fields }) => ({
      business_id,
      invoice_id,
      at: instant(now),
      actor,
      change,
      fields: JSON.stringify(fields),
      before: json(before),
      after: json(after)
    }))
    if (Array.isArrayNonEmpty(rows)) yield* sql`INSERT INTO invoice_changes ${sql.insert(rows)}`
  }, Effect.orDie)

  /** The page of an invoice; `None` for an invoice that does not exist. */
  const list = Effect.fnUntraced(function* (businessId: BusinessId, invoiceId: InvoiceId, page: PageRequest) {
    const ofInvoice = sql`business_id = ${businessId} AND invoice_id = ${invoiceId}`
    const total = countOf(sql, sql`invoice_changes WHERE ${ofInvoice}`)
    const rows = yield* Effect.orDie(sql`
      SELECT c.*, (${total}) AS total
      FROM (SELECT FROM invoices WHERE ${ofInvoice} AND deleted_at IS NULL) i
      LEFT JOIN LATERAL (
        SELECT ${columns(businessId)} FROM invoice_changes e WHERE ${ofInvoice}
        ORDER BY change_id ${rowsOfPage(sql, page, false)}) c ON true
      ORDER BY c.change_id`)
    const [first] = yield* totalsOf(Effect.succeed(rows))
    if (first === undefined) return Option.none()
    const entries = first.change_id === null ? [] : yield* entriesOf(Effect.succeed(rows))
    return Option.some(pageOf(page, entries, first.total))
  })

  return { append, list }
})
