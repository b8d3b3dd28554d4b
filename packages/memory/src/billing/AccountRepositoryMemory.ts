import { AccountRepository, tripsNamedBy } from "@livery/domain"
import { Effect } from "effect"
import { ascending } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(
  AccountRepository,
  ({ creditNotes, invoices, invoiceSnapshots, payments, step, trips }) => ({
    page: (after, size) =>
      step(() => {
        const [business, invoice] = after ?? [0, 0]
        const comparing = ascending((key: readonly [number, number]) => key)
        return invoices
          .where(
            ({ business_id, invoice_id }) => comparing([business_id, invoice_id], [business, invoice]) > 0
          )
          .toSorted(ascending(({ business_id, invoice_id }) => [business_id, invoice_id]))
          .slice(0, size)
          .map((row) => ({
            invoice: { ...row, trip_ids: [] },
            entries: payments.where(({ invoice_id }) => invoice_id === row.invoice_id),
            notes: creditNotes.where(({ invoice_id }) => invoice_id === row.invoice_id),
            trips: trips
              .where((trip) => trip.invoice_id === row.invoice_id && trip.deleted_at === undefined)
              .map(({ currency, payment_status, trip_id }) => ({ trip_id, payment_status, currency })),
            charged: tripsNamedBy(row.lines).flatMap((tripId) => {
              const trip = trips.get(tripId)
              return trip?.business_id === row.business_id
                ? [{ trip_id: tripId, invoice_id: trip.invoice_id }]
                : []
            }),
            isDeleted: row.deleted_at !== undefined,
            sealedLines: invoiceSnapshots.get(row.invoice_id)?.snapshot.invoice.lines ?? null
          }))
      }),
    count: step(() => invoices.where(() => true).length),
    // A number is the count of the invoices before it, none of which is ever removed.
    gaps: Effect.succeed([]),
    paidWithoutInvoice: step(() =>
      trips
        .where(
          ({ deleted_at, invoice_id, payment_status }) =>
            invoice_id === null && payment_status !== "unpaid" && deleted_at === undefined
        )
        .map(({ business_id, payment_status, trip_id }) => ({ business_id, payment_status, trip_id }))
    )
  })
)
