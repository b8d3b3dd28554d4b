/** Erasing how a person is reached from the snapshots of sealed invoices in memory. */
import type { BusinessId, InvoiceId, InvoiceSnapshot, Person, TripId } from "@livery/domain"
import { ascending } from "../store/Pages.ts"
import type { Store } from "../store/Store.ts"

type Tables = Pick<Store["Service"], "invoices" | "invoiceSnapshots">
type InvoicedTrip = InvoiceSnapshot["trips"][number]

const withoutEmails = (
  snapshot: InvoiceSnapshot,
  isErased: (trip: InvoicedTrip) => boolean
): InvoiceSnapshot => ({
  ...snapshot,
  trips: snapshot.trips.map((trip) => (isErased(trip) ? { ...trip, customer_email: null } : trip))
})

/** Erases the emails of trips from the snapshots of all invoices that billed them. */
export const eraseEmailsOfTrips = (
  { invoiceSnapshots, invoices }: Tables,
  businessId: BusinessId,
  tripIds: ReadonlyArray<TripId>
): void => {
  for (const { invoice_id } of invoices.where(({ business_id }) => business_id === businessId)) {
    const snapshot = invoiceSnapshots.get(invoice_id)?.snapshot
    if (snapshot !== undefined)
      invoiceSnapshots.change(invoice_id, {
        snapshot: withoutEmails(snapshot, ({ trip_id }) => tripIds.includes(trip_id))
      })
  }
}

/** Builds `PersonalData.eraseInvoices`. */
export const eraseInvoices =
  ({ invoiceSnapshots, invoices }: Tables) =>
  (person: Person, after: number, limit: number): ReadonlyArray<InvoiceId> => {
    const { business_id, customer_ids, emails } = person
    const isCustomer = (id: Person["customer_ids"][number] | null) => id !== null && customer_ids.includes(id)
    const hasEmail = ({ customer_email }: InvoicedTrip) =>
      customer_email !== null && emails.includes(customer_email.toLowerCase())
    const found = invoices
      .where(
        (row) =>
          row.business_id === business_id &&
          row.invoice_id > after &&
          (isCustomer(row.customer_id) ||
            (invoiceSnapshots.get(row.invoice_id)?.snapshot.trips.some(hasEmail) ?? false))
      )
      .toSorted(ascending(({ invoice_id }) => [invoice_id]))
      .slice(0, limit)
    for (const { customer_id, invoice_id } of found) {
      const snapshot = invoiceSnapshots.get(invoice_id)?.snapshot
      if (snapshot === undefined) continue
      const isBuyer = isCustomer(customer_id)
      const { buyer } = snapshot
      invoiceSnapshots.change(invoice_id, {
        snapshot: {
          ...withoutEmails(snapshot, (trip) => isBuyer || hasEmail(trip)),
          buyer: isBuyer && buyer !== null ? { ...buyer, email: null, phone: null } : buyer
        }
      })
    }
    return found.map(({ invoice_id }) => invoice_id)
  }
