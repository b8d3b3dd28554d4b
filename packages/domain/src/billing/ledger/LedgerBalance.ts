/** The sums of the entries of an invoice's ledger. */
import type { Currency } from "../../kernel/money/Currency.ts"
import type { Payment, PaymentKind } from "./Payment.ts"

const sign: Readonly<Record<PaymentKind, number>> = {
  payment: 1,
  refund: -1,
  reversal: 1,
  credit: -1,
  excess: 0,
  excess_refund: 0,
  excess_reversal: 0,
  correction: -1,
  excess_correction: 0,
  credit_used: 0,
  credit_returned: 0,
  from_credit: 1
}

/**
 * The kinds of the entry to which an entry of a kind refers; `none` for an amount that was received. An amount from credit
 * refers to an entry of any invoice, each other kind to one of the same invoice.
 */
export const referredKinds: Readonly<Record<PaymentKind, ReadonlyArray<PaymentKind | "none">>> = {
  payment: ["none"],
  refund: ["payment", "from_credit"],
  reversal: ["refund"],
  credit: ["payment", "from_credit"],
  excess: ["none"],
  excess_refund: ["payment", "excess", "from_credit"],
  excess_reversal: ["refund", "excess_refund"],
  correction: ["payment", "from_credit"],
  excess_correction: ["payment", "excess", "from_credit"],
  credit_used: ["payment", "excess", "from_credit"],
  credit_returned: ["credit_used"],
  from_credit: ["credit_used"]
}

type Entries = ReadonlyArray<Payment>

/** Whether an entry changes the amount paid, so that it has the currency of the invoice. */
export const countsTowardsInvoice = ({ kind }: Pick<Payment, "kind">): boolean => sign[kind] !== 0

/** Whether an entry is money that was received: a payment or an excess. */
export const isMoneyReceived = ({ kind }: Pick<Payment, "kind">): boolean =>
  kind === "payment" || kind === "excess"

/** Whether an entry is an amount that the invoice received: money, or credit. Only such entries can be refunded. */
export const isReceipt = (entry: Pick<Payment, "kind">): boolean =>
  isMoneyReceived(entry) || entry.kind === "from_credit"

const sum = (entries: Entries) => entries.reduce((total, { amount_minor }) => total + amount_minor, 0)

/** The payments minus the refunds of an invoice's entries, in minor units. */
export const netOfLedger = (entries: Entries): number =>
  entries.reduce((net, { amount_minor, kind }) => net + sign[kind] * amount_minor, 0)

/** The entries of a kind that refer to an entry. */
const entriesReferringTo = (entry: Payment, entries: Entries, kind: PaymentKind) =>
  entries.filter((other) => other.refund_of === entry.payment_id && other.kind === kind)

/** The refunds of a payment or an excess, also those that were reversed. */
export const refundEntriesOf = (payment: Payment, entries: Entries): Entries =>
  (["refund", "excess_refund"] as const).flatMap((kind) => entriesReferringTo(payment, entries, kind))

/** The part of a refund that was not reversed, or of a used credit that was not returned, in minor units. */
export const unreversedOf = (entry: Payment, entries: Entries): number =>
  entry.amount_minor -
  (["reversal", "excess_reversal", "credit_returned"] as const).reduce(
    (total, kind) => total + sum(entriesReferringTo(entry, entries, kind)),
    0
  )

/** The rest of a payment, in minor units: the part that counts towards the invoice, and the part that does not. */
export interface PaymentBalance {
  readonly counted: number
  readonly excess: number
}

/**
 * The rest of a receipt after its refunds, its corrections and the uses of its credit. The amount of a reversed refund and of a
 * returned credit is added again. The part of a payment that was credited counts as excess. Both parts are 0 for the other
 * kinds of entries.
 */
export const balanceOf = (payment: Payment, entries: Entries): PaymentBalance => {
  if (!isReceipt(payment)) return { counted: 0, excess: 0 }
  const credited = sum(entriesReferringTo(payment, entries, "credit"))
  const of = (kind: PaymentKind) => entriesReferringTo(payment, entries, kind)
  const [refunds, excessRefunds, uses] = [of("refund"), of("excess_refund"), of("credit_used")]
  const returned = (kind: PaymentKind) =>
    sum([...refunds, ...excessRefunds, ...uses].flatMap((entry) => entriesReferringTo(entry, entries, kind)))
  return {
    counted:
      (payment.kind === "excess" ? 0 : payment.amount_minor) -
      credited -
      sum(refunds) -
      sum(of("correction")) +
      returned("reversal"),
    excess:
      (payment.kind === "excess" ? payment.amount_minor : 0) +
      credited -
      sum(excessRefunds) -
      sum(of("excess_correction")) -
      sum(uses) +
      returned("excess_reversal") +
      returned("credit_returned")
  }
}

/** The amount received in a currency that does not count towards the invoice, less its refunds, in minor units. */
export const excessOfLedger = (entries: Entries, currency: Currency): number =>
  entries
    .filter((entry) => entry.currency === currency)
    .reduce((total, entry) => total + balanceOf(entry, entries).excess, 0)

/** The part of a payment that can be refunded, in minor units. */
export const refundableOf = (payment: Payment, entries: Entries): number => {
  const { counted, excess } = balanceOf(payment, entries)
  return counted + excess
}

/** The entries that refund an amount of a payment: first the part that does not count towards the invoice. */
export const refundParts = (
  payment: Payment,
  entries: Entries,
  amountMinor: number
): ReadonlyArray<{ readonly kind: "refund" | "excess_refund"; readonly amount_minor: number }> => {
  const excess = Math.min(balanceOf(payment, entries).excess, amountMinor)
  return [
    { kind: "excess_refund" as const, amount_minor: excess },
    { kind: "refund" as const, amount_minor: amountMinor - excess }
  ].filter(({ amount_minor }) => amount_minor > 0)
}
