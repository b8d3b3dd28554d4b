/** Refunds of charges, in part or in full (Stripe's page "Refund and cancel payments"). */
import type { Stripe } from "stripe"
import { type Account, type Cause, randomId } from "./Account.ts"
import { latestChargeOf } from "./Charges.ts"
import { isDisputed } from "./Disputes.ts"
import { integerOf, metadataOf, type Parameters, textOf } from "./Parameters.ts"
import { intentOf } from "./PaymentIntents.ts"
import { testCard } from "./PaymentMethods.ts"
import { missingParameter, noSuchRecord, refusedRequest } from "./StripeFailure.ts"

/** The parameters of `refunds.create`. */
export const refundParameters = ["amount", "charge", "metadata", "payment_intent", "reason"]

const chargeOf = (account: Account, parameters: Parameters): Stripe.Charge => {
  const chargeId = textOf(parameters, "charge")
  if (chargeId !== undefined) {
    const charge = account.charges.get(chargeId)
    if (charge === undefined) throw noSuchRecord("charge", chargeId, "charge")
    return charge
  }
  const intentId = textOf(parameters, "payment_intent")
  if (intentId === undefined) throw missingParameter("payment_intent")
  const charge = latestChargeOf(account, intentOf(account, intentId))
  if (charge?.status !== "succeeded")
    throw refusedRequest(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`, {
      param: "payment_intent"
    })
  return charge
}

/** Adds an amount to the refunded amount of a charge. A negative amount subtracts. */
const addRefunded = (account: Account, charge: Stripe.Charge, amount: number): Stripe.Charge => {
  const amountRefunded = charge.amount_refunded + amount
  const changed = {
    ...charge,
    amount_refunded: amountRefunded,
    refunded: amountRefunded === charge.amount
  }
  account.charges.set(charge.id, changed)
  return changed
}

export const refundOf = (account: Account, id: string): Stripe.Refund => {
  const refund = account.refunds.get(id)
  if (refund === undefined) throw noSuchRecord("refund", id, "refund")
  return refund
}

export const createRefund = (account: Account, parameters: Parameters, cause: Cause): Stripe.Refund => {
  const metadata = metadataOf(parameters)
  const requested = integerOf(parameters, "amount", 1)
  const charge = chargeOf(account, parameters)
  if (isDisputed(account, charge.id))
    throw refusedRequest(`The charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: "charge_disputed"
    })
  const unrefunded = charge.amount - charge.amount_refunded
  if (unrefunded === 0)
    throw refusedRequest(`Charge ${charge.id} has already been refunded.`, {
      code: "charge_already_refunded"
    })
  const amount = requested ?? unrefunded
  if (amount > unrefunded)
    throw refusedRequest(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${unrefunded}).`,
      {
        param: "amount"
      }
    )
  const card = testCard(charge.payment_method ?? "")
  const refund: Stripe.Refund = {
    id: randomId("re_"),
    object: "refund",
    amount,
    balance_transaction: randomId("txn_"),
    charge: charge.id,
    created: account.now(),
    currency: charge.currency,
    customer: null,
    customer_account: null,
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: textOf(parameters, "reason") ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: card?.refund === "succeeds_later" ? "pending" : "succeeded",
    transfer_reversal: null
  }
  account.refunds.set(refund.id, refund)
  account.emit("charge.refunded", addRefunded(account, charge, amount), cause)
  account.emit("refund.created", refund, cause)
  return refund
}

/** Sets the final status of a refund to a card that delays or fails refunds. Stripe does this after some time. */
export const settleRefund = (account: Account, id: string): Stripe.Refund => {
  const refund = refundOf(account, id)
  const charge = typeof refund.charge === "string" ? account.charges.get(refund.charge) : undefined
  const outcome = testCard(charge?.payment_method ?? "")?.refund
  if (outcome === "succeeds_later" && refund.status === "pending") {
    const settled = { ...refund, status: "succeeded" }
    account.refunds.set(id, settled)
    account.emit("refund.updated", settled, null)
    return settled
  }
  if (outcome === "fails_later" && refund.status === "succeeded" && charge !== undefined) {
    const failed = { ...refund, status: "failed", failure_reason: "expired_or_canceled_card" }
    account.refunds.set(id, failed)
    addRefunded(account, charge, -refund.amount)
    account.emit("refund.updated", failed, null)
    account.emit("refund.failed", failed, null)
    return failed
  }
  return refund
}
