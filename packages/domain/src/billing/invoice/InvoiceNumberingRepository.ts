/** The port that stores how businesses number their invoices and credit notes. The repositories of both draw the numbers. */
import { Context, type Effect } from "effect"
import type { BusinessId } from "../../kernel/Ids.ts"
import type { InvoiceNumbering, NumberedDocument } from "./InvoiceNumbering.ts"

/**
 * - `read`: the numbering of a kind of document of a business; without one that the business set, the usual one after the numbers
 *   that it drew.
 * - `lock`: the same, and no number is drawn until the open transaction ends.
 * - `save`: replaces a locked numbering.
 */
export class InvoiceNumberingRepository extends Context.Service<
  InvoiceNumberingRepository,
  {
    readonly read: (businessId: BusinessId, document: NumberedDocument) => Effect.Effect<InvoiceNumbering>
    readonly lock: (businessId: BusinessId, document: NumberedDocument) => Effect.Effect<InvoiceNumbering>
    readonly save: (
      businessId: BusinessId,
      document: NumberedDocument,
      numbering: InvoiceNumbering
    ) => Effect.Effect<void>
  }
>()("@livery/domain/InvoiceNumberingRepository") {}
