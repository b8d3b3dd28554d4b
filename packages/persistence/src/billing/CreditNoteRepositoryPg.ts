import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { CreditNote, CreditNoteRepository } from "@livery/domain"
import { columnsOf, valuesOf } from "../sql/rows/Columns.ts"
import { instant, oneRow, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { makeDrawNumber } from "./DrawnNumbers.ts"
import { makeEntriesOfInvoice } from "./InvoiceEntries.ts"

const creditNotes = rowsAs(CreditNote)
/** The number of a business that set a format, and otherwise the usual one. */
export const shownNumber = { number: "coalesce(shown_number, number)" }

const makeEntries = makeEntriesOfInvoice(CreditNote, "credit_notes", "credit_note_id", shownNumber)

const insertedNames = Object.keys(CreditNote.fields).filter(
  (name) => !["credit_note_id", "number", "created_at"].includes(name)
)

/** The number of a credit note: at least six digits. */
const creditNoteNumber = (count: number) => `CN-${String(count).padStart(6, "0")}`

export const layer = Layer.effect(
  CreditNoteRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { list, ofInvoice } = yield* makeEntries
    const columns = sql.literal(columnsOf(CreditNote, undefined, shownNumber))
    const nextNumber = makeDrawNumber(sql, "credit_note", creditNoteNumber)

    return CreditNoteRepository.of({
      insert: Effect.fnUntraced(function* (note, now, issuedOn) {
        const { business_id } = note
        const row = {
          ...valuesOf(insertedNames, note),
          lines: JSON.stringify(note.lines),
          taxes: JSON.stringify(note.taxes),
          ...(yield* nextNumber(business_id, issuedOn)),
          created_at: instant(now)
        }
        return yield* oneRow(
          creditNotes(sql`
          INSERT INTO credit_notes ${sql.insert(row)} RETURNING ${columns}`)
        )
      }),
      ofInvoice,
      list,
      find: (businessId, invoiceId, creditNoteId) =>
        firstOf(
          creditNotes(sql`
            SELECT ${columns} FROM credit_notes
            WHERE business_id = ${businessId} AND credit_note_id = ${creditNoteId} AND invoice_id = ${invoiceId}`)
        )
    })
  })
)
