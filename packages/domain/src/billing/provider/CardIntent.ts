/** The provider's payment intents of invoices. */
import type { BusinessId, InvoiceId } from "../../kernel/Ids.ts"

/** An intent that was created for an invoice. `amount_minor` was the amount due then. */
export interface CardIntent {
  readonly business_id: BusinessId
  readonly invoice_id: InvoiceId
  /** The provider's identifier. */
  readonly intent_id: string
  readonly amount_minor: number
}
