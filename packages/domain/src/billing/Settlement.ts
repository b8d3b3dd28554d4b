/** Entering the provider's payments and refunds into the ledger, each exactly once. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { BusinessRepository } from "../business/BusinessRepository.ts"
import type { BusinessId, PaymentId } from "../kernel/Ids.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { CardIntentRepository } from "./CardIntentRepository.ts"
import { dueMinorOf } from "./Invoice.ts"
import { InvoiceRepository } from "./InvoiceRepository.ts"
import { Ledger } from "./Ledger.ts"
import { type Payment, refundableOf } from "./Payment.ts"
import type { ProviderIntent, ProviderRefund } from "./PaymentProviderRecords.ts"
import { PaymentRepository } from "./PaymentRepository.ts"

/**
 * Each runs in one transaction, or becomes part of the caller's.
 *
 * - `settle`: enters the amount that an intent of this installation received. What the invoice needs counts as a payment.
 *   The rest is kept as an excess, for example all of it if the invoice is void, deleted or in another currency. An intent
 *   that was entered before changes nothing. An intent that has ended is marked as ended.
 * - `settleRefund`: enters a refund of an intent, unless it was entered before or has failed. It returns the payment with
 *   `paymentId` first, if that is given.
 */
export class Settlement extends Context.Service<
  Settlement,
  {
    readonly settle: (intent: ProviderIntent) => Effect.Effect<void>
    readonly settleRefund: (
      intent: ProviderIntent,
      refund: ProviderRefund,
      paymentId?: PaymentId
    ) => Effect.Effect<Option.Option<Payment>>
  }
>()("@livery/domain/Settlement") {
  static readonly layer = Layer.effect(
    Settlement,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const businesses = yield* BusinessRepository
      const invoices = yield* InvoiceRepository
      const payments = yield* PaymentRepository
      const intents = yield* CardIntentRepository
      const ledger = yield* Ledger

      const actingOf = (businessId: BusinessId) =>
        Effect.map(
          businesses.find(businessId),
          Option.map((business): ActingBusiness => business)
        )

      /** The invoice of an intent, locked, with its ledger; `None` if the installation has no such invoice. */
      const lockedFor = Effect.fnUntraced(function* (intent: ProviderIntent) {
        if (intent.invoice === null) return Option.none()
        const { business_id, invoice_id } = intent.invoice
        const acting = yield* actingOf(business_id)
        const invoice = yield* invoices.lockEvenDeleted(business_id, invoice_id)
        if (Option.isNone(acting) || Option.isNone(invoice)) return Option.none()
        const entries = yield* payments.ofInvoice(business_id, invoice_id)
        return Option.some({ acting: acting.value, invoice: invoice.value, entries })
      })

      const settle = Effect.fn("Settlement.settle")(function* (intent: ProviderIntent) {
        yield* transaction.run(
          Effect.gen(function* () {
            const isFinal = intent.status === "succeeded" || intent.status === "canceled"
            const locked = isFinal ? yield* lockedFor(intent) : Option.none()
            if (Option.isNone(locked)) return
            const { acting, entries, invoice } = locked.value
            const now = yield* DateTime.now
            yield* intents.end(acting.business_id, intent.intent_id, now)
            if (entries.some(({ provider_id }) => provider_id === intent.intent_id)) return
            const { currency, minor } = intent.received
            const needed = currency === invoice.currency ? Math.min(minor, dueMinorOf(invoice)) : 0
            const entry = {
              currency,
              method: "card" as const,
              received_at: now,
              reference: null,
              refund_of: null,
              provider_id: intent.intent_id
            }
            if (minor > needed)
              yield* ledger.enter(acting, invoice, { ...entry, kind: "excess", amount_minor: minor - needed })
            if (needed > 0)
              yield* ledger.enter(acting, invoice, { ...entry, kind: "payment", amount_minor: needed })
          })
        )
      })

      const settleRefund = Effect.fn("Settlement.settleRefund")(function* (
        intent: ProviderIntent,
        refund: ProviderRefund,
        paymentId?: PaymentId
      ) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const hasFailed = refund.status === "failed" || refund.status === "canceled"
            const locked = hasFailed ? Option.none() : yield* lockedFor(intent)
            if (Option.isNone(locked)) return Option.none()
            const { acting, entries, invoice } = locked.value
            const known = entries.filter(({ provider_id }) => provider_id === refund.refund_id)
            if (known.length > 0) return Option.fromUndefinedOr(known[0])
            // The named payment first, then an excess, which the invoice never needed.
            const rank = ({ kind, payment_id }: Payment) =>
              payment_id === paymentId ? 0 : kind === "excess" ? 1 : 2
            const sources = entries
              .filter(({ kind, provider_id }) => provider_id === intent.intent_id && kind !== "refund")
              .toSorted((one, other) => rank(one) - rank(other))
            let left = refund.amount.minor
            let current = invoice
            let first: Payment | undefined
            for (const source of sources) {
              const amount_minor = Math.min(left, refundableOf(source, entries))
              if (amount_minor === 0) continue
              const entered = yield* ledger.enter(acting, current, {
                kind: source.kind === "excess" ? "excess_refund" : "refund",
                amount_minor,
                currency: source.currency,
                method: "card",
                received_at: yield* DateTime.now,
                reference: null,
                refund_of: source.payment_id,
                provider_id: refund.refund_id
              })
              first ??= entered
              left -= amount_minor
              const again = yield* invoices.lockEvenDeleted(invoice.business_id, invoice.invoice_id)
              current = Option.getOrElse(again, () => current)
            }
            return Option.fromUndefinedOr(first)
          })
        )
      })

      return Settlement.of({ settle, settleRefund })
    })
  ).pipe(Layer.provide(Ledger.layer))
}
