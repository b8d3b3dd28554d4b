/** The port that stores invoices. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, CustomerId, InvoiceId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import type { Invoice, NewInvoice } from "./Invoice.ts"
import type { InvoiceStatus } from "./InvoiceStatus.ts"

/**
 * The invoices of a list: those that match every given field, created at `from` or later and before `before`. `number` is
 * the beginning of a number, in upper case. With `dueBefore`, they are due before that day, and not paid in full.
 */
export interface InvoiceQuery {
  readonly status?: InvoiceStatus | undefined
  readonly customerId?: CustomerId | undefined
  readonly number?: string | undefined
  readonly dueBefore?: string | undefined
  readonly from?: DateTime.Utc | undefined
  readonly before?: DateTime.Utc | undefined
}

/**
 * No method returns a deleted invoice, except where its description says so.
 *
 * - `insert`: stores an invoice that is created at `now`, under the business's next number, which a draft does not get; or under a
 *   number that it has already, which no other invoice of the business may have. Numbers have no gaps: the
 *   number of a transaction that is rolled back goes to the next one.
 * - `drawNumber`: gives a locked draft the business's next number and the time `now` of creation, and returns it.
 * - `remove`: removes a locked draft and its timeline.
 * - `raised`: how many invoices with a number the business raised from `from` to before `before`, deleted ones included; it counts no
 *   further than `most`.
 * - `list`: a page of the invoices that match, the newest first; with `dueBefore`, those due the longest first. `ofCustomer`: those of a customer.
 * - `withExcess`: the ids of the invoices of a customer that have an amount to refund, the oldest first.
 * - `find`: the business's invoice with that id; `None` if it is absent or another business's. `findByHash`: the one with
 *   that `payment_hash`, unless it is a draft.
 * - `lock`: the same as `find`, and locks the invoice until the open transaction ends. Lock customers before invoices, and
 *   trips after them.
 * - `lockEvenDeleted`: the same for an invoice that may be deleted.
 * - `update`: replaces a locked invoice, except for its trips. An invoice with `deleted_at` is deleted.
 */
export class InvoiceRepository extends Context.Service<
  InvoiceRepository,
  {
    readonly insert: (invoice: NewInvoice, now: DateTime.Utc, keptNumber?: string) => Effect.Effect<Invoice>
    readonly drawNumber: (draft: Invoice, now: DateTime.Utc) => Effect.Effect<Invoice>
    readonly remove: (businessId: BusinessId, invoiceId: InvoiceId) => Effect.Effect<void>
    readonly raised: (
      businessId: BusinessId,
      from: DateTime.Utc,
      before: DateTime.Utc,
      most: number
    ) => Effect.Effect<number>
    readonly list: (
      businessId: BusinessId,
      query: InvoiceQuery,
      page: PageRequest
    ) => Effect.Effect<Page<Invoice>>
    readonly ofCustomer: (
      businessId: BusinessId,
      customerId: CustomerId,
      page: PageRequest
    ) => Effect.Effect<Page<Invoice>>
    readonly withExcess: (
      businessId: BusinessId,
      customerId: CustomerId
    ) => Effect.Effect<ReadonlyArray<InvoiceId>>
    readonly find: (businessId: BusinessId, invoiceId: InvoiceId) => Effect.Effect<Option.Option<Invoice>>
    readonly findByHash: (businessId: BusinessId, hash: string) => Effect.Effect<Option.Option<Invoice>>
    readonly lock: (businessId: BusinessId, invoiceId: InvoiceId) => Effect.Effect<Option.Option<Invoice>>
    readonly lockEvenDeleted: (
      businessId: BusinessId,
      invoiceId: InvoiceId
    ) => Effect.Effect<Option.Option<Invoice>>
    readonly update: (invoice: Invoice) => Effect.Effect<void>
  }
>()("@livery/domain/InvoiceRepository") {}
