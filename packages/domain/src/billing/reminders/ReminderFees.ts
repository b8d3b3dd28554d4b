/** The fee of a reminder: an invoice of its own, which is not subject to a tax (docs/api/invoices.md). */
import { DateTime, Effect } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { makeBusinessTokens } from "../../business/BusinessTokens.ts"
import { localDay } from "../../kernel/time/WallClock.ts"
import { type Invoice, invoiceRecord, sealedAt } from "../invoice/Invoice.ts"
import { InvoiceRepository } from "../invoice/InvoiceRepository.ts"
import { invoiceEntry } from "../invoice/InvoiceTimeline.ts"
import { InvoiceUnitOfWork } from "../invoice/InvoiceUnitOfWork.ts"
import { unpaidInvoice } from "../invoice/NewInvoices.ts"

/**
 * Builds the function that charges a fee for a reminder of a locked invoice, inside the caller's transaction: it issues an
 * invoice to the same customer, which is due at once, and sends `invoice.created`. It does so even where the plan allows no more
 * invoices in the month. The fee is compensation and no price of a service, so that no tax is due.
 */
export const makeChargeFee = Effect.gen(function* () {
  const invoices = yield* InvoiceRepository
  const unitOfWork = yield* InvoiceUnitOfWork
  const { newToken } = yield* makeBusinessTokens

  return Effect.fnUntraced(function* (
    acting: ActingBusiness,
    { currency, customer_id, invoice_id }: Invoice,
    feeMinor: number,
    description: string
  ) {
    const { business_id, timezone } = acting
    const now = yield* DateTime.now
    const today = localDay(now, timezone)
    const { token } = yield* newToken("invoice", business_id)
    const fee = unpaidInvoice({
      business_id,
      customer_id,
      currency,
      lines: [
        {
          description,
          quantity: 1,
          unit_price_minor: feeMinor,
          tax_rate: 0,
          net_minor: feeMinor,
          trip_id: null
        }
      ],
      issued_on: today,
      due_date: today,
      service_from: null,
      service_to: null,
      buyer_reference: null,
      notes: null,
      payment_hash: token,
      untaxed_as: "outside_scope",
      untaxed_reason: null,
      fee_of_invoice_id: invoice_id
    })
    const stored = yield* invoices.insert(fee, now)
    yield* unitOfWork.record(acting, stored.invoice_id, [invoiceEntry("created")])
    yield* unitOfWork.emit(acting, "invoice.created", invoiceRecord(stored, { now, timezone }))
    return yield* unitOfWork.commit(acting, stored, sealedAt(stored, now))
  })
})
