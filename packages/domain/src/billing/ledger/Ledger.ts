/** The only path that adds an entry to the ledger: the invoice's sums and status follow in the same transaction. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { toMajor } from "../../kernel/money/Money.ts"
import { type Invoice, sealedAt } from "../invoice/Invoice.ts"
import { invoiceEntry, type InvoiceChange } from "../invoice/InvoiceTimeline.ts"
import { InvoiceUnitOfWork } from "../invoice/InvoiceUnitOfWork.ts"
import { excessOfLedger, isReceipt, netOfLedger } from "./LedgerBalance.ts"
import type { NewPayment, Payment, PaymentKind } from "./Payment.ts"
import { PaymentRepository } from "./PaymentRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** An entry of a given invoice, in the currency of the invoice unless it names another one. */
export type LedgerEntry = Omit<NewPayment, "business_id" | "invoice_id" | "currency"> &
  Partial<Pick<NewPayment, "currency">>

/** The change of the invoice that an entry is; a credit is a part of the credit note. */
const changeOf: Readonly<Record<PaymentKind, InvoiceChange | null>> = {
  payment: "paid",
  refund: "refunded",
  reversal: "refund_failed",
  credit: null,
  excess: "paid",
  excess_refund: "refunded",
  excess_reversal: "refund_failed"
}

/** What the timeline of an invoice shows of an entry. */
const shown = ({ amount_minor, currency, kind, method, payment_id }: Payment) => ({
  payment_id,
  kind,
  amount: toMajor({ minor: amount_minor, currency }),
  currency,
  method
})

/** A part of a payment, in minor units. */
export interface PaymentPart {
  readonly payment: Payment
  readonly amount_minor: number
}

export class Ledger extends Context.Service<Ledger>()("@livery/domain/Ledger", {
  make: Effect.gen(function* () {
    const payments = yield* PaymentRepository
    const unitOfWork = yield* InvoiceUnitOfWork

    /** Computes the sums of a locked invoice again from its ledger, and seals it. */
    const follow = Effect.fnUntraced(function* (acting: ActingBusiness, invoice: Invoice) {
      const entries = yield* payments.ofInvoice(invoice.business_id, invoice.invoice_id)
      return yield* unitOfWork.commit(acting, invoice, {
        ...sealedAt(invoice, yield* DateTime.now),
        paid_minor: netOfLedger(entries),
        excess_minor: excessOfLedger(entries, invoice.currency)
      })
    })

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
        const change = changeOf[stored.kind]
        if (change !== null)
          yield* unitOfWork.record(acting, invoice_id, [invoiceEntry(change, shown(stored))])
        yield* follow(acting, invoice)
        return stored
      }),

      /**
       * Moves parts of payments that a credit note took from the invoice `from` to the invoice `to`, which replaces it, and
       * returns both. On `from`, each part is an `excess_refund` with the number of `to`; on `to`, a payment of the same time,
       * method and reference. Nothing was received or returned, so neither sends `payment.succeeded`. It seals `to`.
       */
      move: traced("Ledger.move")(function* (
        acting: ActingBusiness,
        from: Invoice,
        to: Invoice,
        parts: ReadonlyArray<PaymentPart>
      ) {
        const { business_id, invoice_id } = from
        const now = yield* DateTime.now
        for (const { amount_minor, payment } of parts) {
          const { currency, method, received_at, reference } = payment
          const common = { business_id, currency, amount_minor, method, provider_id: null }
          const out = yield* payments.append(
            {
              ...common,
              invoice_id,
              kind: "excess_refund",
              received_at: now,
              reference: to.number,
              refund_of: payment.payment_id
            },
            now
          )
          const into = yield* payments.append(
            {
              ...common,
              invoice_id: to.invoice_id,
              kind: "payment",
              received_at,
              reference,
              refund_of: null
            },
            now
          )
          yield* unitOfWork.record(acting, invoice_id, [invoiceEntry("moved", shown(out))])
          yield* unitOfWork.record(acting, to.invoice_id, [invoiceEntry("moved", shown(into))])
        }
        return { from: yield* follow(acting, from), to: yield* follow(acting, to) }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Ledger, Ledger.make).pipe(Layer.provideMerge(InvoiceUnitOfWork.layer))
}
