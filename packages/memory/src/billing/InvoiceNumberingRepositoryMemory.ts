import {
  type BusinessId,
  InvoiceNumberingRepository,
  type NumberedDocument,
  usualNumbering
} from "@livery/domain"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(
  InvoiceNumberingRepository,
  ({ creditNoteNumberings, creditNotes, invoiceNumberings, invoices, step }) => {
    const numberingsOf = { invoice: invoiceNumberings, credit_note: creditNoteNumberings }
    const countOf = (businessId: BusinessId, document: NumberedDocument) =>
      document === "invoice"
        ? invoices.where(({ business_id, number }) => business_id === businessId && number !== "").length
        : creditNotes.where(({ business_id }) => business_id === businessId).length
    const read = (businessId: BusinessId, document: NumberedDocument) =>
      step(
        () =>
          numberingsOf[document].get(businessId) ?? usualNumbering(document, countOf(businessId, document))
      )
    return {
      read,
      lock: read,
      save: (businessId, document, numbering) =>
        step(() => {
          numberingsOf[document].set(businessId, numbering)
        })
    }
  }
)
