/** A credit note: a numbered document that credits a part of an invoice or all of it (docs/api/invoices.md). */
import { Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import { omittable, orNull } from "../../kernel/fields/Optional.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { BusinessId, CreditNoteId, InvoiceId } from "../../kernel/Ids.ts"
import { toMajor } from "../../kernel/money/Money.ts"
import { InvoiceLine, invoiceLineRecord, InvoiceLineRecord, LineInputs } from "../invoice/InvoiceLine.ts"
import { taxRecord, TaxRecord } from "../invoice/Invoice.ts"
import { TaxOfRate } from "../invoice/InvoiceSums.ts"

/** Why an amount is credited. */
export const CreditReason = Schema.Literals(["cancellation", "price", "complaint", "duplicate", "other"])
export type CreditReason = typeof CreditReason.Type

/** An amount that is zero or negative, in major units of the record's currency. */
const credited = Field.computed(Schema.Finite)

/**
 * The fields of a credit note. Its lines have negative quantities, so that its amounts and those of its invoice add
 * up. `refund_amount`, which is positive, is the part that had been paid: it was refunded or is still to be
 * refunded. `refund` of the request decides whether it is refunded at once.
 */
export const creditNoteFields = {
  credit_note_id: Field.assigned(Value.id(CreditNoteId)),
  business_id: Field.internal(Value.id(BusinessId)),
  invoice_id: Field.assigned(Value.id(InvoiceId)),
  number: Field.says({ person: "nobody" }, Field.assigned(Value.unboundedText)),
  reason: Field.withDefault(Value.oneOf(CreditReason), "other"),
  currency: Field.says({ person: "nobody" }, Field.assigned(Value.currency)),
  items: {
    input: orNull(LineInputs),
    wire: Schema.Array(InvoiceLineRecord),
    person: "customer" as const
  },
  lines: Field.says({ person: "customer" }, Field.internal({ stored: Schema.Array(InvoiceLine) })),
  taxes: Field.says({ person: "nobody" }, Field.internal({ stored: Schema.Array(TaxOfRate) })),
  subtotal: Field.says({ person: "nobody" }, credited),
  subtotal_minor: Field.internal(Value.minorAmount),
  tax_total: Field.says({ person: "nobody" }, credited),
  tax_minor: Field.internal(Value.minorAmount),
  tax_breakdown: Field.says({ person: "nobody" }, Field.computed(Schema.Array(TaxRecord))),
  total_amount: Field.says({ person: "nobody" }, credited),
  total_minor: Field.internal(Value.minorAmount),
  refund_amount: Field.says({ person: "nobody" }, Field.computed(Value.amount.wire)),
  refund_minor: Field.internal(Value.minorAmount),
  refund: { input: omittable(Schema.Boolean) },
  notes: Field.says({ person: "customer" }, Field.optional(Value.text(5000))),
  created_at: Field.assigned(Value.instant)
}

/** The body of `POST /invoices/{id}/credit-notes`. Without `items`, all that is left of the invoice is credited. */
export const CreditNoteInput = Field.inputOf(creditNoteFields)
export type CreditNoteInput = typeof CreditNoteInput.Type

/** A credit note as stored. */
export const CreditNote = Field.storedOf(creditNoteFields)
export type CreditNote = typeof CreditNote.Type

/** A credit note that is not stored yet. Storing it gives it its id and its number. */
export type NewCreditNote = Omit<CreditNote, "credit_note_id" | "number" | "created_at">

const creditNoteRecordStruct = Field.recordOf(creditNoteFields)
type CreditNoteRecordStruct = typeof creditNoteRecordStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface CreditNoteRecordSchema extends CreditNoteRecordStruct {}

/** A credit note in a response. */
export const CreditNoteRecord: CreditNoteRecordSchema = creditNoteRecordStruct
export type CreditNoteRecord = typeof CreditNoteRecord.Type

const encode = Field.encoderOf<typeof creditNoteFields, undefined>(creditNoteFields, {
  items: ({ currency, lines }) => lines.map((line) => invoiceLineRecord(line, currency)),
  subtotal: ({ currency, subtotal_minor }) => toMajor({ minor: subtotal_minor, currency }),
  tax_breakdown: ({ currency, taxes }) => taxes.map((tax) => taxRecord(tax, currency)),
  tax_total: ({ currency, tax_minor }) => toMajor({ minor: tax_minor, currency }),
  total_amount: ({ currency, total_minor }) => toMajor({ minor: total_minor, currency }),
  refund_amount: ({ currency, refund_minor }) => toMajor({ minor: refund_minor, currency })
})

/** The record of a credit note. */
export const creditNoteRecord = (note: CreditNote): CreditNoteRecord => encode(note, undefined)
