import { type BusinessId, type CardIntent, CardIntentRepository, type InvoiceId } from "@livery/domain"
import { DateTime, Option } from "effect"
import { ascending } from "../store/Pages.ts"
import type { CardIntentRow } from "../store/Rows.ts"
import { pair, inMemory } from "../store/Store.ts"

const intentOf = ({ created_at: _created, ended_at: _ended, ...intent }: CardIntentRow): CardIntent => intent

export const layer = inMemory(
  CardIntentRepository,
  ({ cardIntents, paymentNotices, refundReferences, spentAttempts, step }) => {
    const ofInvoice = (businessId: BusinessId, invoiceId: InvoiceId) =>
      cardIntents.where(
        ({ business_id, invoice_id }) => business_id === businessId && invoice_id === invoiceId
      )
    return {
      open: (businessId, invoiceId) =>
        step(() =>
          ofInvoice(businessId, invoiceId)
            .filter(({ ended_at }) => ended_at === null)
            .map(intentOf)
        ),
      find: (businessId, intentId) =>
        step(() => Option.map(Option.fromUndefinedOr(cardIntents.get(pair(businessId, intentId))), intentOf)),
      openOfAll: (since, after, limit) =>
        step(() => {
          const [business, intent] = after ?? [0, ""]
          const byPosition = ascending(({ business_id, intent_id }: CardIntent) => [business_id, intent_id])
          const comparing = ascending((key: readonly [number, string]) => key)
          return cardIntents
            .where(
              ({ business_id, created_at, ended_at, intent_id }) =>
                ended_at === null &&
                !DateTime.isLessThan(created_at, since) &&
                comparing([business_id, intent_id], [business, intent]) > 0
            )
            .toSorted(byPosition)
            .slice(0, limit)
            .map(intentOf)
        }),
      ended: (businessId, invoiceId, amountMinor) =>
        step(
          () =>
            ofInvoice(businessId, invoiceId).filter(
              ({ amount_minor, ended_at }) => amount_minor === amountMinor && ended_at !== null
            ).length
        ),
      spentAttempts: (businessId, invoiceId, change) =>
        step(() => spentAttempts.get(pair(businessId, `${invoiceId} ${change}`))?.spent ?? 0),
      spendAttempt: (businessId, invoiceId, change, spent) =>
        step(() => {
          const key = pair(businessId, `${invoiceId} ${change}`)
          if ((spentAttempts.get(key)?.spent ?? 0) <= spent) spentAttempts.set(key, { spent: spent + 1 })
        }),
      keepReference: (businessId, invoiceId, refund, reference) =>
        step(() => void refundReferences.set(pair(businessId, `${invoiceId} ${refund}`), { reference })),
      referenceOf: (businessId, invoiceId, refund) =>
        step(() => refundReferences.get(pair(businessId, `${invoiceId} ${refund}`))?.reference ?? null),
      add: (intent, now) =>
        step(() => {
          const key = pair(intent.business_id, intent.intent_id)
          if (cardIntents.get(key) === undefined)
            cardIntents.set(key, { ...intent, created_at: now, ended_at: null })
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
    }
  }
)
