/** The only path that adds entries to the ledger: the invoice's sums and status follow in the same transaction. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { toMajor } from "../../kernel/money/Money.ts"
import { type Invoice, sealedAt } from "../invoice/Invoice.ts"
import { InvoiceUnitOfWork } from "../invoice/InvoiceUnitOfWork.ts"
import { excessOfLedger, isMoneyReceived, netOfLedger } from "./LedgerBalance.ts"
import type { NewPayment, Payment } from "./Payment.ts"
import { PaymentRepository } from "./PaymentRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** An entry of a given invoice, in the currency of the invoice unless it names another one. */
export type LedgerEntry = Omit<NewPayment, "business_id" | "invoice_id" | "currency"> &
  Partial<Pick<NewPayment, "currency">>

export class Ledger extends Context.Service<Ledger>()("@livery/domain/Ledger", {
  make: Effect.gen(function* () {
    const payments = yield* PaymentRepository
    const unitOfWork = yield* InvoiceUnitOfWork

    const append = Effect.fnUntraced(function* (
      acting: ActingBusiness,
      invoice: Invoice,
      entry: LedgerEntry
    ) {
      const { business_id, currency, invoice_id } = invoice
      const stored = yield* payments.append(
        { currency, ...entry, business_id, invoice_id },
        yield* DateTime.now
      )
      if (isMoneyReceived(stored))
        yield* unitOfWork.emit(acting, "payment.succeeded", {
          invoice_id,
          amount: toMajor({ minor: stored.amount_minor, currency: stored.currency }),
          ...(stored.kind === "excess" ? { kind: stored.kind, currency: stored.currency } : {})
        })
      return stored
    })

    const commit = Effect.fnUntraced(function* (acting: ActingBusiness, invoice: Invoice) {
      const { business_id, currency, invoice_id } = invoice
      const entries = yield* payments.ofInvoice(business_id, invoice_id)
      yield* unitOfWork.commit(acting, invoice, {
        ...sealedAt(invoice, yield* DateTime.now),
        paid_minor: netOfLedger(entries),
        excess_minor: excessOfLedger(entries, currency)
      })
    })

    return {
      /**
       * Adds entries for a locked invoice, inside the caller's transaction, and returns them. The invoice's amount paid, its
       * status and its amount to refund are computed again from all entries; the first entry seals it. A payment and an excess
       * send `payment.succeeded`, an excess with its kind and its currency, which may differ from the invoice's. `invoice.paid`
       * follows if the invoice becomes paid. The caller's invoice is out of date afterwards: lock it again before another call.
       */
      enter: traced("Ledger.enter")(function* (
        acting: ActingBusiness,
        invoice: Invoice,
        parts: ReadonlyArray<LedgerEntry>
      ) {
        const entered: Array<Payment> = []
        for (const part of parts) entered.push(yield* append(acting, invoice, part))
        if (entered.length > 0) yield* commit(acting, invoice)
        return entered
      }),

      /** Adds one payment in the same way, of which `excessMinor` do not count towards the invoice. */
      receive: traced("Ledger.receive")(function* (
        acting: ActingBusiness,
        invoice: Invoice,
        entry: Omit<LedgerEntry, "kind" | "refund_of">,
        excessMinor: number
      ) {
        const payment = yield* append(acting, invoice, { ...entry, kind: "payment", refund_of: null })
        if (excessMinor > 0)
          yield* append(acting, invoice, {
            ...entry,
            kind: "credit",
            amount_minor: excessMinor,
            reference: null,
            refund_of: payment.payment_id
          })
        yield* commit(acting, invoice)
        return payment
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Ledger, Ledger.make).pipe(Layer.provideMerge(InvoiceUnitOfWork.layer))
}
