import { type BusinessId, type InvoiceId, InvoiceSnapshotRepository } from "@livery/domain"
import { Option } from "effect"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(InvoiceSnapshotRepository, ({ invoiceSnapshots, step }) => {
  const find = (businessId: BusinessId, invoiceId: InvoiceId) => {
    const row = invoiceSnapshots.get(invoiceId)
    return row?.business_id === businessId ? row : undefined
  }
  return {
    insert: (business_id, invoiceId, snapshot) =>
      step(() => void invoiceSnapshots.set(invoiceId, { business_id, snapshot, kept_pdf: null })),
    find: (businessId, invoiceId) =>
      step(() =>
        Option.map(Option.fromUndefinedOr(find(businessId, invoiceId)), ({ kept_pdf, snapshot }) => ({
          snapshot,
          kept_pdf
        }))
      ),
    keepPdf: (businessId, invoiceId, kept_pdf, earlier) =>
      step(() => {
        const row = find(businessId, invoiceId)
        if (row === undefined || (row.kept_pdf?.file ?? null) !== earlier) return false
        invoiceSnapshots.change(invoiceId, { kept_pdf })
        return true
      })
  }
})
