/** Crediting an invoice inside a transaction: the credit note, the sums of the invoice, and the entries of its payments. */
import { DateTime, Effect } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { Conflict, InvalidInput, refuseIssues } from "../../kernel/Errors.ts"
import {
  addingLines,
  creditItems,
  creditableText,
  creditLineOf,
  creditSums,
  isCovered,
  restLines,
  settledCredit
} from "./Credit.ts"
import { localDay } from "../../kernel/time/WallClock.ts"
import type { CreditNote, CreditNoteInput } from "./CreditNote.ts"
import { CreditNoteRepository } from "./CreditNoteRepository.ts"
import { type Invoice, nameOfInvoice } from "../invoice/Invoice.ts"
import { linesOf, tripsNamedBy, unknownTrips } from "../invoice/InvoiceLine.ts"
import { InvoiceUnitOfWork } from "../invoice/InvoiceUnitOfWork.ts"
import { Ledger, type PaymentPart } from "./Ledger.ts"
import { balanceOf, isReceipt } from "./LedgerBalance.ts"
import type { Payment } from "./Payment.ts"
import { PaymentRepository } from "./PaymentRepository.ts"

/** Divides an amount among the payments that count towards an invoice, the newest first. */
const partsOf = (entries: ReadonlyArray<Payment>, amountMinor: number): ReadonlyArray<PaymentPart> => {
  let left = amountMinor
  const parts: Array<PaymentPart> = []
  for (const payment of entries.filter(isReceipt).toReversed()) {
    const amount_minor = Math.min(left, balanceOf(payment, entries).counted)
    left -= amount_minor
    if (amount_minor > 0) parts.push({ payment, amount_minor })
  }
  return parts
}

/** Fails unless the invoice may have another credit note. */
const requireCreditable = (invoice: Invoice): Effect.Effect<void, Conflict> => {
  const name = nameOfInvoice(invoice)
  if (invoice.status === "void") return Effect.fail(new Conflict({ reason: `${name} is void` }))
  return invoice.sealed_at === null
    ? Effect.fail(new Conflict({ reason: `${name} was not issued; change it, or void or delete it instead` }))
    : Effect.void
}

/** The lines of a new credit note with their sums. Fails unless the invoice charges what they credit. */
const creditedLines = Effect.fnUntraced(function* (
  invoice: Invoice,
  earlier: ReadonlyArray<CreditNote>,
  { items }: CreditNoteInput
) {
  const sent = linesOf(creditItems(invoice, items ?? []), invoice.currency)
  const adding = addingLines(invoice, sent.lines)
  if (sent.lines.length === items?.length && adding.length > 0)
    return yield* new InvalidInput({
      issues: adding.map((index) => ({ field: `items.${index}.quantity`, issue: "out_of_range" })),
      advice: `The items of a credit note have positive quantities. ${creditableText(invoice, earlier)}`
    })
  // A trip that was deleted is still charged by its line.
  const charged = [...invoice.trip_ids, ...tripsNamedBy(invoice.lines)]
  yield* refuseIssues([...sent.issues, ...unknownTrips(sent.lines, charged)])
  const lines =
    items === null
      ? restLines(invoice, earlier)
      : settledCredit(invoice, earlier, sent.lines.map(creditLineOf))
  const sums = creditSums(invoice, earlier, lines)
  if (items === null && sums.total_minor === 0)
    return yield* new Conflict({ reason: `Nothing is left of invoice ${invoice.number}` })
  if (sums.total_minor >= 0 || !isCovered(invoice, earlier, lines))
    return yield* new InvalidInput({
      issues: [{ field: "items", issue: "out_of_range" }],
      advice: creditableText(invoice, earlier)
    })
  return { lines, sums }
})

/**
 * Builds the function that issues a credit note for a locked invoice. It returns the note, the invoice after it, and the parts of
 * payments that no longer count towards the invoice. An invoice that is credited in full has no trips in its new state; the
 * caller takes them off. `InvalidInput` for more than the invoice charges at a tax rate; `Conflict` for an invoice that is void,
 * that was credited in full, or that is not sealed.
 */
export const makeCrediting = Effect.gen(function* () {
  const unitOfWork = yield* InvoiceUnitOfWork
  const notes = yield* CreditNoteRepository
  const payments = yield* PaymentRepository
  const ledger = yield* Ledger

  return Effect.fnUntraced(function* (acting: ActingBusiness, before: Invoice, input: CreditNoteInput) {
    const { business_id, currency, invoice_id } = before
    const entries = yield* payments.ofInvoice(business_id, invoice_id)
    yield* requireCreditable(before)
    const earlier = yield* notes.ofInvoice(business_id, invoice_id)
    const { lines, sums } = yield* creditedLines(before, earlier, input)
    const credited_minor = before.credited_minor - sums.total_minor
    const rest = before.total_minor - credited_minor
    const refund_minor = Math.max(0, before.paid_minor - rest)
    const now = yield* DateTime.now
    const note = yield* notes.insert(
      {
        business_id,
        invoice_id,
        reason: input.reason,
        currency,
        lines,
        ...sums,
        refund_minor,
        notes: input.notes
      },
      now,
      localDay(now, acting.timezone)
    )
    const trip_ids = rest === 0 ? [] : before.trip_ids
    const after = yield* unitOfWork.commit(acting, before, { ...before, credited_minor, trip_ids })
    const parts = partsOf(entries, refund_minor)
    const received_at = yield* DateTime.now
    // These amounts no longer count towards the invoice and are to be refunded.
    yield* ledger.enter(
      acting,
      after,
      parts.map(({ amount_minor, payment }) => ({
        kind: "credit",
        amount_minor,
        method: payment.method,
        received_at,
        reference: note.number,
        refund_of: payment.payment_id,
        provider_id: null
      }))
    )
    return { note, after, parts }
  })
})
