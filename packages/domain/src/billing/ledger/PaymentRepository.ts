/** The port that stores the ledger of payments. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, InvoiceId, PaymentId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import type { NewPayment, Payment } from "./Payment.ts"

/**
 * No method changes or removes an entry.
 *
 * - `append`: adds an entry at `now` for a locked invoice.
 * - `find`: the business's entry with that id.
 * - `ofInvoice`: every entry of an invoice, the oldest first. `list`: a page of them.
 */
export class PaymentRepository extends Context.Service<
  PaymentRepository,
  {
    readonly append: (entry: NewPayment, now: DateTime.Utc) => Effect.Effect<Payment>
    readonly find: (businessId: BusinessId, paymentId: PaymentId) => Effect.Effect<Option.Option<Payment>>
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
