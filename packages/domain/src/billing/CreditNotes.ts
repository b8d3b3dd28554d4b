/** The use cases of credit notes (docs/api/invoices.md). */
import { Context, Effect, Layer } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { orNotFound } from "../kernel/Errors.ts"
import { faultOf } from "../kernel/Faults.ts"
import { oncePerRequest } from "../kernel/idempotency/CurrentRequestParts.ts"
import type { CreditNoteId, InvoiceId, PaymentId } from "../kernel/Ids.ts"
import { toMajor } from "../kernel/money/Money.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { makeCrediting } from "./ledger/Crediting.ts"
import { type CreditNoteInput, type CreditNoteRecord, creditNoteRecord } from "./ledger/CreditNote.ts"
import { CreditNoteRepository } from "./ledger/CreditNoteRepository.ts"
import { restMinorOf } from "./invoice/Invoice.ts"
import { InvoiceRepository } from "./invoice/InvoiceRepository.ts"
import { InvoiceUnitOfWork } from "./invoice/InvoiceUnitOfWork.ts"
import { Ledger } from "./ledger/Ledger.ts"
import { Payments } from "./Payments.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** `NotFound` if the invoice or the note is absent or another business's. */
export class CreditNotes extends Context.Service<CreditNotes>()("@livery/domain/CreditNotes", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const invoices = yield* InvoiceRepository
    const unitOfWork = yield* InvoiceUnitOfWork
    const notes = yield* CreditNoteRepository
    const credit = yield* makeCrediting
    const payments = yield* Payments

    const issue = Effect.fnUntraced(function* (
      acting: ActingBusiness,
      invoiceId: InvoiceId,
      input: CreditNoteInput
    ) {
      const before = yield* unitOfWork.lock(acting, invoiceId)
      const { after, note, parts } = yield* credit(acting, before, input)
      // The trips of an invoice that was credited in full can be invoiced again.
      if (restMinorOf(after) === 0) yield* unitOfWork.detachTrips(acting, invoiceId, before.trip_ids)
      return {
        note: creditNoteRecord(note),
        refunds: parts.map(({ amount_minor, payment }) => ({
          paymentId: payment.payment_id,
          amount: toMajor({ minor: amount_minor, currency: note.currency })
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
