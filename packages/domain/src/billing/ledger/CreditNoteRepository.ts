/** The port that stores credit notes. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, CreditNoteId, InvoiceId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import type { CreditNote, NewCreditNote } from "./CreditNote.ts"

/**
 * No method changes or removes a credit note.
 *
 * - `insert`: stores a credit note of a locked invoice that is issued at `now`, which is the day `issuedOn` on the business's clock, under the
 *   business's next number. Numbers have no gaps: the number of a transaction that is rolled back goes to the next one.
 * - `ofInvoice`: every credit note of an invoice, the oldest first. `list`: a page of them.
 * - `find`: the credit note of the invoice with that id; `None` if it is absent or another business's.
 */
export class CreditNoteRepository extends Context.Service<
  CreditNoteRepository,
  {
    readonly insert: (note: NewCreditNote, now: DateTime.Utc, issuedOn: string) => Effect.Effect<CreditNote>
    readonly ofInvoice: (
      businessId: BusinessId,
      invoiceId: InvoiceId
    ) => Effect.Effect<ReadonlyArray<CreditNote>>
    readonly list: (
      businessId: BusinessId,
      invoiceId: InvoiceId,
      page: PageRequest
    ) => Effect.Effect<Page<CreditNote>>
    readonly find: (
      businessId: BusinessId,
      invoiceId: InvoiceId,
      creditNoteId: CreditNoteId
    ) => Effect.Effect<Option.Option<CreditNote>>
  }
>()("@livery/domain/CreditNoteRepository") {}
