/** The port that stores the snapshots of sealed invoices. */
import { Context, type Effect, type Option } from "effect"
import type { BusinessId, InvoiceId } from "../../kernel/Ids.ts"
import type { InvoiceSnapshot, KeptPdf, SealedInvoice } from "./InvoiceSnapshot.ts"

/**
 * No method changes or removes a snapshot. Only the erasure of a person does (`PersonalData`): it removes emails and phone
 * numbers.
 *
 * - `insert`: stores the snapshot of a locked invoice, which has none yet.
 * - `find`: the snapshot of an invoice, and its PDF; `None` if the invoice is not sealed.
 * - `keepPdf`: stores the PDF of a sealed invoice in place of the one whose file is `earlier`; null if it has none. Returns
 *   false, and changes nothing, if the invoice has another PDF already.
 */
export class InvoiceSnapshotRepository extends Context.Service<
  InvoiceSnapshotRepository,
  {
    readonly insert: (
      businessId: BusinessId,
      invoiceId: InvoiceId,
      snapshot: InvoiceSnapshot
    ) => Effect.Effect<void>
    readonly find: (
      businessId: BusinessId,
      invoiceId: InvoiceId
    ) => Effect.Effect<Option.Option<SealedInvoice>>
    readonly keepPdf: (
      businessId: BusinessId,
      invoiceId: InvoiceId,
      pdf: KeptPdf,
      earlier: string | null
    ) => Effect.Effect<boolean>
  }
>()("@livery/domain/InvoiceSnapshotRepository") {}
