/** The port that reads the payment terms of businesses, finds invoices to remind of, and stores which reminders were sent. */
import { Context, type DateTime, type Effect } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import type { BusinessId, CustomerId, InvoiceId } from "../../kernel/Ids.ts"
import type { BusinessTaxes, LineTerms, SentTaxes } from "../invoice/LineTaxes.ts"
import type { Untaxed, UntaxedCustomer } from "../invoice/Untaxed.ts"

/** A business that sends reminders. `reminder_days` are days after the due date. */
export interface RemindingBusiness extends ActingBusiness {
  readonly business_email: string
  readonly reminder_days: ReadonlyArray<number>
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

/** A reminder of an invoice for its due date. `days` is its step: so many days after the due date. */
export interface Reminder {
  readonly business_id: BusinessId
  readonly invoice_id: InvoiceId
  readonly due_date: string
  readonly days: number
}

/**
 * - `termsOf`: the terms of a business's new invoices for a customer, or without one: after how many days they are due, null if they get no due date by
 *   default; how new lines are taxed; and why lines at a rate of zero carry no tax.
 * - `termsDaysOf`: after how many days an invoice of the customer is due: the terms of the customer, and otherwise of the business.
 * - `businesses`: active businesses that send reminders and have an email credit, in order of id, after the given one.
 * - `due`: invoices of a business that were sent, are not paid in full, are due on `dueBy` or earlier, and have no
 *   reminder of this step or a later one for their due date; those due the longest come first.
 * - `add`: stores a reminder. Returns false if this step or a later one is stored already. Lock the invoice first.
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
    readonly due: (
      businessId: BusinessId,
      dueBy: string,
      days: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<InvoiceId>>
    readonly add: (reminder: Reminder, now: DateTime.Utc) => Effect.Effect<boolean>
  }
>()("@livery/domain/ReminderRepository") {}
