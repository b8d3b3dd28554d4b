import {
  type BusinessId,
  type Invoice,
  InvoiceId,
  type InvoiceQuery,
  InvoiceRepository,
  type PageRequest,
  StoredInvoice
} from "@livery/domain"
import { Option } from "effect"
import { only } from "../store/Fields.ts"
import { ascending, descending, pageOf } from "../store/Pages.ts"
import type { InvoiceRow } from "../store/Rows.ts"
import { inMemory } from "../store/Store.ts"
import { isWithin } from "../store/Ranges.ts"

export const layer = inMemory(InvoiceRepository, ({ invoices, step, trips }) => {
  const tripsOf = (invoiceId: InvoiceId) =>
    trips
      .where((trip) => trip.invoice_id === invoiceId && trip.deleted_at === undefined)
      .map(({ trip_id }) => trip_id)
      .toSorted(ascending((tripId) => [tripId]))
  const invoiceOf = (row: InvoiceRow): Invoice => ({
    ...only(StoredInvoice, row),
    trip_ids: tripsOf(row.invoice_id)
  })
  const ofBusiness = (businessId: BusinessId) =>
    invoices.where(({ business_id, deleted_at }) => business_id === businessId && deleted_at === undefined)
  const one = (businessId: BusinessId, matches: (invoice: InvoiceRow) => boolean) =>
    step(() => Option.map(Option.fromUndefinedOr(ofBusiness(businessId).find(matches)), invoiceOf))
  const find = (businessId: BusinessId, invoiceId: InvoiceId) =>
    one(businessId, ({ invoice_id }) => invoice_id === invoiceId)

  const list = (businessId: BusinessId, query: InvoiceQuery, page: PageRequest) =>
    step(() => {
      const { before, customerId, from, number = "", status } = query
      const listed = ofBusiness(businessId)
        .filter(
          (invoice) =>
            (status === undefined || invoice.status === status) &&
            (customerId === undefined || invoice.customer_id === customerId) &&
            isWithin(invoice.created_at, from, before) &&
            invoice.number.startsWith(number)
        )
        .toSorted(descending(({ invoice_id }) => [invoice_id]))
      return pageOf(listed.map(invoiceOf), page)
    })

  return {
    insert: (invoice, now) =>
      step(() => {
        const invoice_id = InvoiceId.make(invoices.next())
        const { length } = invoices.where(({ business_id }) => business_id === invoice.business_id)
        const number = `INV-${String(length + 1).padStart(6, "0")}`
        const row = { ...invoice, invoice_id, number, created_at: now, updated_at: now }
        return invoiceOf(invoices.set(invoice_id, row))
      }),
    raised: (businessId, from, before, most) =>
      step(() => {
        const { length } = invoices.where(
          ({ business_id, created_at }) => business_id === businessId && isWithin(created_at, from, before)
        )
        return Math.min(length, most)
      }),
    list,
    ofCustomer: (businessId, customerId, page) => list(businessId, { customerId }, page),
    withExcess: (businessId, customerId) =>
      step(() =>
        invoices
          .where(
            ({ business_id, customer_id, excess_minor }) =>
              business_id === businessId && customer_id === customerId && excess_minor > 0
          )
          .map(({ invoice_id }) => invoice_id)
          .toSorted(ascending((invoiceId) => [invoiceId]))
      ),
    find,
    findByHash: (businessId, hash) => one(businessId, ({ payment_hash }) => payment_hash === hash),
    lock: find,
    lockEvenDeleted: (businessId, invoiceId) =>
      step(() => {
        const row = invoices.get(invoiceId)
        return row?.business_id === businessId ? Option.some(invoiceOf(row)) : Option.none()
      }),
    update: ({ trip_ids: _trips, ...invoice }) =>
      step(() => {
        const { business_id, invoice_id } = invoice
        const stored = invoices.get(invoice_id)
        if (stored?.business_id !== business_id) return
        const { deleted_at: _deleted, ...row } = stored
        invoices.set(invoice_id, { ...row, ...invoice })
      })
  }
})
