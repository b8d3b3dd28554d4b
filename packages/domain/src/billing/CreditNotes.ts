/** The use cases of credit notes (docs/api/invoices.md). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { Conflict, InvalidInput, orNotFound, refuseIssues } from "../kernel/Errors.ts"
import { faultOf } from "../kernel/Faults.ts"
import { oncePerRequest } from "../kernel/idempotency/CurrentRequestParts.ts"
import type { CreditNoteId, InvoiceId, PaymentId } from "../kernel/Ids.ts"
import { toMajor } from "../kernel/money/Money.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { Transaction } from "../kernel/Transaction.ts"
import {
  addingLines,
  creditableText,
  creditLineOf,
  creditSums,
  isCovered,
  restLines
} from "./ledger/Credit.ts"
import {
  type CreditNote,
  type CreditNoteInput,
  type CreditNoteRecord,
  creditNoteRecord
} from "./ledger/CreditNote.ts"
import { CreditNoteRepository } from "./ledger/CreditNoteRepository.ts"
import type { Invoice } from "./invoice/Invoice.ts"
import { linesOf, tripsNamedBy, unknownTrips } from "./invoice/InvoiceLine.ts"
import { InvoiceRepository } from "./invoice/InvoiceRepository.ts"
import { InvoiceUnitOfWork } from "./invoice/InvoiceUnitOfWork.ts"
import { Ledger } from "./ledger/Ledger.ts"
import { balanceOf, isReceipt } from "./ledger/LedgerBalance.ts"
import type { Payment } from "./ledger/Payment.ts"
import { PaymentRepository } from "./ledger/PaymentRepository.ts"
import { Payments } from "./Payments.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** A part of a payment, in minor units. */
interface PaymentPart {
  readonly payment: Payment
  readonly amount_minor: number
}

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
const requireCreditable = ({ number, sealed_at, status }: Invoice): Effect.Effect<void, Conflict> => {
  if (status === "void") return Effect.fail(new Conflict({ reason: `Invoice ${number} is void` }))
  return sealed_at === null
    ? Effect.fail(new Conflict({ reason: `Invoice ${number} was not issued; change it or void it instead` }))
    : Effect.void
}

/** The lines of a new credit note with their sums. Fails unless the invoice charges what they credit. */
const creditedLines = Effect.fnUntraced(function* (
  invoice: Invoice,
  earlier: ReadonlyArray<CreditNote>,
  { items }: CreditNoteInput
) {
  const sent = linesOf(items ?? [], invoice.currency)
  const adding = addingLines(invoice, sent.lines)
  if (sent.lines.length === items?.length && adding.length > 0)
    return yield* new InvalidInput({
      issues: adding.map((index) => ({ field: `items.${index}.quantity`, issue: "out_of_range" })),
      advice: `The items of a credit note have positive quantities. ${creditableText(invoice, earlier)}`
    })
  // A trip that was deleted is still charged by its line.
  const charged = [...invoice.trip_ids, ...tripsNamedBy(invoice.lines)]
  yield* refuseIssues([...sent.issues, ...unknownTrips(sent.lines, charged)])
  const lines = items === null ? restLines(invoice, earlier) : sent.lines.map(creditLineOf)
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

/** `NotFound` if the invoice or the note is absent or another business's. */
export class CreditNotes extends Context.Service<CreditNotes>()("@livery/domain/CreditNotes", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const invoices = yield* InvoiceRepository
    const unitOfWork = yield* InvoiceUnitOfWork
    const notes = yield* CreditNoteRepository
    const paymentEntries = yield* PaymentRepository
    const ledger = yield* Ledger
    const payments = yield* Payments

    const issue = Effect.fnUntraced(function* (
      acting: ActingBusiness,
      invoiceId: InvoiceId,
      input: CreditNoteInput
    ) {
      const before = yield* unitOfWork.lock(acting, invoiceId)
      const { business_id, currency, invoice_id } = before
      const entries = yield* paymentEntries.ofInvoice(business_id, invoice_id)
      yield* requireCreditable(before)
      const earlier = yield* notes.ofInvoice(business_id, invoice_id)
      const { lines, sums } = yield* creditedLines(before, earlier, input)
      const credited_minor = before.credited_minor - sums.total_minor
      const rest = before.total_minor - credited_minor
      const refund_minor = Math.max(0, before.paid_minor - rest)
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
        yield* DateTime.now
      )
      const isCreditedInFull = rest === 0
      const after = yield* unitOfWork.commit(acting, before, {
        ...before,
        credited_minor,
        trip_ids: isCreditedInFull ? [] : before.trip_ids
      })
      // The trips of an invoice that was credited in full can be invoiced again.
      if (isCreditedInFull) yield* unitOfWork.detachTrips(acting, invoice_id, before.trip_ids)
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
      return {
        note: creditNoteRecord(note),
        refunds: parts.map(({ amount_minor, payment }) => ({
          paymentId: payment.payment_id,
          amount: toMajor({ minor: amount_minor, currency })
        }))
      }
    })

    /**
     * Refunds a part of a payment. An amount that the provider does not return now stays to be refunded, also if a fault of the
     * database is the reason: the note is issued, so that the request may not fail as if nothing was changed.
     */
    const refund = (
      acting: ActingBusiness,
      invoiceId: InvoiceId,
      note: CreditNoteRecord,
      { amount, paymentId }: { readonly amount: number; readonly paymentId: PaymentId }
    ) => {
      const postponed = ({ _tag, message }: { readonly _tag: string; readonly message: string }) =>
        Effect.logWarning("a credit note was not refunded yet", {
          business_id: acting.business_id,
          invoice_id: invoiceId,
          payment_id: paymentId,
          reason: `${_tag}: ${message}`
        })
      return payments
        .refund(acting, invoiceId, paymentId, { amount, reference: note.number, excessOnly: true })
        .pipe(
          Effect.catch(postponed),
          Effect.catchCause((cause) => {
            const fault = faultOf(cause)
            return fault === undefined ? Effect.failCause(cause) : postponed(fault)
          })
        )
    }

    return {
      /**
       * Issues a credit note for a sealed invoice. The amount paid beyond the rest of the
       * invoice no longer counts towards it. Unless `refund` is false, it is then refunded, the newest payment first:
       * card payments at the provider, and others by hand, which the ledger records. If the provider does not make a
       * refund now, the credit note remains valid, and the amount is part of the invoice's `amount_to_refund`. A note
       * that credits all of the invoice detaches its trips. `InvalidInput` for more than the invoice charges at a tax
       * rate; `Conflict` for an invoice that is void, that was credited in full, or that is not sealed.
       */
      create: traced("CreditNotes.create")(function* (
        acting: ActingBusiness,
        invoiceId: InvoiceId,
        input: CreditNoteInput
      ) {
        const issued = transaction.run(issue(acting, invoiceId, input))
        const { note, refunds } = yield* oncePerRequest("credit note", issued)
        if (input.refund !== false)
          yield* Effect.forEach(refunds, (part) => refund(acting, invoiceId, note, part), { discard: true })
        return note
      }),

      /** The credit notes of an invoice, the oldest first. */
      list: traced("CreditNotes.list")(function* (
        { business_id }: ActingBusiness,
        invoiceId: InvoiceId,
        page: PageRequest
      ) {
        yield* orNotFound("invoice")(yield* invoices.find(business_id, invoiceId))
        return mapPage(yield* notes.list(business_id, invoiceId, page), creditNoteRecord)
      }),

      get: traced("CreditNotes.get")(function* (
        { business_id }: ActingBusiness,
        invoiceId: InvoiceId,
        creditNoteId: CreditNoteId
      ) {
        const note = yield* notes.find(business_id, invoiceId, creditNoteId)
        return creditNoteRecord(yield* orNotFound("credit note")(note))
      })
    }
  })
}) {
  static readonly layer = Layer.effect(CreditNotes, CreditNotes.make).pipe(Layer.provide(Ledger.layer))
}
