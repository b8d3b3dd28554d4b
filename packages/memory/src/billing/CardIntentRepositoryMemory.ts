/** The domain's `CardIntentRepository` in memory. */
import { type BusinessId, type CardIntent, CardIntentRepository, type InvoiceId } from "@livery/domain"
import { Effect, Layer } from "effect"
import { pair, Store } from "../store/Store.ts"

export const layer = Layer.effect(
  CardIntentRepository,
  Effect.map(Store, ({ cardIntents, paymentNotices, spentAttempts, step }) => {
    const ofInvoice = (businessId: BusinessId, invoiceId: InvoiceId) =>
      cardIntents.where(
        ({ business_id, invoice_id }) => business_id === businessId && invoice_id === invoiceId
      )
    return CardIntentRepository.of({
      open: (businessId, invoiceId) =>
        step(() =>
          ofInvoice(businessId, invoiceId)
            .filter(({ ended_at }) => ended_at === null)
            .map(({ ended_at: _ended, ...intent }): CardIntent => intent)
        ),
      ended: (businessId, invoiceId, amountMinor) =>
        step(
          () =>
            ofInvoice(businessId, invoiceId).filter(
              ({ amount_minor, ended_at }) => amount_minor === amountMinor && ended_at !== null
            ).length
        ),
      spent: (businessId, invoiceId, change) =>
        step(() => spentAttempts.get(pair(businessId, `${invoiceId} ${change}`))?.spent ?? 0),
      spend: (businessId, invoiceId, change, spent) =>
        step(() => {
          const key = pair(businessId, `${invoiceId} ${change}`)
          if ((spentAttempts.get(key)?.spent ?? 0) <= spent) spentAttempts.set(key, { spent: spent + 1 })
        }),
      add: (intent) =>
        step(() => {
          const key = pair(intent.business_id, intent.intent_id)
          if (cardIntents.get(key) === undefined) cardIntents.set(key, { ...intent, ended_at: null })
        }),
      end: (businessId, intentId, now) =>
        step(() => {
          const key = pair(businessId, intentId)
          if (cardIntents.get(key)?.ended_at === null) cardIntents.change(key, { ended_at: now })
        }),
      recordNotice: (businessId, eventId, now) =>
        step(() => {
          const key = pair(businessId, eventId)
          if (paymentNotices.get(key) !== undefined) return false
          paymentNotices.set(key, { received_at: now })
          return true
        })
    })
  })
)
