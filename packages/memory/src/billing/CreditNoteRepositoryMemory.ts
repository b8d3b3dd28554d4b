import {
  type BusinessId,
  CreditNoteId,
  CreditNoteRepository,
  type InvoiceId,
  nextNumberOf,
  usualNumbering
} from "@livery/domain"
import { Option } from "effect"
import { pageOf } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(CreditNoteRepository, ({ creditNoteNumberings, creditNotes, step }) => {
  const ofInvoice = (businessId: BusinessId, invoiceId: InvoiceId) =>
    creditNotes.where(({ business_id, invoice_id }) => business_id === businessId && invoice_id === invoiceId)
  return {
    insert: (note, now, issuedOn) =>
      step(() => {
        const credit_note_id = CreditNoteId.make(creditNotes.next())
        const { length } = creditNotes.where(({ business_id }) => business_id === note.business_id)
        const own = creditNoteNumberings.get(note.business_id)
        const { number, numbering } = nextNumberOf(own ?? usualNumbering("credit_note", length), issuedOn)
        if (own !== undefined) creditNoteNumberings.set(note.business_id, numbering)
        return creditNotes.set(credit_note_id, { ...note, credit_note_id, number, created_at: now })
      }),
    ofInvoice: (businessId, invoiceId) => step(() => ofInvoice(businessId, invoiceId)),
    list: (businessId, invoiceId, page) => step(() => pageOf(ofInvoice(businessId, invoiceId), page)),
    find: (businessId, invoiceId, creditNoteId) =>
      step(() =>
        Option.fromUndefinedOr(
          ofInvoice(businessId, invoiceId).find(({ credit_note_id }) => credit_note_id === creditNoteId)
        )
      )
  }
})
