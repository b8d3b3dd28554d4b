import {
  type BookCustomer,
  type BookEntry,
  type BookEntryType,
  bookPositionOf,
  BookRepository,
  type BusinessId,
  dayOfEntry,
  defaultAccounting,
  type Invoice,
  postedKinds
} from "@livery/domain"
import { DateTime } from "effect"
import { ascending } from "../store/Pages.ts"
import { inMemory, pair } from "../store/Store.ts"

type BookedInvoice = Omit<Invoice, "trip_ids">

export const layer = inMemory(
  BookRepository,
  ({ businesses, creditNotes, customers, invoices, invoiceSnapshots, payments, retained, step, trips }) => {
    const nameOnTrips = (invoice: BookedInvoice) => {
      const [first] = trips
        .where((trip) => trip.invoice_id === invoice.invoice_id && trip.deleted_at === undefined)
        .toSorted(ascending(({ trip_date, trip_id }) => [DateTime.toEpochMillis(trip_date), trip_id]))
      if (first === undefined) return undefined
      return retained.get(pair("trip", first.trip_id))?.party["customer_name"] ?? first.customer_name
    }

    const customerOf = (invoice: BookedInvoice): BookCustomer => {
      const customer = invoice.customer_id === null ? undefined : customers.get(invoice.customer_id)
      const sealed = invoiceSnapshots.get(invoice.invoice_id)?.snapshot
      const present = customer && {
        ...customer,
        ...retained.get(pair("customer", customer.customer_id))?.party
      }
      const buyer = sealed === undefined ? present : sealed.buyer
      return {
        customer_id: invoice.customer_id,
        name: buyer?.name ?? sealed?.trips[0]?.customer_name ?? nameOnTrips(invoice) ?? "",
        company: buyer?.company ?? null,
        email: buyer?.email ?? null,
        address: buyer?.address ?? null,
        country: buyer?.country ?? null,
        vat_number: buyer?.vat_number ?? null,
        account_number: customer?.account_number ?? null
      }
    }

    const entriesOf = (businessId: BusinessId, type: BookEntryType): ReadonlyArray<BookEntry> => {
      const own = ({ business_id }: { readonly business_id: BusinessId }) => business_id === businessId
      const withInvoice = <Row extends { readonly invoice_id: Invoice["invoice_id"] }>(
        rows: ReadonlyArray<Row>
      ) =>
        rows.flatMap((row) => {
          const invoice = invoices.get(row.invoice_id)
          return invoice === undefined ? [] : [{ row, invoice, customer: customerOf(invoice) }]
        })
      switch (type) {
        case "invoice":
        case "void":
          return invoices
            .where(
              (invoice) =>
                own(invoice) && invoice.number !== "" && (type === "invoice" || invoice.voided_at !== null)
            )
            .map(({ deleted_at: _deleted, drawn: _drawn, ...invoice }) => ({
              type,
              invoice,
              customer: customerOf(invoice)
            }))
        case "credit_note":
          return withInvoice(creditNotes.where(own)).map(({ customer, invoice, row }) => ({
            type,
            note: row,
            invoice,
            customer
          }))
        case "payment":
          return withInvoice(
            payments.where((payment) => own(payment) && postedKinds.includes(payment.kind))
          ).map(({ customer, invoice, row }) => ({
            type,
            payment: {
              ...row,
              refers_to: row.refund_of === null ? null : (payments.get(row.refund_of)?.kind ?? null)
            },
            invoice,
            customer
          }))
      }
    }

    return {
      settingsOf: (businessId) =>
        step(() => {
          const business = businesses.get(businessId)
          return { accounting: business?.accounting ?? defaultAccounting, country: business?.country ?? null }
        }),
      page: (businessId, type, { from, timezone, to }, after, size, customerId) =>
        step(() => {
          const orderOf = (position: ReturnType<typeof bookPositionOf>) =>
            [
              position.at === null ? Date.parse(position.day) : DateTime.toEpochMillis(position.at),
              position.id
            ] as const
          const comparing = ascending((key: readonly [number, number]) => key)
          return entriesOf(businessId, type)
            .filter((entry) => {
              const day = dayOfEntry(entry, timezone)
              return (
                (customerId === undefined || entry.customer.customer_id === customerId) &&
                day >= from &&
                day <= to &&
                (after === null || comparing(orderOf(bookPositionOf(entry, timezone)), orderOf(after)) > 0)
              )
            })
            .toSorted((one, other) =>
              comparing(orderOf(bookPositionOf(one, timezone)), orderOf(bookPositionOf(other, timezone)))
            )
            .slice(0, size)
        })
    }
  }
)
