/** The domain's `InvoiceRepository` in memory. */
import { type Invoice, InvoiceRepository } from "@livery/domain"
import { Effect, Layer } from "effect"
import { ascending, descending, pageOf } from "../store/Pages.ts"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  InvoiceRepository,
  Effect.map(Store, ({ invoices, step, trips }) =>
    InvoiceRepository.of({
      ofCustomer: (businessId, customerId, page) =>
        step(() => {
          const tripsOf = (invoiceId: Invoice["invoice_id"]) =>
            trips
              .where((trip) => trip.invoice_id === invoiceId && trip.deleted_at === undefined)
              .map(({ trip_id }) => trip_id)
              .toSorted(ascending((tripId) => [tripId]))
          const found = invoices
            .where((invoice) => invoice.business_id === businessId && invoice.customer_id === customerId)
            .toSorted(descending(({ invoice_id }) => [invoice_id]))
            .map((invoice): Invoice => ({ ...invoice, trip_ids: tripsOf(invoice.invoice_id) }))
          return pageOf(found, page)
        })
    })
  )
)
