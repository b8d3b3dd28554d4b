import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CreditNote, CreditNoteRepository } from "@livery/domain"
import { columnsOf, valuesOf } from "../sql/rows/Columns.ts"
import { instant, oneRow, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { makeEntriesOfInvoice } from "./InvoiceEntries.ts"

const creditNotes = rowsAs(CreditNote)
const makeEntries = makeEntriesOfInvoice(CreditNote, "credit_notes", "credit_note_id")
const numbers = rowsAs(Schema.Struct({ last_credit_note: Schema.Int }))

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
    const columns = sql.literal(columnsOf(CreditNote))

    return CreditNoteRepository.of({
      insert: Effect.fnUntraced(function* (note, now) {
        const { business_id } = note
        const { last_credit_note } = yield* oneRow(
          numbers(sql`
          INSERT INTO invoice_numbers (business_id, last_number, last_credit_note) VALUES (${business_id}, 0, 1)
          ON CONFLICT (business_id) DO UPDATE SET last_credit_note = invoice_numbers.last_credit_note + 1
          RETURNING last_credit_note`)
        )
        const row = {
          ...valuesOf(insertedNames, note),
          lines: JSON.stringify(note.lines),
          taxes: JSON.stringify(note.taxes),
          number: creditNoteNumber(last_credit_note),
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
