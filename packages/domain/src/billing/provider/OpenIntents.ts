/** Asking the payment provider about the payment intents that have not ended (docs/billing/payment-provider.md). */
import { Context, type DateTime, Effect, Layer, Option } from "effect"
import { traced } from "../../kernel/TracedFunction.ts"
import type { CardIntent } from "./CardIntent.ts"
import { type CardIntentPosition, CardIntentRepository } from "./CardIntentRepository.ts"
import { PaymentProvider } from "./PaymentProvider.ts"
import { isFinalIntent } from "./PaymentProviderRecords.ts"
import { Settlement } from "./Settlement.ts"

const batchSize = 100

export class OpenIntents extends Context.Service<OpenIntents>()("@livery/domain/OpenIntents", {
  make: Effect.gen(function* () {
    const intents = yield* CardIntentRepository
    const provider = yield* PaymentProvider
    const settlement = yield* Settlement

    /** Enters an intent if it has ended, and returns whether it has. */
    const settleOne = Effect.fnUntraced(function* (stored: CardIntent) {
      const { intent_id } = stored
      const intent = Option.filter(yield* provider.intent(intent_id), isFinalIntent)
      if (Option.isNone(intent)) return false
      const refunds = intent.value.status === "succeeded" ? yield* provider.refundsOf(intent_id) : []
      yield* settlement.settle(stored, intent.value)
      yield* Effect.forEach(refunds, (refund) => settlement.settleRefund(stored, intent.value, refund), {
        discard: true
      })
      return true
    })

    const settleOrLog = (intent: CardIntent) =>
      Effect.catchTag(settleOne(intent), "PaymentRefused", ({ message }) =>
        Effect.as(
          Effect.logWarning("the payment provider refused to report a payment", {
            ...intent,
            reason: message
          }),
          false
        )
      )

    return {
      /**
       * Asks the provider about each open intent that was created since a time, and enters the payments and the
       * refunds of those that have ended. It returns how many have ended. Notices cannot replace it after a long
       * outage, because the provider neither repeats nor keeps them for longer. No transaction is open while the
       * provider is called.
       */
      settle: traced("OpenIntents.settle")(function* (since: DateTime.Utc) {
        let ended = 0
        let after: CardIntentPosition | null = null
        for (;;) {
          const open: ReadonlyArray<CardIntent> = yield* intents.openOfAll(since, after, batchSize)
          for (const intent of open) if (yield* settleOrLog(intent)) ended += 1
          const last = open.at(-1)
          if (last === undefined) return ended
          after = [last.business_id, last.intent_id]
        }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(OpenIntents, OpenIntents.make).pipe(Layer.provide(Settlement.layer))
}
