/** Updates the subscription status of businesses from the payment provider (docs/billing/payment-provider.md). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { makeAuditTrail } from "../../audit/AuditTrail.ts"
import type { SubscriptionStatus } from "../../business/Business.ts"
import { SubscriptionStatusRepository } from "../../business/SubscriptionStatusRepository.ts"
import type { BusinessId } from "../../kernel/Ids.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { CardIntentRepository } from "./CardIntentRepository.ts"
import { PaymentProvider } from "./PaymentProvider.ts"
import type { PaymentNotice, ProviderSubscription } from "./PaymentProviderRecords.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** The status of a business for each status of the provider. Any other status of the provider changes nothing. */
const statuses: Readonly<Record<string, SubscriptionStatus>> = {
  trialing: "trialing",
  active: "active",
  past_due: "past_due",
  unpaid: "past_due",
  paused: "past_due",
  incomplete: "past_due",
  incomplete_expired: "cancelled",
  canceled: "cancelled"
}

export class SubscriptionNotices extends Context.Service<SubscriptionNotices>()(
  "@livery/domain/SubscriptionNotices",
  {
    make: Effect.gen(function* () {
      const transaction = yield* Transaction
      const provider = yield* PaymentProvider
      const notices = yield* CardIntentRepository
      const businesses = yield* SubscriptionStatusRepository
      const writeAudit = yield* makeAuditTrail

      /** Stores a status, with an entry in the audit log if it is another one. */
      const store = Effect.fnUntraced(function* (
        businessId: BusinessId,
        status: SubscriptionStatus,
        { event_id, type }: PaymentNotice
      ) {
        const before = yield* businesses.set(businessId, status, yield* DateTime.now)
        if (Option.isNone(before)) return
        yield* writeAudit({
          actor: "payment_provider",
          action: "business.subscription_changed",
          subject: `business:${businessId}`,
          businessId,
          before: { subscription_status: before.value },
          after: { subscription_status: status },
          reason: `${type} ${event_id}`
        })
      })

      const handle = (businessId: BusinessId, status: SubscriptionStatus, notice: PaymentNotice) =>
        atomically(transaction, function* () {
          const isFirst = yield* notices.recordNotice(businessId, notice.event_id, yield* DateTime.now)
          if (isFirst) yield* store(businessId, status, notice)
          return isFirst
        })

      const statusOf = ({ status }: ProviderSubscription) => Option.fromUndefinedOr(statuses[status])

      return {
        /**
         * Gives the businesses of a subscription its current status at the provider. The status in the notice is not
         * used, because notices may arrive late and out of order. Each notice changes a business once, by the id of its
         * event. Returns whether it was the first one of its event for a business.
         */
        updateStatus: traced("SubscriptionNotices.updateStatus")(function* (
          notice: PaymentNotice,
          subscriptionId: string
        ) {
          const subscription = yield* provider.subscription(subscriptionId)
          const status = Option.flatMap(subscription, statusOf)
          if (Option.isNone(subscription) || Option.isNone(status)) return false
          const items = subscription.value.items.map(({ item_id }) => item_id)
          const businessIds = yield* businesses.withItems(items)
          const handled = yield* Effect.filter(businessIds, (businessId) =>
            handle(businessId, status.value, notice)
          )
          if (handled.length === 0) return false
          // A concurrent notice may have stored a later status before this one did.
          const now = Option.flatMap(yield* provider.subscription(subscriptionId), statusOf)
          if (Option.isSome(now) && now.value !== status.value)
            yield* Effect.forEach(
              handled,
              (businessId) => transaction.run(store(businessId, now.value, notice)),
              { discard: true }
            )
          return true
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(SubscriptionNotices, SubscriptionNotices.make)
}
