/** Handling the payment provider's notices, received or asked for (docs/billing/payment-provider.md). */
import { Cause, Context, DateTime, Effect, Layer, Option } from "effect"
import { BusinessRepository } from "../../business/BusinessRepository.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import type { CardIntent } from "./CardIntent.ts"
import { CardIntentRepository } from "./CardIntentRepository.ts"
import { PaymentProvider } from "./PaymentProvider.ts"
import type { PaymentNotice, ProviderIntent, ProviderRefund } from "./PaymentProviderRecords.ts"
import { RefundSettlement } from "./RefundSettlement.ts"
import { Settlement } from "./Settlement.ts"
import { SubscriptionNotices } from "./SubscriptionNotices.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** No transaction is open while the provider is called. Each notice is handled once, by the id of its event. */
export class ProviderNotices extends Context.Service<ProviderNotices>()("@livery/domain/ProviderNotices", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const businesses = yield* BusinessRepository
    const intents = yield* CardIntentRepository
    const provider = yield* PaymentProvider
    const settlement = yield* Settlement
    const refunds = yield* RefundSettlement
    const subscriptions = yield* SubscriptionNotices

    /**
     * The stored intent that a notice is about. Several installations may share the provider's account, and number their
     * businesses alike: `None` for an intent that another one created.
     */
    const storedIntent = ({ intent_id, invoice }: ProviderIntent) =>
      invoice === null ? Effect.succeedNone : intents.find(invoice.business_id, intent_id)

    /** Runs `work` unless a notice of the same event was handled before, and returns whether it ran. */
    const handleOnce = Effect.fnUntraced(function* (
      notice: PaymentNotice,
      { business_id }: CardIntent,
      work: Effect.Effect<unknown>
    ) {
      return yield* atomically(transaction, function* () {
        if (Option.isNone(yield* businesses.find(business_id))) return false
        const isFirst = yield* intents.recordNotice(business_id, notice.event_id, yield* DateTime.now)
        if (isFirst) yield* work
        return isFirst
      })
    })

    const handleRefund = Effect.fnUntraced(function* (notice: PaymentNotice, refund: ProviderRefund) {
      const { intent_id } = refund
      const intent = intent_id === null ? Option.none() : yield* provider.intent(intent_id)
      if (Option.isNone(intent)) return false
      const stored = yield* storedIntent(intent.value)
      if (Option.isNone(stored)) return false
      // The notice of the payment may come later than that of its refund.
      const payment = settlement.settle(stored.value, intent.value)
      return yield* refunds.settleCurrent(stored.value, intent.value, refund, (settle) =>
        handleOnce(notice, stored.value, Effect.andThen(payment, settle))
      )
    })

    const handleIntent = Effect.fnUntraced(function* (notice: PaymentNotice, intent: ProviderIntent) {
      const stored = yield* storedIntent(intent)
      if (Option.isNone(stored)) return false
      return yield* handleOnce(notice, stored.value, settlement.settle(stored.value, intent))
    })

    const handle = (notice: PaymentNotice) => {
      const { subject } = notice
      if (subject._tag === "Intent") return handleIntent(notice, subject.intent)
      if (subject._tag === "Subscription") return subscriptions.updateStatus(notice, subject.subscription_id)
      return subject._tag === "Refund" ? handleRefund(notice, subject.refund) : Effect.succeed(false)
    }

    return {
      /** Handles a notice that arrived, after its signature was checked. */
      receive: traced("ProviderNotices.receive")(function* (body: Uint8Array, signature: string | undefined) {
        yield* handle(yield* provider.readNotice(body, signature))
      }),

      /**
       * Asks the provider for its notices since a time and handles those that never arrived. It returns how many it
       * handled for the first time. A notice that cannot be handled is logged, and does not stop the others. If the records of a
       * business do not respond, it fails after it has handled all others.
       */
      reconcile: traced("ProviderNotices.reconcile")(function* (since: DateTime.Utc) {
        let handled = 0
        let failure: Cause.Cause<never> | undefined
        let after: string | null = null
        do {
          const page: Effect.Success<ReturnType<typeof provider.notices>> = yield* provider.notices({
            since,
            after
          })
          for (const notice of page.items) {
            const isFirst = yield* handle(notice).pipe(
              Effect.catchTags({
                PaymentRefused: ({ message }) => logUnhandled(notice, message),
                PaymentProviderUnavailable: ({ message }) => logUnhandled(notice, message)
              }),
              Effect.catchCauseIf(
                (cause: Cause.Cause<never>) => !Cause.hasInterruptsOnly(cause),
                (cause) => {
                  failure = cause
                  return logUnhandled(notice, "an error of the installation")
                }
              )
            )
            if (isFirst) handled += 1
          }
          after = page.next
        } while (after !== null)
        return failure === undefined ? handled : yield* Effect.failCause(failure)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(ProviderNotices, ProviderNotices.make).pipe(
    Layer.provide([Settlement.layer, RefundSettlement.layer, SubscriptionNotices.layer])
  )
}

const logUnhandled = ({ event_id, type }: PaymentNotice, reason: string) =>
  Effect.as(
    Effect.logWarning("a notice of the payment provider was not handled", { event_id, type, reason }),
    false
  )
