/** The only path that adds entries to the ledger: the invoice's sums and status follow in the same transaction. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { toMajor } from "../../kernel/money/Money.ts"
import { type Invoice, sealedAt } from "../invoice/Invoice.ts"
import { invoiceEntry, type InvoiceChange } from "../invoice/InvoiceTimeline.ts"
import { InvoiceUnitOfWork } from "../invoice/InvoiceUnitOfWork.ts"
import { excessOfLedger, isMoneyReceived, netOfLedger } from "./LedgerBalance.ts"
import type { NewPayment, Payment, PaymentKind } from "./Payment.ts"
import { PaymentRepository } from "./PaymentRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** An entry of a given invoice, in the currency of the invoice unless it names another one. */
export type LedgerEntry = Omit<NewPayment, "business_id" | "invoice_id" | "currency"> &
  Partial<Pick<NewPayment, "currency">>

/** The change of the invoice that an entry is; a credit is a part of a credit note or of a payment. */
const changeOf: Readonly<Record<PaymentKind, InvoiceChange | null>> = {
  payment: "paid",
  refund: "refunded",
  reversal: "refund_failed",
  credit: null,
  excess: "paid",
  excess_refund: "refunded",
  excess_reversal: "refund_failed",
  correction: "payment_reversed",
  excess_correction: "payment_reversed",
  credit_used: "credit_used",
  credit_returned: "credit_returned",
  from_credit: "credit_applied"
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
      const change = changeOf[stored.kind]
      if (change !== null) yield* unitOfWork.record(acting, invoice_id, [invoiceEntry(change, shown(stored))])
      return stored
    })

    const commit = Effect.fnUntraced(function* (acting: ActingBusiness, invoice: Invoice) {
      const { business_id, currency, invoice_id } = invoice
      const entries = yield* payments.ofInvoice(business_id, invoice_id)
      return yield* unitOfWork.commit(acting, invoice, {
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
      }),

      /**
       * Uses parts of payments that a credit note took from the invoice `from` for the invoice `to`, which replaces it, and
       * returns both. It seals `to`, also without a part.
       */
      move: traced("Ledger.move")(function* (
        acting: ActingBusiness,
        from: Invoice,
        to: Invoice,
        parts: ReadonlyArray<PaymentPart>
      ) {
        const received_at = yield* DateTime.now
        for (const { amount_minor, payment } of parts) {
          const { currency, method, payment_id } = payment
          const entry = { amount_minor, currency, method, received_at, provider_id: null }
          const used = yield* append(acting, from, {
            ...entry,
            kind: "credit_used",
            reference: to.number,
            refund_of: payment_id
          })
          yield* append(acting, to, {
            ...entry,
            kind: "from_credit",
            reference: from.number,
            refund_of: used.payment_id
          })
        }
        return { from: yield* commit(acting, from), to: yield* commit(acting, to) }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Ledger, Ledger.make).pipe(Layer.provideMerge(InvoiceUnitOfWork.layer))
}
