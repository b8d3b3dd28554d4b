/** The port that reads the payment terms of businesses, finds invoices to remind of, and stores which reminders were sent. */
import { Context, type DateTime, type Effect } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import type { BusinessId, CustomerId, InvoiceId } from "../../kernel/Ids.ts"
import type { Dunning } from "./Dunning.ts"
import type { BusinessTaxes, LineTerms, SentTaxes } from "../invoice/LineTaxes.ts"
import type { Untaxed, UntaxedCustomer } from "../invoice/Untaxed.ts"

/** What a business sets for its reminders, and the address to which replies go. */
export interface ReminderSettings {
  readonly business_email: string
  readonly dunning: Dunning
}

/** A business that sends reminders. */
export interface RemindingBusiness extends ActingBusiness, ReminderSettings {}

/** The invoices that climb a level: with so many levels reached, due by a day, and not reminded since an instant. */
export interface DueQuery {
  readonly reached: number
  readonly dueBy: string
  readonly remindedBefore: DateTime.Utc
}

/** An invoice that climbs a level, and its place in the order of due dates. */
export interface DueInvoice {
  readonly invoice_id: InvoiceId
  readonly due_date: string
}

/** The terms of a business's new invoices for a customer. */
export interface InvoiceTerms extends Untaxed, BusinessTaxes {
  readonly payment_terms_days: number | null
  readonly customer: UntaxedCustomer
}

/** What decides the taxes of new lines, with the taxes that a request sends for all of them. */
export const lineTermsOf = (terms: InvoiceTerms, sent: SentTaxes): LineTerms => ({
  sent,
  business: terms,
  isUntaxed: terms.customer.untaxed_as !== null
})

/** A reminder of an invoice for its due date. `days` are those of its level: so many days after the due date. */
export interface Reminder {
  readonly business_id: BusinessId
  readonly invoice_id: InvoiceId
  readonly due_date: string
  readonly days: number
}

/**
 * - `termsOf`: the terms of a business's new invoices, with or without a customer: after how many days they are due (null: they get no
 *   due date), how new lines are taxed, and why lines at a rate of zero carry no tax.
 * - `termsDaysOf`: after how many days an invoice of the customer is due: the terms of the customer, and otherwise of the business.
 * - `settingsOf`: what a business sets for its reminders.
 * - `businesses`: active businesses that send reminders by themselves and have an email credit, in order of id, after the given one.
 * - `due`: invoices that match the query, those due the longest first, after the given one. Each was emailed, is not paid in full, and
 *   is no fee. A customer without an address has none; an invoice without a customer may have one from its trips.
 * - `openFees`: what is due on the fees of an invoice's reminders, in minor units.
 * - `add`: stores a reminder of a locked invoice; no change if one with the same due date and days is stored.
 */
export class ReminderRepository extends Context.Service<
  ReminderRepository,
  {
    readonly termsOf: (businessId: BusinessId, customerId: CustomerId | null) => Effect.Effect<InvoiceTerms>
    readonly termsDaysOf: (
      businessId: BusinessId,
      customerId: CustomerId | null
    ) => Effect.Effect<number | null>
    readonly businesses: (
      after: BusinessId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<RemindingBusiness>>
    readonly settingsOf: (businessId: BusinessId) => Effect.Effect<ReminderSettings>
    readonly due: (
      businessId: BusinessId,
      query: DueQuery,
      after: DueInvoice | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<DueInvoice>>
    readonly openFees: (businessId: BusinessId, invoiceId: InvoiceId) => Effect.Effect<number>
    readonly add: (reminder: Reminder, now: DateTime.Utc) => Effect.Effect<void>
  }
>()("@livery/domain/ReminderRepository") {}
