/** The two ways in which an invoice ends, both as void: it is voided, or deleted. */
import { DateTime, Effect, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { ConfirmationRequired, Conflict } from "../kernel/Errors.ts"
import type { InvoiceId } from "../kernel/Ids.ts"
import { toMajor } from "../kernel/money/Money.ts"
import { IllegalTransition } from "../kernel/StateMachine.ts"
import { type Invoice, isDraft } from "./invoice/Invoice.ts"
import { InvoiceRepository } from "./invoice/InvoiceRepository.ts"
import { requireUncredited } from "./invoice/InvoiceRules.ts"
import { invoiceEntry } from "./invoice/InvoiceTimeline.ts"
import { invoiceMachine } from "./invoice/InvoiceStatus.ts"
import { InvoiceUnitOfWork } from "./invoice/InvoiceUnitOfWork.ts"
import { PaymentRepository } from "./ledger/PaymentRepository.ts"

/**
 * `lock` locks an invoice that is to end, and before it the invoice whose reminder it is the fee of, in the order of ids. The
 * others end a locked invoice inside the caller's transaction, and detach its trips.
 *
 * - `void`: voids the invoice and returns it. `IllegalTransition` for one that is not unpaid, `Conflict` for one
 *   with credit notes.
 * - `remove`: voids the invoice, unless it is void; a draft is removed. `Conflict` if it ever had a payment or a credit note;
 *   `ConfirmationRequired` if it is sealed, unless `force` is true.
 */
export const makeInvoiceEndings = Effect.gen(function* () {
  const unitOfWork = yield* InvoiceUnitOfWork
  const payments = yield* PaymentRepository
  const invoices = yield* InvoiceRepository

  const lock = Effect.fnUntraced(function* (acting: ActingBusiness, invoiceId: InvoiceId) {
    const found = yield* invoices.find(acting.business_id, invoiceId)
    const reminded = Option.isSome(found) ? found.value.fee_of_invoice_id : null
    if (reminded !== null) yield* unitOfWork.lock(acting, reminded)
    return yield* unitOfWork.lock(acting, invoiceId)
  })

  /** Takes the fee off the invoice whose reminder charged it. */
  const voidFee = Effect.fnUntraced(function* (acting: ActingBusiness, fee: Invoice) {
    if (fee.fee_of_invoice_id === null || fee.voided_at !== null) return
    const { currency, invoice_id, total_minor } = fee
    const reminded = yield* unitOfWork.lock(acting, fee.fee_of_invoice_id)
    yield* unitOfWork.commit(acting, reminded, {
      ...reminded,
      reminder_fees_minor: reminded.reminder_fees_minor - total_minor
    })
    yield* unitOfWork.record(acting, reminded.invoice_id, [
      invoiceEntry("fee_voided", {
        fee_invoice_id: invoice_id,
        fee: toMajor({ minor: total_minor, currency })
      })
    ])
  })

  const endInvoice = Effect.fnUntraced(function* (acting: ActingBusiness, before: Invoice) {
    const voided_at = before.voided_at ?? (yield* DateTime.now)
    const after = yield* unitOfWork.commit(acting, before, { ...before, trip_ids: [], voided_at })
    yield* unitOfWork.detachTrips(acting, before.invoice_id, before.trip_ids)
    yield* voidFee(acting, before)
    return after
  })

  const void_ = Effect.fnUntraced(function* (acting: ActingBusiness, before: Invoice) {
    yield* Effect.mapError(invoiceMachine.move(before.status, "void", "operator"), (refusal) =>
      refusal.final
        ? refusal
        : new IllegalTransition({
            machine: refusal.machine,
            from: refusal.from,
            to: refusal.to,
            legal: refusal.legal,
            final: false,
            advice: isDraft(before)
              ? "Delete it, or issue it first"
              : "Refund its payments first, or issue a credit note"
          })
    )
    yield* requireUncredited(before)
    return yield* endInvoice(acting, before)
  })

  const remove = Effect.fnUntraced(function* (acting: ActingBusiness, before: Invoice, force: boolean) {
    if (isDraft(before)) {
      yield* unitOfWork.discard(acting, before)
      return before
    }
    yield* requireUncredited(before)
    const { business_id, invoice_id, number, sealed_at, status } = before
    if ((yield* payments.ofInvoice(business_id, invoice_id)).length > 0)
      return yield* new Conflict({
        reason: `Invoice ${number} has payments in its ledger, and is kept; issue a credit note, or refund them and void it`
      })
    if (status === "void") return before
    if (sealed_at !== null && !force)
      return yield* new ConfirmationRequired({
        reason: "The invoice was issued",
        atStake: [{ type: "invoice", invoice_id, number }]
      })
    return yield* endInvoice(acting, before)
  })

  return { lock, void: void_, remove }
})
