import {
  ActingBusiness,
  isOpenInvoice,
  ReminderRepository,
  type Reminder,
  taxedCustomer,
  unspecifiedBusinessTaxes,
  unspecifiedUntaxed
} from "@livery/domain"
import { only, rowOf } from "../store/Fields.ts"
import { ascending } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(
  ReminderRepository,
  ({ businesses, customers, invoiceReminders, invoices, step }) => {
    /** Whether this step or a later one is stored. */
    const isStored = ({ business_id, days, due_date, invoice_id }: Reminder) =>
      invoiceReminders.find(
        (row) =>
          row.business_id === business_id &&
          row.invoice_id === invoice_id &&
          row.due_date === due_date &&
          row.days >= days
      ) !== undefined

    return {
      termsOf: (businessId, customerId) =>
        step(() => {
          const { default_taxes, payment_terms_days, prices_include_tax, untaxed_as, untaxed_reason } =
            businesses.get(businessId) ?? {
              payment_terms_days: null,
              ...unspecifiedUntaxed,
              ...unspecifiedBusinessTaxes
            }
          const customer = customerId === null ? undefined : rowOf(customers, businessId, customerId)
          return {
            payment_terms_days,
            untaxed_as,
            untaxed_reason,
            default_taxes,
            prices_include_tax,
            customer:
              customer === undefined
                ? taxedCustomer
                : { untaxed_as: customer.untaxed_as, untaxed_reason: customer.untaxed_reason }
          }
        }),
      termsDaysOf: (businessId, customerId) =>
        step(() => {
          const customer = customerId === null ? undefined : customers.get(customerId)
          const own = customer?.business_id === businessId ? customer.payment_terms_days : null
          return own ?? businesses.get(businessId)?.payment_terms_days ?? null
        }),
      businesses: (after, limit) =>
        step(() =>
          businesses
            .where(
              ({ business_id, email_credits, reminder_days, status }) =>
                business_id > (after ?? 0) && status === "A" && email_credits > 0 && reminder_days.length > 0
            )
            .toSorted(ascending(({ business_id }) => [business_id]))
            .slice(0, limit)
            .map((row) => ({
              ...only(ActingBusiness, row),
              business_email: row.business_email,
              reminder_days: row.reminder_days
            }))
        ),
      due: (businessId, dueBy, days, limit) =>
        step(() =>
          invoices
            .where(
              ({
                business_id,
                credited_minor,
                deleted_at,
                due_date,
                invoice_id,
                paid_minor,
                sent_at,
                status,
                total_minor
              }) =>
                business_id === businessId &&
                isOpenInvoice(status) &&
                deleted_at === undefined &&
                sent_at !== null &&
                due_date !== null &&
                due_date <= dueBy &&
                total_minor - credited_minor > paid_minor &&
                !isStored({ business_id, invoice_id, due_date, days })
            )
            .toSorted(ascending(({ due_date, invoice_id }) => [due_date ?? "", invoice_id]))
            .slice(0, limit)
            .map(({ invoice_id }) => invoice_id)
        ),
      add: (reminder) =>
        step(() => {
          if (isStored(reminder)) return false
          invoiceReminders.set(invoiceReminders.next(), reminder)
          return true
        })
    }
  }
)
