/**
 * Disputes: customers who have their bank take a payment back (Stripe's pages "How disputes work" and "Testing", section
 * "Disputes"). In a sandbox, the text of the evidence decides a dispute.
 */
import type { Stripe } from "stripe"
import { type Account, type Cause, randomId } from "./Account.ts"
import { groupOf, metadataOf, type Parameters, textOf } from "./Parameters.ts"
import { noSuchRecord, refusedRequest } from "./StripeFailure.ts"

/** The parameters of `disputes.update`. */
export const disputeParameters = ["evidence", "metadata", "submit"]

/** How a dispute ends, from the point of view of the business. */
export type DisputeOutcome = "won" | "lost"

const outcomeOfEvidence: Readonly<Record<string, DisputeOutcome>> = {
  winning_evidence: "won",
  losing_evidence: "lost"
}

/** How long a business has to send its evidence. */
const responseSeconds = 7 * 86_400

const evidenceNames = [
  "access_activity_log",
  "billing_address",
  "cancellation_policy",
  "cancellation_policy_disclosure",
  "cancellation_rebuttal",
  "customer_communication",
  "customer_email_address",
  "customer_name",
  "customer_purchase_ip",
  "customer_signature",
  "duplicate_charge_documentation",
  "duplicate_charge_explanation",
  "duplicate_charge_id",
  "product_description",
  "receipt",
  "refund_policy",
  "refund_policy_disclosure",
  "refund_refusal_explanation",
  "service_date",
  "service_documentation",
  "shipping_address",
  "shipping_carrier",
  "shipping_date",
  "shipping_documentation",
  "shipping_tracking_number",
  "uncategorized_file",
  "uncategorized_text"
] as const satisfies ReadonlyArray<keyof Stripe.Dispute.Evidence>

const noEvidence: Stripe.Dispute.Evidence = {
  ...(Object.fromEntries(evidenceNames.map((name) => [name, null])) as Record<
    (typeof evidenceNames)[number],
    null
  >),
  enhanced_evidence: {}
}

const isDecided = ({ status }: Stripe.Dispute) => status === "won" || status === "lost"

export const disputeOf = (account: Account, id: string): Stripe.Dispute => {
  const dispute = account.disputes.get(id)
  if (dispute === undefined) throw noSuchRecord("dispute", id, "dispute")
  return dispute
}

/** Whether the bank has taken the charge back, or a part of it, so that it cannot be refunded. */
export const isDisputed = (account: Account, chargeId: string): boolean =>
  [...account.disputes.values()].some(({ charge, status }) => charge === chargeId && status !== "won")

/** The customer disputes a successful charge, or a part of it. The amount is withdrawn from the account at once. */
export const openDispute = (
  account: Account,
  charge: Stripe.Charge,
  amount: number,
  cause: Cause | null
): Stripe.Dispute => {
  const dispute: Stripe.Dispute = {
    id: randomId("du_"),
    object: "dispute",
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: account.now(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: account.now() + responseSeconds,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "not_submitted"
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: "fraudulent",
    status: "needs_response"
  }
  account.disputes.set(dispute.id, dispute)
  account.charges.set(charge.id, { ...charge, disputed: true })
  account.emit("charge.dispute.created", dispute, cause)
  account.emit("charge.dispute.funds_withdrawn", dispute, cause)
  return dispute
}

/** Decides a dispute. A lost one can still be won later, for example by an appeal. */
export const decideDispute = (
  account: Account,
  id: string,
  outcome: DisputeOutcome,
  cause: Cause | null
): Stripe.Dispute => {
  const dispute = disputeOf(account, id)
  if (dispute.status === outcome) return dispute
  const decided = { ...dispute, status: outcome }
  account.disputes.set(id, decided)
  if (!isDecided(dispute)) account.emit("charge.dispute.closed", decided, cause)
  if (outcome === "won") account.emit("charge.dispute.funds_reinstated", decided, cause)
  return decided
}

/** Changes the evidence. Submitted evidence with a text of Stripe's page "Testing" decides the dispute. */
export const updateDispute = (
  account: Account,
  id: string,
  parameters: Parameters,
  cause: Cause
): Stripe.Dispute => {
  const dispute = disputeOf(account, id)
  if (isDecided(dispute)) throw refusedRequest(`This dispute (${id}) is already closed.`)
  const given = groupOf(parameters, "evidence")
  const texts = Object.fromEntries(
    evidenceNames.flatMap((name) => {
      const text = textOf(given, name)
      return text === undefined ? [] : [[name, text]]
    })
  )
  const evidence = { ...dispute.evidence, ...texts }
  const isSubmitted = Object.keys(given).length > 0 && textOf(parameters, "submit") !== "false"
  const updated: Stripe.Dispute = {
    ...dispute,
    evidence,
    evidence_details: {
      ...dispute.evidence_details,
      has_evidence: evidenceNames.some((name) => evidence[name] !== null),
      ...(isSubmitted
        ? {
            submission_count: dispute.evidence_details.submission_count + 1,
            submission_method: "manual" as const
          }
        : {})
    },
    metadata: { ...dispute.metadata, ...metadataOf(parameters) },
    status: isSubmitted ? "under_review" : dispute.status
  }
  account.disputes.set(id, updated)
  account.emit("charge.dispute.updated", updated, cause)
  const outcome = isSubmitted ? outcomeOfEvidence[String(evidence.uncategorized_text)] : undefined
  return outcome === undefined ? updated : decideDispute(account, id, outcome, cause)
}

/** The business accepts the dispute, which is lost then. */
export const closeDispute = (account: Account, id: string, cause: Cause): Stripe.Dispute => {
  if (isDecided(disputeOf(account, id))) throw refusedRequest(`This dispute (${id}) is already closed.`)
  return decideDispute(account, id, "lost", cause)
}
