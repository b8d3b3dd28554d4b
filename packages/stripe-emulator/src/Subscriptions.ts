/** Subscriptions with quantities. A test or the sandbox adds them; the API reads them and changes quantities. */
import type { Stripe } from "stripe"
import { type Account, type Cause, randomId } from "./Account.ts"
import { integerOf, type Parameters } from "./Parameters.ts"
import { invalidParameter, noSuchRecord, refusedRequest } from "./StripeFailure.ts"

/** One product of a new subscription. */
export interface SeededItem {
  /** The price of one unit a month, in the currency's API unit. */
  readonly unitAmount: number
  readonly quantity: number
}

const monthSeconds = 30 * 24 * 60 * 60

const makeItem = (account: Account, subscription: string, currency: string, seeded: SeededItem) => {
  const [priceId, product, now] = [randomId("price_"), randomId("prod_", 14), account.now()]
  const fields = {
    id: priceId,
    active: true,
    billing_scheme: "per_unit",
    created: now,
    currency,
    livemode: false,
    metadata: {},
    nickname: null,
    product,
    tiers_mode: null
  } as const
  return {
    id: randomId("si_", 14),
    object: "subscription_item",
    billing_thresholds: null,
    created: now,
    current_period_end: now + monthSeconds,
    current_period_start: now,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: {
      ...fields,
      object: "plan",
      amount: seeded.unitAmount,
      amount_decimal: null,
      interval: "month",
      interval_count: 1,
      meter: null,
      transform_usage: null,
      trial_period_days: null,
      usage_type: "licensed"
    },
    price: {
      ...fields,
      object: "price",
      custom_unit_amount: null,
      lookup_key: null,
      recurring: {
        interval: "month",
        interval_count: 1,
        meter: null,
        trial_period_days: null,
        usage_type: "licensed"
      },
      tax_behavior: "exclusive",
      transform_quantity: null,
      type: "recurring",
      unit_amount: seeded.unitAmount,
      unit_amount_decimal: null
    },
    quantity: seeded.quantity,
    subscription,
    tax_rates: []
  } satisfies Stripe.SubscriptionItem
}

/** Adds an active subscription, as if the customer had just bought it. */
export const seedSubscription = (
  account: Account,
  currency: string,
  items: ReadonlyArray<SeededItem>
): Stripe.Subscription => {
  const [id, now] = [randomId("sub_"), account.now()]
  const subscription: Stripe.Subscription = {
    id,
    object: "subscription",
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: null, type: "classic" },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: null,
    collection_method: "charge_automatically",
    created: now,
    currency,
    customer: randomId("cus_", 14),
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: "self" }
    },
    items: {
      object: "list",
      data: items.map((item) => makeItem(account, id, currency, item)),
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`
    },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: null,
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: "active",
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: null,
    trial_start: null
  }
  account.subscriptions.set(id, subscription)
  account.emit("customer.subscription.created", subscription, null)
  return subscription
}

export const subscriptionOf = (account: Account, id: string): Stripe.Subscription => {
  const subscription = account.subscriptions.get(id)
  if (subscription === undefined) throw noSuchRecord("subscription", id, "id")
  return subscription
}

const findItem = (account: Account, itemId: string) => {
  for (const subscription of account.subscriptions.values()) {
    const item = subscription.items.data.find(({ id }) => id === itemId)
    if (item !== undefined) return { subscription, item }
  }
  throw noSuchRecord("subscription_item", itemId, "item")
}

export const subscriptionItemOf = (account: Account, itemId: string): Stripe.SubscriptionItem =>
  findItem(account, itemId).item

export const changeQuantity = (account: Account, itemId: string, parameters: Parameters, cause: Cause) => {
  const quantity = integerOf(parameters, "quantity")
  const { item, subscription } = findItem(account, itemId)
  if (quantity === undefined) return item
  if (quantity > 1_000_000) throw invalidParameter("quantity", "Quantity must be 1000000 or fewer.")
  if (subscription.status === "canceled")
    throw refusedRequest("A canceled subscription can only update its cancellation_details and metadata.")
  const changed = { ...item, quantity }
  const data = subscription.items.data.map((each) => (each.id === itemId ? changed : each))
  const updated = { ...subscription, items: { ...subscription.items, data } }
  account.subscriptions.set(subscription.id, updated)
  if (quantity !== item.quantity) account.emit("customer.subscription.updated", updated, cause)
  return changed
}

/** The subscription reaches a status by itself, for example after a trial. */
export const setSubscriptionStatus = (
  account: Account,
  id: string,
  status: Stripe.Subscription.Status
): Stripe.Subscription => {
  const changed = { ...subscriptionOf(account, id), status }
  account.subscriptions.set(id, changed)
  account.emit("customer.subscription.updated", changed, null)
  return changed
}

/** The card of a subscription is declined at its renewal: the invoice fails, and the subscription is past due. */
export const failRenewal = (account: Account, id: string): Stripe.Subscription => {
  const { currency, customer } = subscriptionOf(account, id)
  account.emit(
    "invoice.payment_failed",
    {
      id: randomId("in_"),
      object: "invoice",
      attempt_count: 1,
      created: account.now(),
      currency,
      customer,
      livemode: false,
      metadata: {},
      parent: {
        type: "subscription_details",
        quote_details: null,
        subscription_details: { metadata: null, subscription: id }
      },
      status: "open"
    },
    null
  )
  return setSubscriptionStatus(account, id, "past_due")
}

export const cancelSubscription = (account: Account, id: string, cause: Cause) => {
  const subscription = subscriptionOf(account, id)
  if (subscription.status === "canceled") throw noSuchRecord("subscription", id, "id")
  const now = account.now()
  const canceled: Stripe.Subscription = {
    ...subscription,
    canceled_at: now,
    ended_at: now,
    status: "canceled"
  }
  account.subscriptions.set(id, canceled)
  account.emit("customer.subscription.deleted", canceled, cause)
  return canceled
}
