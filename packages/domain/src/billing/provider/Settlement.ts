/** Entering the provider's payments and refunds into the ledger, each exactly once. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { BusinessRepository } from "../../business/BusinessRepository.ts"
import type { BusinessId, PaymentId } from "../../kernel/Ids.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { CardIntentRepository } from "./CardIntentRepository.ts"
import { dueMinorOf, type Invoice } from "../invoice/Invoice.ts"
import { InvoiceRepository } from "../invoice/InvoiceRepository.ts"
import { Ledger, type LedgerEntry } from "../ledger/Ledger.ts"
import { isReceipt, refundableOf, refundParts } from "../ledger/LedgerBalance.ts"
import type { Payment, PaymentKind } from "../ledger/Payment.ts"
import {
  hasFailed,
  isFinalIntent,
  type PaidInvoice,
  type ProviderIntent,
  type ProviderRefund
} from "./PaymentProviderRecords.ts"
import { PaymentRepository } from "../ledger/PaymentRepository.ts"
import { refundReversalOf } from "../ledger/Reversal.ts"
import { refundNameOf } from "./ProviderRefunds.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** A locked invoice with its ledger. */
interface LockedAccount {
  readonly acting: ActingBusiness
  readonly invoice: Invoice
  readonly entries: ReadonlyArray<Payment>
}

const isRefund = (kind: PaymentKind) => kind === "refund" || kind === "excess_refund"

/** Each runs in one transaction, or becomes part of the caller's. */
export class Settlement extends Context.Service<Settlement>()("@livery/domain/Settlement", {
  make: Effect.gen(function* () {
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

    /** The invoice, locked, with its ledger; `None` if it does not exist. */
    const lockInvoice = Effect.fnUntraced(function* ({ business_id, invoice_id }: PaidInvoice) {
      const acting = yield* actingOf(business_id)
      const invoice = yield* invoices.lockEvenDeleted(business_id, invoice_id)
      if (Option.isNone(acting) || Option.isNone(invoice)) return Option.none()
      const entries = yield* payments.ofInvoice(business_id, invoice_id)
      return Option.some({ acting: acting.value, invoice: invoice.value, entries })
    })

    /** Enters a refund that succeeded or is pending: of the payment with `paymentId` first, then of an excess. */
    const enterRefund = Effect.fnUntraced(function* (
      locked: LockedAccount,
      intent: ProviderIntent,
      refund: ProviderRefund,
      paymentId: PaymentId | undefined
    ) {
      const { entries } = locked
      const rank = ({ kind, payment_id }: Payment) => {
        if (payment_id === paymentId) return 0
        return kind === "excess" ? 1 : 2
      }
      const sources = entries
        .filter((entry) => entry.provider_id === intent.intent_id && isReceipt(entry))
        .toSorted((one, other) => rank(one) - rank(other))
      const received_at = DateTime.min(refund.created_at, yield* DateTime.now)
      const { business_id, invoice_id } = locked.invoice
      const reference =
        refund.key === null
          ? refund.reference
          : yield* intents.referenceOf(business_id, invoice_id, refundNameOf(refund.key))
      let left = refund.amount.minor
      const parts: Array<LedgerEntry> = []
      for (const source of sources) {
        const amount = Math.min(left, refundableOf(source, entries))
        left -= amount
        for (const part of refundParts(source, entries, amount))
          parts.push({
            ...part,
            currency: source.currency,
            method: "card",
            received_at,
            reference,
            refund_of: source.payment_id,
            provider_id: refund.refund_id
          })
      }
      return yield* ledger.enter(locked.acting, locked.invoice, parts)
    })

    return {
      /**
       * Enters the amount that an intent of the invoice received. The part up to the amount due counts as a payment.
       * The rest is kept as an excess, for example all of it if the invoice is void, deleted or in another currency.
       * Its time is that at which the customer paid. An intent that was entered before changes nothing. An intent that
       * has ended is marked as ended.
       */
      settle: traced("Settlement.settle")(function* (paid: PaidInvoice, intent: ProviderIntent) {
        yield* atomically(transaction, function* () {
          const locked = isFinalIntent(intent) ? yield* lockInvoice(paid) : Option.none()
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
            received_at: DateTime.min(intent.paid_at ?? now, now),
            reference: null,
            refund_of: null,
            provider_id: intent.intent_id
          }
          const parts: ReadonlyArray<LedgerEntry> = [
            { ...entry, kind: "excess", amount_minor: minor - needed },
            { ...entry, kind: "payment", amount_minor: needed }
          ]
          yield* ledger.enter(
            acting,
            invoice,
            parts.filter(({ amount_minor }) => amount_minor > 0)
          )
        })
      }),

      /**
       * Enters a refund of an intent, unless it was entered before. It refunds the payment with `paymentId` first, if
       * that is given, and returns its entries. A refund that has failed is not entered; if it was entered before, its
       * entries are reversed, and the result is empty. Pass `refund` in its current state. A decided dispute is
       * entered and reversed in the same way.
       */
      settleRefund: traced("Settlement.settleRefund")(function* (
        paid: PaidInvoice,
        intent: ProviderIntent,
        refund: ProviderRefund,
        paymentId?: PaymentId
      ) {
        return yield* atomically(transaction, function* () {
          const locked = yield* lockInvoice(paid)
          if (Option.isNone(locked)) return []
          const refundEntries = locked.value.entries.filter(
            ({ kind, provider_id }) => provider_id === refund.refund_id && isRefund(kind)
          )
          if (hasFailed(refund)) {
            const { acting, entries, invoice } = locked.value
            const parts = refundReversalOf(refundEntries, entries, invoice, yield* DateTime.now)
            yield* ledger.enter(acting, invoice, parts)
            return []
          }
          return refundEntries.length > 0
            ? refundEntries
            : yield* enterRefund(locked.value, intent, refund, paymentId)
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Settlement, Settlement.make).pipe(Layer.provide(Ledger.layer))
}
