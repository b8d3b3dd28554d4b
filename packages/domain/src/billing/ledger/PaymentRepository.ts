/** The port that stores the ledger of payments. */
import { Context, type DateTime, type Effect } from "effect"
import type { BusinessId, InvoiceId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import type { NewPayment, Payment } from "./Payment.ts"

/**
 * No method changes or removes an entry.
 *
 * - `append`: adds an entry at `now` for a locked invoice.
 * - `ofInvoice`: every entry of an invoice, the oldest first. `list`: a page of them.
 */
export class PaymentRepository extends Context.Service<
  PaymentRepository,
  {
    readonly append: (entry: NewPayment, now: DateTime.Utc) => Effect.Effect<Payment>
    readonly ofInvoice: (
      businessId: BusinessId,
      invoiceId: InvoiceId
    ) => Effect.Effect<ReadonlyArray<Payment>>
    readonly list: (
      businessId: BusinessId,
      invoiceId: InvoiceId,
      page: PageRequest
    ) => Effect.Effect<Page<Payment>>
  }
>()("@livery/domain/PaymentRepository") {}
