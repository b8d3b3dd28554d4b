/** The port that reads what the PDF of an invoice shows beside the invoice itself. */
import { Context, type DateTime, type Effect } from "effect"
import type { BusinessId, CustomerId, TripId } from "../../kernel/Ids.ts"
import type { Invoice } from "./Invoice.ts"
import type { InvoiceBuyer, InvoiceSeller } from "./InvoiceParties.ts"

/** The fields of a trip that its invoice shows. */
export interface InvoicedTrip {
  readonly trip_id: TripId
  readonly trip_date: DateTime.Utc
  readonly pickup_timezone: string | null
  readonly customer_name: string
  readonly customer_email: string | null
  readonly po_number: string | null
  readonly cost_center: string | null
}

/** `buyer` is null for an invoice without a customer. */
export interface InvoiceFacts {
  readonly seller: InvoiceSeller
  readonly buyer: InvoiceBuyer | null
  readonly trips: ReadonlyArray<InvoicedTrip>
}

/**
 * - `of`: the parties and the trips of a stored invoice, the earliest trip first; the customer also if deleted. The trips are
 *   those on the invoice and those that its lines name: a trip that was taken off a void or credited invoice, or deleted, is
 *   still on paper.
 * - `partiesOf`: a business and one of its customers, also if deleted; `buyer` is null if the customer is another business's.
 * - `allowsPartPayments`: whether the holder of an invoice's link may pay a part of it by card.
 */
export class InvoiceFactsRepository extends Context.Service<
  InvoiceFactsRepository,
  {
    readonly of: (invoice: Invoice) => Effect.Effect<InvoiceFacts>
    readonly partiesOf: (
      businessId: BusinessId,
      customerId: CustomerId
    ) => Effect.Effect<Pick<InvoiceFacts, "seller" | "buyer">>
    readonly allowsPartPayments: (businessId: BusinessId) => Effect.Effect<boolean>
  }
>()("@livery/domain/InvoiceFactsRepository") {}
