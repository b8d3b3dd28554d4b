/** The port that stores invoices. */
import { Context, type Effect } from "effect"
import type { BusinessId, CustomerId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { Invoice } from "./Invoice.ts"

/** - `ofCustomer`: a page of a customer's invoices, the newest first. */
export class InvoiceRepository extends Context.Service<
  InvoiceRepository,
  {
    readonly ofCustomer: (
      businessId: BusinessId,
      customerId: CustomerId,
      page: PageRequest
    ) => Effect.Effect<Page<Invoice>>
  }
>()("@livery/domain/InvoiceRepository") {}
