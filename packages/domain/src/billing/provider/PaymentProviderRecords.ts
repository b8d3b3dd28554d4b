/** The payment provider's records in plain types: payment intents, refunds, subscriptions and notices. */
import type { DateTime, Redacted } from "effect"
import type { BusinessId, InvoiceId } from "../../kernel/Ids.ts"
import type { Money } from "../../kernel/money/Money.ts"

/** The invoice that a payment intent belongs to. */
export interface PaidInvoice {
  readonly business_id: BusinessId
  readonly invoice_id: InvoiceId
}

/**
 * - `awaiting_payment`: the customer can pay; also after a declined card, and while the bank asks for a confirmation.
 * - `processing`: the customer has paid, and the provider does not know the result yet.
 * - `succeeded`, `canceled`: final.
 */
export type PaymentIntentStatus = "awaiting_payment" | "processing" | "succeeded" | "canceled"

/** One attempt to collect an amount from a customer. */
export interface ProviderIntent {
  /** The provider's identifier. */
  readonly intent_id: string
  readonly status: PaymentIntentStatus
  readonly amount: Money
  /** The amount that was collected; refunds do not lower it. */
  readonly received: Money
  /** When the customer paid; null if not paid, or if the provider did not report the time. */
  readonly paid_at: DateTime.Utc | null
  /** The secret with which the customer's browser pays; null where the provider does not repeat it. */
  readonly client_secret: Redacted.Redacted | null
  /** The invoice that the intent names, perhaps one of another installation on the same account; null if it names none. */
  readonly invoice: PaidInvoice | null
  /** The provider's explanation of the latest failed payment, written for the customer; null if none failed. */
  readonly failure: string | null
  readonly created_at: DateTime.Utc
}

/** Whether an intent can no longer be paid, because it was paid or canceled. */
export const isFinalIntent = ({ status }: Pick<ProviderIntent, "status">): boolean =>
  status === "succeeded" || status === "canceled"

/**
 * `failed` and `canceled`: the customer keeps nothing, the amount is back on the account of the business. A dispute that
 * the business has lost is `succeeded`, and any other that has ended is `failed`.
 */
export type ProviderRefundStatus = "pending" | "succeeded" | "failed" | "canceled"

/** An amount that is returned to the customer, by a refund or by a dispute that the customer won. */
export interface ProviderRefund {
  readonly refund_id: string
  /** Null for a refund of a payment that had no intent. */
  readonly intent_id: string | null
  readonly status: ProviderRefundStatus
  readonly amount: Money
  /** The key that {@link NewRefund} was requested with; null for a refund that Livery did not request. */
  readonly key: string | null
  /** The reference of its entry in the ledger, for a dispute; null for a refund, which has that of its request. */
  readonly reference: string | null
  /** For a dispute, the time of its outcome; in a list of the provider, that at which it was opened. */
  readonly created_at: DateTime.Utc
}

/** Whether a refund has failed, so that the customer keeps nothing of it. It may have succeeded before. */
export const hasFailed = ({ status }: Pick<ProviderRefund, "status">): boolean =>
  status === "failed" || status === "canceled"

/** One product of a subscription and the number of units, for example seats. */
export interface SubscriptionItem {
  readonly item_id: string
  readonly quantity: number
}

/** A subscription of a business to the platform. `status` is in the provider's words: `active`, `past_due`, `canceled`. */
export interface ProviderSubscription {
  readonly subscription_id: string
  readonly status: string
  readonly items: ReadonlyArray<SubscriptionItem>
}

/**
 * The record that a notice is about, as it was when the notice was created. For a subscription, or a failed payment for one,
 * it has only the identifier: the current state is read.
 */
export type NoticeSubject =
  | { readonly _tag: "Intent"; readonly intent: ProviderIntent }
  | { readonly _tag: "Refund"; readonly refund: ProviderRefund }
  | { readonly _tag: "Subscription"; readonly subscription_id: string }
  | { readonly _tag: "Other" }

/**
 * A change that the provider reports. The same notice may arrive several times (`event_id` stays the same), late, and
 * after a newer one, so that its subject may be outdated.
 */
export interface PaymentNotice {
  readonly event_id: string
  /** The provider's name of the change, for example `payment_intent.succeeded`. */
  readonly type: string
  readonly created_at: DateTime.Utc
  readonly subject: NoticeSubject
}

/** A request for a new intent. `due` is collected in full or not at all. */
export interface NewIntent {
  readonly invoice: PaidInvoice
  readonly due: Money
  /**
   * How many earlier intents for this invoice and amount have ended, by payment or cancellation, and how many attempts of
   * the invoice were spent by a failure of the provider. Without it, an invoice that was paid, refunded and is due again
   * would get the intent that has already been paid.
   */
  readonly attempt: number
  /** The text on the customer's receipt, the same at each request of an invoice: for example `Invoice INV-000017`. */
  readonly description: string
}

/** A request for a refund of a part of an intent. Two requests with the same `key` make one refund. */
export interface NewRefund {
  readonly intent_id: string
  readonly amount: Money
  readonly key: string
}

/** A request to set the quantity of a subscription item. Two requests with the same `key` make one change. */
export interface QuantityChange {
  readonly item_id: string
  readonly quantity: number
  readonly key: string
}

/** A request for a page of the provider's records, the newest first. */
export interface ProviderPageRequest {
  /** Records created from this time on. */
  readonly since: DateTime.Utc
  /** The `next` of the page before; null for the first page. */
  readonly after: string | null
}

/** A page of the provider's records, the newest first. `next` is null on the last page. */
export interface ProviderPage<A> {
  readonly items: ReadonlyArray<A>
  readonly next: string | null
}
