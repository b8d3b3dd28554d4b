/**
 * A Stripe account in memory behind a server on the loopback, for tests and for trying Livery without an account. It
 * covers what Livery uses: payment intents, refunds, disputes, events, webhooks and the quantities of subscriptions.
 */
import { Clock, Effect, Redacted, type Scope } from "effect"
import type { Stripe } from "stripe"
import { type Account, makeAccount, randomId } from "./Account.ts"
import type { Fault } from "./Faults.ts"
import { deliver, noticeOf, type NoticeOptions, type NoticeResult, postNotice } from "./Notices.ts"
import { serve } from "./HttpServer.ts"
import { latestChargeOf } from "./Charges.ts"
import { decideDispute, type DisputeOutcome, openDispute } from "./Disputes.ts"
import { authenticateIntent, confirmIntent, intentOf } from "./PaymentIntents.ts"
import { settleRefund } from "./Refunds.ts"
import { type LoggedRequest, makeRequests } from "./Requests.ts"
import { StripeFailure } from "./StripeFailure.ts"
import {
  cancelSubscription,
  failRenewal,
  type SeededItem,
  seedSubscription,
  setSubscriptionStatus
} from "./Subscriptions.ts"

/** The options of an emulator. */
export interface StripeEmulatorOptions {
  /** The port to listen on, any free one by default. */
  readonly port?: number
  /** Random by default. */
  readonly secretKey?: Redacted.Redacted
  /** Random by default. */
  readonly webhookSecret?: Redacted.Redacted
  /** Random by default. */
  readonly publishableKey?: string
  /**
   * The address to which each event is sent when it happens. A function is called for each event. Without an address,
   * only `send` sends events.
   */
  readonly webhookUrl?: string | (() => string | undefined)
}

/** A running emulator. Functions that read its state return the present one; callers must not change the records. */
export interface StripeEmulator {
  /** For `STRIPE_API_BASE`. */
  readonly url: string
  /** For `STRIPE_SECRET_KEY`. */
  readonly secretKey: Redacted.Redacted
  /** The key that a browser uses, together with an intent's client secret. */
  readonly publishableKey: string
  /** For `STRIPE_WEBHOOK_SECRET`. */
  readonly webhookSecret: Redacted.Redacted
  readonly intents: () => ReadonlyArray<Stripe.PaymentIntent>
  readonly charges: () => ReadonlyArray<Stripe.Charge>
  readonly refunds: () => ReadonlyArray<Stripe.Refund>
  readonly disputes: () => ReadonlyArray<Stripe.Dispute>
  readonly subscriptions: () => ReadonlyArray<Stripe.Subscription>
  /** The events in the order in which they happened. */
  readonly events: () => ReadonlyArray<Stripe.Event>
  /** The requests that reached an operation, in the order of their arrival. */
  readonly requests: () => ReadonlyArray<LoggedRequest>
  /**
   * A customer pays with a test card, `pm_card_visa` by default. Returns the intent, which awaits another card after a
   * decline.
   */
  readonly pay: (intentId: string, paymentMethod?: string) => Effect.Effect<Stripe.PaymentIntent>
  /** A customer authenticates a payment with the bank, or does not. */
  readonly authenticate: (intentId: string, isAuthenticated: boolean) => Effect.Effect<Stripe.PaymentIntent>
  /** Sets the final status of a delayed or failing refund. */
  readonly settle: (refundId: string) => Effect.Effect<Stripe.Refund>
  /**
   * The customer disputes the paid amount of an intent, or a part of it, in the smallest unit of the currency. The intent must be
   * paid.
   */
  readonly dispute: (intentId: string, amount?: number) => Effect.Effect<Stripe.Dispute>
  /** The bank decides a dispute. A lost one can still be won later. */
  readonly decide: (disputeId: string, outcome: DisputeOutcome) => Effect.Effect<Stripe.Dispute>
  /** Adds a subscription, as if a business had bought it. `currency` is in lower case. */
  readonly subscribe: (
    currency: string,
    items: ReadonlyArray<SeededItem>
  ) => Effect.Effect<Stripe.Subscription>
  /** Sets a subscription's status, as Stripe does by itself, for example after a trial. */
  readonly setStatus: (
    subscriptionId: string,
    status: Stripe.Subscription.Status
  ) => Effect.Effect<Stripe.Subscription>
  /** The card of a subscription is declined at its renewal. */
  readonly failRenewal: (subscriptionId: string) => Effect.Effect<Stripe.Subscription>
  /** Cancels a subscription. */
  readonly endSubscription: (subscriptionId: string) => Effect.Effect<Stripe.Subscription>
  /** Injects a fault into the next requests of an operation. */
  readonly fault: (fault: Fault) => Effect.Effect<void>
  readonly clearFaults: Effect.Effect<void>
  /** The body and the headers of an event's notice, signed with the present time. */
  readonly notice: (
    event: Stripe.Event,
    options?: NoticeOptions
  ) => Effect.Effect<{ readonly body: string; readonly headers: Record<string, string> }>
  /** Sends an event's notice to an address once. A test can repeat and reorder notices. */
  readonly send: (
    address: string,
    event: Stripe.Event,
    options?: NoticeOptions
  ) => Effect.Effect<NoticeResult>
}

/** The request of a change that no API client asked for. */
const ownRequest = () => ({ requestId: randomId("req_", 14), idempotencyKey: null })

/** Runs an attempt to pay. A declined card is no error here: the returned intent shows the decline. */
const intentAfter = (account: Account, intentId: string, attempt: () => Stripe.PaymentIntent) =>
  Effect.sync(() => {
    try {
      return attempt()
    } catch (thrown) {
      const intent = account.intents.get(intentId)
      if (thrown instanceof StripeFailure && thrown.status === 402 && intent !== undefined) return intent
      throw thrown
    }
  })

/** Starts an emulator that ends with the scope. Times come from `Clock`. */
export const makeStripeEmulator = (
  options: StripeEmulatorOptions = {}
): Effect.Effect<StripeEmulator, Error, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const clock = yield* Clock.Clock
    const context = yield* Effect.context()
    const now = () => Math.floor(clock.currentTimeMillisUnsafe() / 1000)
    const secretKey = options.secretKey ?? Redacted.make(randomId("sk_test_"))
    const publishableKey = options.publishableKey ?? randomId("pk_test_")
    const webhookSecret = options.webhookSecret ?? Redacted.make(randomId("whsec_", 32))

    const notice = (event: Stripe.Event, noticeOptions?: NoticeOptions) =>
      Effect.sync(() => noticeOf(event, Redacted.value(webhookSecret), now(), noticeOptions))
    const send = (address: string, event: Stripe.Event, noticeOptions?: NoticeOptions) =>
      Effect.flatMap(notice(event, noticeOptions), (signed) => postNotice(address, signed))

    const webhookUrlNow = () =>
      typeof options.webhookUrl === "function" ? options.webhookUrl() : options.webhookUrl
    const fork = Effect.runForkWith(context)
    const account = makeAccount(now, (event) => {
      const webhookUrl = webhookUrlNow()
      if (webhookUrl !== undefined) fork(Effect.forkIn(deliver(send(webhookUrl, event)), scope))
    })
    const requests = makeRequests(account, {
      secret: Redacted.value(secretKey),
      publishable: publishableKey
    })
    const url = yield* serve(options.port ?? 0, requests.handle)

    return {
      url,
      secretKey,
      publishableKey,
      webhookSecret,
      intents: () => [...account.intents.values()],
      charges: () => [...account.charges.values()],
      refunds: () => [...account.refunds.values()],
      disputes: () => [...account.disputes.values()],
      subscriptions: () => [...account.subscriptions.values()],
      events: () => [...account.events],
      requests: () => [...requests.log],
      pay: (intentId, paymentMethod = "pm_card_visa") =>
        intentAfter(account, intentId, () =>
          confirmIntent(account, intentId, { payment_method: paymentMethod }, ownRequest())
        ),
      authenticate: (intentId, isAuthenticated) =>
        Effect.sync(() => authenticateIntent(account, intentId, isAuthenticated)),
      settle: (refundId) => Effect.sync(() => settleRefund(account, refundId)),
      dispute: (intentId, amount) =>
        Effect.sync(() => {
          const charge = latestChargeOf(account, intentOf(account, intentId))
          if (charge?.status !== "succeeded") throw new Error(`${intentId} is not paid`)
          return openDispute(account, charge, amount ?? charge.amount, null)
        }),
      decide: (disputeId, outcome) => Effect.sync(() => decideDispute(account, disputeId, outcome, null)),
      subscribe: (currency, items) => Effect.sync(() => seedSubscription(account, currency, items)),
      setStatus: (id, status) => Effect.sync(() => setSubscriptionStatus(account, id, status)),
      failRenewal: (id) => Effect.sync(() => failRenewal(account, id)),
      endSubscription: (id) => Effect.sync(() => cancelSubscription(account, id, ownRequest())),
      fault: (fault) => Effect.sync(() => requests.addFault(fault)),
      clearFaults: Effect.sync(() => requests.clearFaults()),
      notice,
      send
    }
  })
