import { InvoiceNumberingRepository, usualNumbering } from "@livery/domain"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(InvoiceNumberingRepository, ({ invoiceNumberings, invoices, step }) => ({
  read: (businessId) =>
    step(
      () =>
        invoiceNumberings.get(businessId) ??
        usualNumbering(
          invoices.where(({ business_id, number }) => business_id === businessId && number !== "").length
        )
    ),
  save: (businessId, numbering) =>
    step(() => {
      invoiceNumberings.set(businessId, numbering)
    })
}))
