/** The port that stores the platform's invoices to businesses. */
import { Context, type Effect, type Option } from "effect"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { NewSaasInvoice, SaasInvoice, SaasInvoiceFilter } from "./SaasInvoice.ts"

/**
 * - `list`: a page of the invoices, newest first: those that match each filter that is given.
 * - `find`: the invoice with that id.
 * - `lock`: the invoice with that id, locked until the transaction ends.
 * - `update`: stores the status and the payments of a locked invoice.
 * - `insert`: stores an invoice; `None` if another one has the number. Its business and its coupon must exist.
 */
export class SaasInvoiceRepository extends Context.Service<
  SaasInvoiceRepository,
  {
    readonly list: (filter: SaasInvoiceFilter, page: PageRequest) => Effect.Effect<Page<SaasInvoice>>
    readonly find: (invoiceId: number) => Effect.Effect<Option.Option<SaasInvoice>>
    readonly lock: (invoiceId: number) => Effect.Effect<Option.Option<SaasInvoice>>
    readonly update: (invoice: SaasInvoice) => Effect.Effect<void>
    readonly insert: (invoice: NewSaasInvoice) => Effect.Effect<Option.Option<SaasInvoice>>
  }
>()("@livery/domain/SaasInvoiceRepository") {}
