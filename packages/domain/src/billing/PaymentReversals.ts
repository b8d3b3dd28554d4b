/** Undoing entries of the ledger that were typing errors (docs/api/payments.md). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { Conflict, orNotFound } from "../kernel/Errors.ts"
import type { InvoiceId, PaymentId } from "../kernel/Ids.ts"
import { toMajor } from "../kernel/money/Money.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import type { Invoice } from "./invoice/Invoice.ts"
import { InvoiceUnitOfWork } from "./invoice/InvoiceUnitOfWork.ts"
import { Ledger } from "./ledger/Ledger.ts"
import { isReceipt, refundableOf, unreversedOf } from "./ledger/LedgerBalance.ts"
import { type Payment, type ReversalInput, reversalRecord } from "./ledger/Payment.ts"
import { PaymentRepository } from "./ledger/PaymentRepository.ts"
import { correctionOf, refundReversalOf } from "./ledger/Reversal.ts"

type Entries = ReadonlyArray<Payment>

/** Whether an entry returns money to the customer. */
const isRefund = ({ kind }: Payment) => kind === "refund" || kind === "excess_refund"

/** Fails unless the whole of an entry that was entered by hand is left to be reversed. */
const requireReversible = (entry: Payment, entries: Entries): Effect.Effect<void, Conflict> => {
  const refusal = (reason: string) => Effect.fail(new Conflict({ reason }))
  if (!isReceipt(entry) && !isRefund(entry))
    return refusal("Only a payment or a refund can be reversed: this entry follows from another one")
  if (entry.provider_id !== null)
    return refusal("A card payment and its refunds are not typing errors: refund the payment instead")
  const left = isReceipt(entry) ? refundableOf(entry, entries) : unreversedOf(entry, entries)
  if (left === entry.amount_minor) return Effect.void
  return entries.some(
    ({ kind, refund_of }) =>
      refund_of === entry.payment_id &&
      (kind === "refund" || kind === "excess_refund" || kind === "credit_used")
  )
    ? refusal("A part of the payment was refunded or used as credit: reverse that first")
    : refusal("The entry was reversed before")
}

export class PaymentReversals extends Context.Service<PaymentReversals>()("@livery/domain/PaymentReversals", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const payments = yield* PaymentRepository
    const ledger = yield* Ledger
    const unitOfWork = yield* InvoiceUnitOfWork

    /** The invoice on which the amount of an entry from credit was used before. */
    const sourceOf = Effect.fnUntraced(function* ({ business_id, kind, refund_of }: Payment) {
      if (kind !== "from_credit" || refund_of === null) return undefined
      return Option.getOrUndefined(yield* payments.find(business_id, refund_of))
    })

    /** Gives the used credit back to the invoice that it came from. */
    const returnCredit = Effect.fnUntraced(function* (
      acting: ActingBusiness,
      { invoice_id, payment_id, currency, method }: Payment,
      amount_minor: number,
      reference: string
    ) {
      const source = yield* unitOfWork.lock(acting, invoice_id)
      const received_at = yield* DateTime.now
      yield* ledger.enter(acting, source, [
        {
          kind: "credit_returned",
          amount_minor,
          currency,
          method,
          received_at,
          reference,
          refund_of: payment_id,
          provider_id: null
        }
      ])
    })

    /** Undoes an entry of a locked invoice, and returns the new entries of that invoice. */
    const reverseEntry = Effect.fnUntraced(function* (
      acting: ActingBusiness,
      invoice: Invoice,
      entry: Payment,
      reason: string
    ) {
      const entries = yield* payments.ofInvoice(acting.business_id, invoice.invoice_id)
      yield* requireReversible(entry, entries)
      const now = yield* DateTime.now
      const parts = isReceipt(entry)
        ? correctionOf(entry, entries, now, reason)
        : refundReversalOf([entry], entries, invoice, now, reason)
      const [first, ...others] = yield* ledger.enter(acting, invoice, parts)
      if (first === undefined) return yield* new Conflict({ reason: "The entry was reversed before" })
      const source = yield* sourceOf(entry)
      if (source !== undefined) yield* returnCredit(acting, source, entry.amount_minor, reason)
      const { amount_minor, currency, invoice_id, kind, payment_id } = entry
      const amount = toMajor({ minor: amount_minor, currency })
      yield* unitOfWork.emit(acting, "payment.reversed", {
        invoice_id,
        payment_id,
        kind,
        amount,
        currency,
        reason
      })
      return [first, ...others] as const
    })

    return {
      /**
       * Undoes a payment or a refund that was entered by mistake, and sends `payment.reversed`. The state of the invoice
       * follows. An amount that came from credit is credit again. `NotFound` if the invoice or the entry is absent or another
       * business's; `Conflict` for a card payment, and unless the whole of the entry is left.
       */
      reverse: traced("PaymentReversals.reverse")(function* (
        acting: ActingBusiness,
        invoiceId: InvoiceId,
        paymentId: PaymentId,
        { reason }: ReversalInput
      ) {
        return yield* atomically(transaction, function* () {
          const entry = yield* orNotFound("payment")(yield* payments.find(acting.business_id, paymentId))
          if (entry.invoice_id !== invoiceId) yield* orNotFound("payment")(Option.none())
          const source = yield* sourceOf(entry)
          const locked = yield* unitOfWork.lockAll(acting, [
            invoiceId,
            ...(source ? [source.invoice_id] : [])
          ])
          const invoice = yield* orNotFound("invoice")(Option.fromUndefinedOr(locked.get(invoiceId)))
          return reversalRecord([...(yield* reverseEntry(acting, invoice, entry, reason))])
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(PaymentReversals, PaymentReversals.make).pipe(
    Layer.provide(Ledger.layer)
  )
}
