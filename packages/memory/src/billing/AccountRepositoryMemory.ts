import { AccountRepository, type InvoiceId, type Payment, tripsNamedBy } from "@livery/domain"
import { Effect } from "effect"
import { ascending } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(AccountRepository, (store) => {
  const { creditNotes, invoices, invoiceSnapshots, payments, remittancePayments, remittances, step, trips } =
    store
  /** The entries of other invoices that use the credit of entries, or whose credit they use, and the returns of such credit. */
  const linkedTo = (entries: ReadonlyArray<Payment>, invoiceId: InvoiceId) => {
    const used = entries.flatMap(({ kind, payment_id }) => (kind === "credit_used" ? [payment_id] : []))
    const sources = entries.flatMap(({ kind, refund_of }) =>
      kind === "from_credit" && refund_of !== null ? [refund_of] : []
    )
    return payments.where(
      ({ invoice_id, kind, payment_id, refund_of }) =>
        invoice_id !== invoiceId &&
        (sources.includes(payment_id) ||
          ((kind === "from_credit" || kind === "credit_returned") &&
            refund_of !== null &&
            [...used, ...sources].includes(refund_of)))
    )
  }
  return {
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
          .map((row) => ({ row, entries: payments.where(({ invoice_id }) => invoice_id === row.invoice_id) }))
          .map(({ entries, row: { drawn: _drawn, ...row } }) => ({
            invoice: { ...row, trip_ids: [] },
            entries,
            linked: linkedTo(entries, row.invoice_id),
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
    unequalRemittances: step(() =>
      remittances
        .where(() => true)
        .map(({ amount_minor, business_id, currency, remittance_id }) => ({
          business_id,
          remittance_id,
          amount_minor,
          entered_minor: remittancePayments
            .where((row) => row.remittance_id === remittance_id)
            .map(({ payment_id }) => payments.get(payment_id))
            .reduce((sum, entry) => sum + (entry?.currency === currency ? entry.amount_minor : 0), 0)
        }))
        .filter(({ amount_minor, entered_minor }) => amount_minor !== entered_minor)
    ),
    paidWithoutInvoice: step(() =>
      trips
        .where(
          ({ deleted_at, invoice_id, payment_status }) =>
            invoice_id === null && payment_status !== "unpaid" && deleted_at === undefined
        )
        .map(({ business_id, payment_status, trip_id }) => ({ business_id, payment_status, trip_id }))
    )
  }
})
