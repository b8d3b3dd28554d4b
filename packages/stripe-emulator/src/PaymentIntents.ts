/** Payment intents: their life from creation to payment or cancellation (Stripe's page "How PaymentIntents work"). */
import type { Stripe } from "stripe"
import { type Account, type Cause, randomId } from "./Account.ts"
import { checkedAmount, checkedCurrency } from "./Amounts.ts"
import { recordCharge } from "./Charges.ts"
import { openDispute } from "./Disputes.ts"
import {
  booleanOf,
  groupOf,
  integerOf,
  metadataOf,
  type Parameters,
  requiredText,
  textOf
} from "./Parameters.ts"
import { type Decline, testCard } from "./PaymentMethods.ts"
import {
  invalidParameter,
  missingParameter,
  noSuchRecord,
  refusedRequest,
  StripeFailure
} from "./StripeFailure.ts"

/** The parameters of `payment_intents.create`. */
export const intentParameters = [
  "allowed_payment_method_types",
  "amount",
  "automatic_payment_methods",
  "currency",
  "confirm",
  "description",
  "metadata",
  "payment_method",
  "receipt_email"
]

const cancelable: ReadonlyArray<Stripe.PaymentIntent.Status> = [
  "requires_payment_method",
  "requires_capture",
  "requires_confirmation",
  "requires_action",
  "processing"
]

/** Stores a changed intent in place of the old one. */
const storeIntent = (account: Account, intent: Stripe.PaymentIntent): Stripe.PaymentIntent => {
  account.intents.set(intent.id, intent)
  return intent
}

export const intentOf = (account: Account, id: string): Stripe.PaymentIntent => {
  const intent = account.intents.get(id)
  if (intent === undefined) throw noSuchRecord("payment_intent", id, "intent")
  return intent
}

/**
 * The allowed types of payment methods; null for those of the account's settings. The emulated account takes cards only,
 * and Stripe ignores types that the account does not take (its changelog of 2026-07-29).
 */
const allowedTypes = (parameters: Parameters): Array<"card"> | null => {
  if (parameters["allowed_payment_method_types"] === undefined) return null
  if (parameters["automatic_payment_methods"] !== undefined)
    throw invalidParameter(
      "allowed_payment_method_types",
      "You may only specify one of these parameters: allowed_payment_method_types, automatic_payment_methods.",
      "parameters_exclusive"
    )
  const types = Object.values(groupOf(parameters, "allowed_payment_method_types"))
  if (!types.includes("card"))
    throw invalidParameter("allowed_payment_method_types", "No payment method types can be used.")
  return ["card"]
}

/** The fields of a new intent that the emulator does not use. */
const unusedFields = {
  amount_capturable: 0,
  amount_details: { tip: {} },
  application: null,
  application_fee_amount: null,
  capture_method: "automatic_async",
  confirmation_method: "automatic",
  customer: null,
  customer_account: null,
  excluded_payment_method_types: null,
  livemode: false,
  managed_payments: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  payment_method_options: {},
  payment_record: null,
  processing: null,
  review: null,
  setup_future_usage: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
  transfer_group: null
} satisfies Partial<Stripe.PaymentIntent>

/** The intent of a request. It is not stored yet. */
const intentFrom = (parameters: Parameters, created: number): Stripe.PaymentIntent => {
  const amount = integerOf(parameters, "amount", 1)
  if (amount === undefined) throw missingParameter("amount")
  const currency = checkedCurrency(requiredText(parameters, "currency"))
  const metadata = metadataOf(parameters)
  const allowed = allowedTypes(parameters)
  const paymentMethod = textOf(parameters, "payment_method")
  const id = randomId("pi_")
  return {
    ...unusedFields,
    id,
    object: "payment_intent",
    allowed_payment_method_types: allowed,
    amount: checkedAmount(amount, currency),
    amount_received: 0,
    automatic_payment_methods: allowed === null ? { enabled: true, allow_redirects: "always" } : null,
    canceled_at: null,
    cancellation_reason: null,
    client_secret: `${id}_${randomId("secret_")}`,
    created,
    currency,
    description: textOf(parameters, "description") ?? null,
    last_payment_error: null,
    latest_charge: null,
    metadata,
    next_action: null,
    payment_method: paymentMethod ?? null,
    payment_method_types: ["card"],
    receipt_email: textOf(parameters, "receipt_email") ?? null,
    status: paymentMethod === undefined ? "requires_payment_method" : "requires_confirmation"
  }
}

export const createIntent = (account: Account, parameters: Parameters, cause: Cause) => {
  const intent = storeIntent(account, intentFrom(parameters, account.now()))
  account.emit("payment_intent.created", intent, cause)
  return booleanOf(parameters, "confirm") ? confirmIntent(account, intent.id, parameters, cause) : intent
}

/** Records that the bank paid. */
const succeed = (
  account: Account,
  intent: Stripe.PaymentIntent,
  paymentMethod: string,
  cause: Cause | null
) => {
  const card = testCard(paymentMethod)
  if (card === undefined) throw noSuchRecord("PaymentMethod", paymentMethod, "payment_method")
  const charge = recordCharge(account, intent, paymentMethod, card, undefined)
  const paid = storeIntent(account, {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    payment_method: paymentMethod,
    status: "succeeded"
  })
  account.emit("charge.succeeded", charge, cause)
  account.emit("payment_intent.succeeded", paid, cause)
  if (card.isDisputed) openDispute(account, charge, charge.amount, cause)
  return paid
}

/** Records that the bank declined: the intent awaits another card. Returns the failure of the request, with 402. */
const decline = (
  account: Account,
  intent: Stripe.PaymentIntent,
  paymentMethod: string,
  reason: Decline,
  cause: Cause | null
): StripeFailure => {
  const card = testCard(paymentMethod)
  const charge = card === undefined ? undefined : recordCharge(account, intent, paymentMethod, card, reason)
  const error: Pick<Stripe.PaymentIntent.LastPaymentError, "code" | "decline_code" | "message" | "type"> = {
    code: reason.code,
    ...(reason.declineCode === undefined ? {} : { decline_code: reason.declineCode }),
    message: reason.message,
    type: "card_error"
  }
  const reopened = storeIntent(account, {
    ...intent,
    last_payment_error: { ...error, ...(charge === undefined ? {} : { charge: charge.id }) },
    latest_charge: charge?.id ?? intent.latest_charge,
    next_action: null,
    payment_method: null,
    status: "requires_payment_method"
  })
  if (charge !== undefined) account.emit("charge.failed", charge, cause)
  account.emit("payment_intent.payment_failed", reopened, cause)
  return new StripeFailure(
    402,
    {
      type: "card_error",
      message: reason.message,
      code: reason.code,
      ...(reason.declineCode === undefined ? {} : { decline_code: reason.declineCode }),
      ...(charge === undefined ? {} : { charge: charge.id }),
      payment_intent: reopened
    },
    true
  )
}

export const confirmIntent = (account: Account, id: string, parameters: Parameters, cause: Cause) => {
  const intent = intentOf(account, id)
  if (intent.status === "succeeded" || intent.status === "canceled")
    throw refusedRequest(
      intent.status === "succeeded"
        ? "You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed."
        : "You cannot confirm this PaymentIntent because it has a status of canceled.",
      { code: "payment_intent_unexpected_state", payment_intent: intent }
    )
  const paymentMethod = textOf(parameters, "payment_method") ?? intent.payment_method
  if (typeof paymentMethod !== "string")
    throw refusedRequest("You cannot confirm this PaymentIntent because it's missing a payment method.", {
      code: "payment_intent_unexpected_state",
      payment_intent: intent
    })
  const card = testCard(paymentMethod)
  if (card === undefined) throw noSuchRecord("PaymentMethod", paymentMethod, "payment_method")
  if (card.payment === "needs_authentication") {
    const waiting = storeIntent(account, {
      ...intent,
      next_action: { type: "use_stripe_sdk", use_stripe_sdk: {} },
      payment_method: paymentMethod,
      status: "requires_action"
    })
    account.emit("payment_intent.requires_action", waiting, cause)
    return waiting
  }
  if (card.payment === "succeeds") return succeed(account, intent, paymentMethod, cause)
  throw decline(account, intent, paymentMethod, card.payment, cause)
}

/** The customer authenticates with the bank, or does not. The intent is unchanged unless it waits for that. */
export const authenticateIntent = (account: Account, id: string, isAuthenticated: boolean) => {
  const intent = intentOf(account, id)
  if (intent.status !== "requires_action" || typeof intent.payment_method !== "string") return intent
  if (isAuthenticated) return succeed(account, intent, intent.payment_method, null)
  const reopened = storeIntent(account, {
    ...intent,
    last_payment_error: {
      code: "payment_intent_authentication_failure",
      message: "We are unable to authenticate your payment method. Please choose another one and try again.",
      type: "invalid_request_error"
    },
    next_action: null,
    payment_method: null,
    status: "requires_payment_method"
  })
  account.emit("payment_intent.payment_failed", reopened, null)
  return reopened
}

export const cancelIntent = (account: Account, id: string, parameters: Parameters, cause: Cause) => {
  const intent = intentOf(account, id)
  if (!cancelable.includes(intent.status))
    throw refusedRequest(
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with ` +
        `one of the following statuses may be canceled: ${cancelable.join(", ")}.`,
      { code: "payment_intent_unexpected_state", payment_intent: intent }
    )
  const canceled = storeIntent(account, {
    ...intent,
    canceled_at: account.now(),
    cancellation_reason: textOf(parameters, "cancellation_reason") ?? null,
    next_action: null,
    status: "canceled"
  })
  account.emit("payment_intent.canceled", canceled, cause)
  return canceled
}
