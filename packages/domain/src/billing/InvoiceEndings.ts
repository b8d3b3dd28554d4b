/** The two ways in which an invoice ends, both as void: it is voided, or deleted. */
import { DateTime, Effect } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { ConfirmationRequired, Conflict } from "../kernel/Errors.ts"
import { IllegalTransition } from "../kernel/StateMachine.ts"
import { type Invoice, isDraft } from "./invoice/Invoice.ts"
import { requireUncredited } from "./invoice/InvoiceRules.ts"
import { invoiceMachine } from "./invoice/InvoiceStatus.ts"
import { InvoiceUnitOfWork } from "./invoice/InvoiceUnitOfWork.ts"
import { PaymentRepository } from "./ledger/PaymentRepository.ts"

/**
 * Both end a locked invoice inside the caller's transaction, and detach its trips.
 *
 * - `void`: voids the invoice and returns it. `IllegalTransition` for one that is not unpaid, `Conflict` for one
 *   with credit notes.
 * - `remove`: voids the invoice, unless it is void; a draft is removed. `Conflict` if it ever had a payment or a credit note;
 *   `ConfirmationRequired` if it is sealed, unless `force` is true.
 */
export const makeInvoiceEndings = Effect.gen(function* () {
  const unitOfWork = yield* InvoiceUnitOfWork
  const payments = yield* PaymentRepository

  const endInvoice = Effect.fnUntraced(function* (acting: ActingBusiness, before: Invoice) {
    const voided_at = before.voided_at ?? (yield* DateTime.now)
    const after = yield* unitOfWork.commit(acting, before, { ...before, trip_ids: [], voided_at })
    yield* unitOfWork.detachTrips(acting, before.invoice_id, before.trip_ids)
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

  return { void: void_, remove }
})
