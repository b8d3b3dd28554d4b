/** The port that collects card payments, refunds them and changes subscriptions. */
import { Context, type Effect, type Option, Schema } from "effect"
import type {
  NewIntent,
  NewRefund,
  PaymentNotice,
  ProviderIntent,
  ProviderPage,
  ProviderPageRequest,
  ProviderRefund,
  ProviderSubscription,
  QuantityChange,
  SubscriptionItem
} from "./PaymentProviderRecords.ts"
import type {
  PaymentRefused,
  PaymentProviderUnavailable,
  PaymentNoticeRefused
} from "./PaymentProviderErrors.ts"

/** The `code` of the refusal to change the quantity of a subscription that has ended, or of an item that does not exist. */
export const subscriptionEndedCode = "subscription_ended"

/**
 * The provider failed, and keeps this failure as the result of the key or attempt: a repeated request fails again. The
 * change did not take effect. A request with the next key may succeed.
 */
export class AttemptSpent extends Schema.TaggedError<AttemptSpent>()("AttemptSpent", {}) {}

type ProviderCall<A, E = never> = Effect.Effect<A, PaymentRefused | PaymentProviderUnavailable | E>

/**
 * Each method ends within 10 seconds, its retries included. None may be called inside a transaction.
 *
 * - `configured`: fails with `PaymentProviderUnavailable` if no provider is configured.
 * - `createIntent`: the intent of an invoice, an amount and an attempt. A repeated call gives the same intent in its
 *   current state, within the time that the provider remembers keys (at least 24 hours). `AttemptSpent` if only
 *   another attempt can succeed.
 * - `intent`: the current state of an intent; `None` if the provider has none of that identifier.
 * - `cancelIntent`: the canceled intent, which cannot be paid any more. A canceled intent stays canceled;
 *   `PaymentRefused` if it has been paid.
 * - `refund`: returns an amount to the customer; `PaymentRefused` if the intent has less left; `AttemptSpent` if there is
 *   no refund of this key, and only another key can succeed.
 * - `refundsOf`: all refunds of an intent, the newest first, and its decided disputes, at most 100 of each.
 * - `subscription`: the current state of a subscription; `None` if the provider has none of that identifier.
 * - `changeQuantity`: sets the quantity of a subscription item. A repeated call with the same key changes nothing, even
 *   if the quantity has changed since; it gives the item as the first call left it. `AttemptSpent` if the quantity is
 *   another one, and only another key can succeed; `PaymentRefused` with {@link subscriptionEndedCode} if none can.
 * - `notices`: a page of past notices, for reconciliation. Providers keep them for 30 days.
 * - `intents`: a page of intents, for reconciliation.
 * - `readNotice`: the content of a received notice, from the bytes of the body exactly as they arrived and the
 *   signature header.
 */
export class PaymentProvider extends Context.Service<
  PaymentProvider,
  {
    readonly configured: Effect.Effect<void, PaymentProviderUnavailable>
    readonly createIntent: (request: NewIntent) => ProviderCall<ProviderIntent, AttemptSpent>
    readonly intent: (intentId: string) => ProviderCall<Option.Option<ProviderIntent>>
    readonly cancelIntent: (intentId: string) => ProviderCall<ProviderIntent>
    readonly refund: (request: NewRefund) => ProviderCall<ProviderRefund, AttemptSpent>
    readonly refundsOf: (intentId: string) => ProviderCall<ReadonlyArray<ProviderRefund>>
    readonly subscription: (subscriptionId: string) => ProviderCall<Option.Option<ProviderSubscription>>
    readonly changeQuantity: (change: QuantityChange) => ProviderCall<SubscriptionItem, AttemptSpent>
    readonly notices: (page: ProviderPageRequest) => ProviderCall<ProviderPage<PaymentNotice>>
    readonly intents: (page: ProviderPageRequest) => ProviderCall<ProviderPage<ProviderIntent>>
    readonly readNotice: (
      body: Uint8Array,
      signature: string | undefined
    ) => Effect.Effect<PaymentNotice, PaymentNoticeRefused | PaymentProviderUnavailable>
  }
>()("@livery/domain/PaymentProvider") {}
