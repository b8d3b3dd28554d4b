/** The port that stores the timelines of invoices. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, InvoiceId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import type { InvoiceTimelineEntry, NewInvoiceTimelineEntry } from "./InvoiceTimeline.ts"

/**
 * - `append`: adds entries to the timeline of a locked invoice, in the transaction of the change. The `CurrentActor` is their
 *   author.
 * - `list`: a page of an invoice's entries, the oldest first; `None` if the business has no such invoice.
 */
export class InvoiceTimelineRepository extends Context.Service<
  InvoiceTimelineRepository,
  {
    readonly append: (
      businessId: BusinessId,
      invoiceId: InvoiceId,
      entries: ReadonlyArray<NewInvoiceTimelineEntry>,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    readonly list: (
      businessId: BusinessId,
      invoiceId: InvoiceId,
      page: PageRequest
    ) => Effect.Effect<Option.Option<Page<InvoiceTimelineEntry>>>
  }
>()("@livery/domain/InvoiceTimelineRepository") {}
