/** The only path that adds an entry to the ledger: the invoice's sums and status follow in the same transaction. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { toMajor } from "../../kernel/money/Money.ts"
import { type Invoice, sealedAt } from "../invoice/Invoice.ts"
import { InvoiceUnitOfWork } from "../invoice/InvoiceUnitOfWork.ts"
import { excessOfLedger, isReceipt, netOfLedger } from "./LedgerBalance.ts"
import type { NewPayment } from "./Payment.ts"
import { PaymentRepository } from "./PaymentRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** An entry of a given invoice, in the currency of the invoice unless it names another one. */
export type LedgerEntry = Omit<NewPayment, "business_id" | "invoice_id" | "currency"> &
  Partial<Pick<NewPayment, "currency">>

export class Ledger extends Context.Service<Ledger>()("@livery/domain/Ledger", {
  make: Effect.gen(function* () {
    const payments = yield* PaymentRepository
    const unitOfWork = yield* InvoiceUnitOfWork

    return {
      /**
       * Adds an entry for a locked invoice, inside the caller's transaction. The invoice's amount paid, its status and
       * its amount to refund are computed again from all entries; the first entry seals it. A payment and an excess send `payment.succeeded`, an
       * excess with its kind and its currency, which may differ from the invoice's. `invoice.paid` follows if the
       * invoice becomes paid.
       */
      enter: traced("Ledger.enter")(function* (acting: ActingBusiness, invoice: Invoice, entry: LedgerEntry) {
        const { business_id, currency, invoice_id } = invoice
        const now = yield* DateTime.now
        const stored = yield* payments.append({ currency, ...entry, business_id, invoice_id }, now)
        if (isReceipt(stored))
          yield* unitOfWork.emit(acting, "payment.succeeded", {
            invoice_id,
            amount: toMajor({ minor: stored.amount_minor, currency: stored.currency }),
            ...(stored.kind === "excess" ? { kind: stored.kind, currency: stored.currency } : {})
          })
        const entries = yield* payments.ofInvoice(business_id, invoice_id)
        yield* unitOfWork.commit(acting, invoice, {
          ...sealedAt(invoice, now),
          paid_minor: netOfLedger(entries),
          excess_minor: excessOfLedger(entries, currency)
        })
        return stored
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Ledger, Ledger.make).pipe(Layer.provideMerge(InvoiceUnitOfWork.layer))
}
