import {
  type BusinessId,
  type Invoice,
  InvoiceId,
  type InvoiceQuery,
  InvoiceRepository,
  isOpenInvoice,
  nextNumberOf,
  type PageRequest,
  StoredInvoice,
  usualNumbering
} from "@livery/domain"
import { Option } from "effect"
import { only } from "../store/Fields.ts"
import { ascending, descending, pageOf } from "../store/Pages.ts"
import type { InvoiceRow } from "../store/Rows.ts"
import { inMemory } from "../store/Store.ts"
import { isWithin } from "../store/Ranges.ts"

export const layer = inMemory(
  InvoiceRepository,
  ({ invoiceChanges, invoiceNumberings, invoices, step, trips }) => {
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
        const { before, customerId, dueBefore, from, number = "", status } = query
        const listed = ofBusiness(businessId)
          .filter(
            (invoice) =>
              (status === undefined || invoice.status === status) &&
              (dueBefore === undefined ||
                (isOpenInvoice(invoice.status) &&
                  invoice.due_date !== null &&
                  invoice.due_date < dueBefore &&
                  invoice.total_minor - invoice.credited_minor > invoice.paid_minor)) &&
              (customerId === undefined || invoice.customer_id === customerId) &&
              isWithin(invoice.created_at, from, before) &&
              invoice.number.startsWith(number) &&
              (number === "" || invoice.number !== "")
          )
          .toSorted(
            dueBefore === undefined || number !== ""
              ? descending(({ drawn, invoice_id }) => [drawn === 0 ? 1 : 0, drawn, invoice_id])
              : ascending(({ due_date, invoice_id }) => [due_date ?? "", invoice_id])
          )
        return pageOf(listed.map(invoiceOf), page)
      })

    const countOf = (businessId: BusinessId) =>
      invoices.where(({ business_id, number }) => business_id === businessId && number !== "").length

    const nextNumber = (businessId: BusinessId, issuedOn: string) => {
      const length = countOf(businessId)
      const { number, numbering } = nextNumberOf(
        invoiceNumberings.get(businessId) ?? usualNumbering("invoice", length),
        issuedOn
      )
      if (invoiceNumberings.get(businessId) !== undefined) invoiceNumberings.set(businessId, numbering)
      return { number, drawn: length + 1 }
    }

    return {
      insert: (invoice, now, keptNumber) =>
        step(() => {
          const numbered =
            invoice.status === "draft"
              ? { number: "", drawn: 0 }
              : keptNumber === undefined
                ? nextNumber(invoice.business_id, invoice.issued_on)
                : { number: keptNumber, drawn: countOf(invoice.business_id) + 1 }
          const invoice_id = InvoiceId.make(invoices.next())
          const row = { ...invoice, ...numbered, invoice_id, created_at: now, updated_at: now }
          return invoiceOf(invoices.set(invoice_id, row))
        }),
      drawNumber: (draft, now) =>
        step(() => {
          const { drawn, number } = nextNumber(draft.business_id, draft.issued_on)
          invoices.change(draft.invoice_id, { number, drawn, created_at: now })
          return { ...draft, number, created_at: now }
        }),
      remove: (businessId, invoiceId) =>
        step(() => {
          if (invoices.get(invoiceId)?.business_id !== businessId) return
          for (const { change_id } of invoiceChanges.where(({ invoice_id }) => invoice_id === invoiceId))
            invoiceChanges.remove(change_id)
          invoices.remove(invoiceId)
        }),
      raised: (businessId, from, before, most) =>
        step(() => {
          const { length } = invoices.where(
            ({ business_id, created_at, number }) =>
              business_id === businessId && number !== "" && isWithin(created_at, from, before)
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
      findByHash: (businessId, hash) =>
        one(businessId, ({ number, payment_hash }) => number !== "" && payment_hash === hash),
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
  }
)
