/** Entering a refund in the state that it has at the provider. */
import { Context, Effect, Layer } from "effect"
import type { PaymentId } from "../../kernel/Ids.ts"
import type { Payment } from "../ledger/Payment.ts"
import { PaymentProvider } from "./PaymentProvider.ts"
import {
  hasFailed,
  type PaidInvoice,
  type ProviderIntent,
  type ProviderRefund
} from "./PaymentProviderRecords.ts"
import { Settlement } from "./Settlement.ts"
import { traced } from "../../kernel/TracedFunction.ts"

export class RefundSettlement extends Context.Service<RefundSettlement>()("@livery/domain/RefundSettlement", {
  make: Effect.gen(function* () {
    const provider = yield* PaymentProvider
    const settlement = yield* Settlement

    /** The refund in its current state; the given one if the provider does not list it. */
    const current = ({ intent_id }: ProviderIntent, refund: ProviderRefund) =>
      Effect.map(provider.refundsOf(intent_id), (refunds) => {
        const listed = refunds.find(({ refund_id }) => refund_id === refund.refund_id)
        return listed === undefined ? refund : { ...listed, created_at: refund.created_at }
      })

    return {
      /**
       * Reads the refund of an intent of the invoice, and passes the effect that enters or reverses it
       * (`Settlement.settleRefund`) to `enter`. Then it reads the refund again, and reverses it if it has failed: the
       * notice of the failure may have come before the refund was entered, when there was nothing to reverse. It
       * returns the result of `enter`.
       */
      settleCurrent: traced("RefundSettlement.settleCurrent")(function* <A, E>(
        paid: PaidInvoice,
        intent: ProviderIntent,
        given: ProviderRefund,
        enter: (settle: Effect.Effect<ReadonlyArray<Payment>>) => Effect.Effect<A, E>,
        paymentId?: PaymentId
      ) {
        const refund = yield* current(intent, given)
        const result = yield* enter(settlement.settleRefund(paid, intent, refund, paymentId))
        if (!hasFailed(refund)) {
          const again = yield* current(intent, refund)
          if (hasFailed(again)) yield* settlement.settleRefund(paid, intent, again)
        }
        return result
      })
    }
  })
}) {
  static readonly layer = Layer.effect(RefundSettlement, RefundSettlement.make).pipe(
    Layer.provide(Settlement.layer)
  )
}
