/** The first view of an invoice by the holder of its link. */
import { DateTime, Effect, Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { CurrentActor, customerActor } from "../../kernel/CurrentActor.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { type Invoice, sealedAt } from "./Invoice.ts"
import { InvoiceRepository } from "./InvoiceRepository.ts"
import { InvoiceUnitOfWork } from "./InvoiceUnitOfWork.ts"

/** Sets `viewed_at` of an invoice that was not viewed before, and seals one that is not sealed. Returns the invoice as it was viewed. */
export const makeFirstView = Effect.gen(function* () {
  const transaction = yield* Transaction
  const invoices = yield* InvoiceRepository
  const unitOfWork = yield* InvoiceUnitOfWork

  return (acting: ActingBusiness, invoice: Invoice) =>
    invoice.viewed_at === null || invoice.sealed_at === null
      ? atomically(transaction, function* () {
          const locked = yield* invoices.lock(invoice.business_id, invoice.invoice_id)
          if (Option.isNone(locked)) return invoice
          const viewed_at = yield* DateTime.now
          const wanted = { ...locked.value, viewed_at: locked.value.viewed_at ?? viewed_at }
          return yield* unitOfWork.commit(acting, locked.value, sealedAt(wanted, viewed_at))
        }).pipe(Effect.provideService(CurrentActor, customerActor))
      : Effect.succeed(invoice)
})
