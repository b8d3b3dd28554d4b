import { type BusinessId, type InvoiceId, PaymentId, PaymentRepository } from "@livery/domain"
import { Option } from "effect"
import { pageOf } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(PaymentRepository, ({ payments, step }) => {
  const ofInvoice = (businessId: BusinessId, invoiceId: InvoiceId) =>
    payments.where(({ business_id, invoice_id }) => business_id === businessId && invoice_id === invoiceId)
  return {
    append: (entry, now) =>
      step(() => {
        const payment_id = PaymentId.make(payments.next())
        return payments.set(payment_id, { ...entry, payment_id, created_at: now })
      }),
    find: (businessId, paymentId) =>
      step(() =>
        Option.filter(
          Option.fromUndefinedOr(payments.get(paymentId)),
          ({ business_id }) => business_id === businessId
        )
      ),
    ofInvoice: (businessId, invoiceId) => step(() => ofInvoice(businessId, invoiceId)),
    list: (businessId, invoiceId, page) => step(() => pageOf(ofInvoice(businessId, invoiceId), page))
  }
})
