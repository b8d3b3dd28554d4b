/** Charges: one for each attempt to collect the amount of a payment intent. */
import type { Stripe } from "stripe"
import { type Account, randomId } from "./Account.ts"
import type { Decline, TestCard } from "./PaymentMethods.ts"

/** The charge of the latest attempt to pay an intent; undefined before the first one. */
export const latestChargeOf = (account: Account, { latest_charge }: Stripe.PaymentIntent) =>
  typeof latest_charge === "string" ? account.charges.get(latest_charge) : undefined

/** Adds a charge of an intent with a card: a failed one with the bank's `decline`, else a successful one. */
export const recordCharge = (
  account: Account,
  intent: Stripe.PaymentIntent,
  paymentMethod: string,
  card: TestCard,
  decline: Decline | undefined
): Stripe.Charge => {
  const isPaid = decline === undefined
  const charge: Stripe.Charge = {
    id: randomId("ch_"),
    object: "charge",
    amount: intent.amount,
    amount_captured: isPaid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: isPaid ? randomId("txn_") : null,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: "LIVERY SANDBOX",
    captured: isPaid,
    created: account.now(),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: { ...intent.metadata },
    on_behalf_of: null,
    outcome: null,
    paid: isPaid,
    payment_intent: intent.id,
    payment_method: paymentMethod,
    payment_method_details: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: card.last4,
    status: isPaid ? "succeeded" : "failed",
    transfer_data: null,
    transfer_group: null
  }
  account.charges.set(charge.id, charge)
  return charge
}
