import { SaasInvoiceRepository } from "@livery/domain"
import { Option } from "effect"
import { pageOf } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(SaasInvoiceRepository, ({ businesses, saasInvoices, step }) => ({
  list: ({ business_id, status }, page) =>
    step(() => {
      const listed = saasInvoices
        .where((row) => business_id === undefined || row.business_id === business_id)
        .filter((row) => status === undefined || row.status === status)
      return pageOf(listed.toReversed(), page)
    }),
  find: (invoiceId) => step(() => Option.fromUndefinedOr(saasInvoices.get(invoiceId))),
  lock: (invoiceId) => step(() => Option.fromUndefinedOr(saasInvoices.get(invoiceId))),
  update: ({ payments, saas_invoice_id, status }) =>
    step(() => {
      saasInvoices.change(saas_invoice_id, { payments, status })
    }),
  insert: (invoice) =>
    step(() => {
      if (saasInvoices.find(({ number }) => number === invoice.number)) return Option.none()
      const saas_invoice_id = saasInvoices.next()
      const business_name = businesses.get(invoice.business_id)?.business_name ?? ""
      return Option.some(saasInvoices.set(saas_invoice_id, { ...invoice, saas_invoice_id, business_name }))
    })
}))
