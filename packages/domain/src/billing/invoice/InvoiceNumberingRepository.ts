/** The port that stores how businesses number their invoices. `InvoiceRepository` draws the numbers. */
import { Context, type Effect } from "effect"
import type { BusinessId } from "../../kernel/Ids.ts"
import type { InvoiceNumbering } from "./InvoiceNumbering.ts"

/**
 * - `read`: the numbering of a business; of one that set none, the usual one after the numbers that it drew.
 * - `save`: replaces it. Lock the plan first, as whoever draws a number does.
 */
export class InvoiceNumberingRepository extends Context.Service<
  InvoiceNumberingRepository,
  {
    readonly read: (businessId: BusinessId) => Effect.Effect<InvoiceNumbering>
    readonly save: (businessId: BusinessId, numbering: InvoiceNumbering) => Effect.Effect<void>
  }
>()("@livery/domain/InvoiceNumberingRepository") {}
