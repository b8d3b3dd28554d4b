/** The entries that undo other entries of a ledger. */
import type { DateTime } from "effect"
import { dueMinorOf, type Invoice } from "../invoice/Invoice.ts"
import type { LedgerEntry } from "./Ledger.ts"
import { balanceOf, unreversedOf } from "./LedgerBalance.ts"
import type { Payment } from "./Payment.ts"

type Entries = ReadonlyArray<Payment>

/**
 * The entries that undo refunds of a locked invoice: the amount that is due counts towards it again, and the rest is to be
 * refunded. They have the references of the refunds, or the given one.
 */
export const refundReversalOf = (
  refunds: Entries,
  entries: Entries,
  invoice: Invoice,
  received_at: DateTime.Utc,
  reason?: string
): ReadonlyArray<LedgerEntry> => {
  let needed = dueMinorOf(invoice)
  return refunds.flatMap((entry): ReadonlyArray<LedgerEntry> => {
    const left = unreversedOf(entry, entries)
    const counted =
      entry.kind === "refund" && entry.currency === invoice.currency ? Math.min(left, needed) : 0
    needed -= counted
    const { currency, method, payment_id, provider_id, reference } = entry
    const part = {
      currency,
      method,
      provider_id,
      received_at,
      reference: reason ?? reference,
      refund_of: payment_id
    }
    return [
      { ...part, kind: "reversal" as const, amount_minor: counted },
      { ...part, kind: "excess_reversal" as const, amount_minor: left - counted }
    ].filter(({ amount_minor }) => amount_minor > 0)
  })
}

/** The entries that undo what is left of a receipt: first the part that does not count towards the invoice. */
export const correctionOf = (
  receipt: Payment,
  entries: Entries,
  received_at: DateTime.Utc,
  reason: string
): ReadonlyArray<LedgerEntry> => {
  const { counted, excess } = balanceOf(receipt, entries)
  const { currency, method, payment_id } = receipt
  const part = { currency, method, received_at, reference: reason, refund_of: payment_id, provider_id: null }
  return [
    { ...part, kind: "excess_correction" as const, amount_minor: excess },
    { ...part, kind: "correction" as const, amount_minor: counted }
  ].filter(({ amount_minor }) => amount_minor > 0)
}
