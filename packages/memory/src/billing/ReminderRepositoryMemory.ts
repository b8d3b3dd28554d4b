import {
  ActingBusiness,
  type DueInvoice,
  isOpenInvoice,
  noDunning,
  ReminderRepository,
  taxedCustomer,
  unspecifiedBusinessTaxes,
  unspecifiedUntaxed
} from "@livery/domain"
import { DateTime, Effect } from "effect"
import { only, rowOf } from "../store/Fields.ts"
import { ascending } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(ReminderRepository, ({ businesses, customers, invoices, step }) => {
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
            ({ business_id, dunning, email_credits, status }) =>
              business_id > (after ?? 0) &&
              status === "A" &&
              email_credits > 0 &&
              dunning.automatic === true &&
              dunning.levels.length > 0
          )
          .toSorted(ascending(({ business_id }) => [business_id]))
          .slice(0, limit)
          .map((row) => ({
            ...only(ActingBusiness, row),
            business_email: row.business_email,
            dunning: row.dunning
          }))
      ),
    settingsOf: (businessId) =>
      step(() => {
        const { business_email = "", dunning = noDunning } = businesses.get(businessId) ?? {}
        return { business_email, dunning }
      }),
    due: (businessId, { dueBy, reached, remindedBefore }, after, limit) =>
      step(() => {
        const orderOf = ({ due_date, invoice_id }: DueInvoice) => [due_date, invoice_id] as const
        const comparing = ascending(orderOf)
        return invoices
          .where(
            (invoice) =>
              invoice.business_id === businessId &&
              isOpenInvoice(invoice.status) &&
              invoice.deleted_at === undefined &&
              invoice.sent_at !== null &&
              invoice.total_minor - invoice.credited_minor > invoice.paid_minor &&
              invoice.reminder_level === reached &&
              invoice.fee_of_invoice_id === null &&
              (invoice.last_reminder_at === null ||
                DateTime.isLessThan(invoice.last_reminder_at, remindedBefore)) &&
              (invoice.customer_id === null ||
                rowOf(customers, businessId, invoice.customer_id)?.email !== null)
          )
          .flatMap(({ due_date, invoice_id }) =>
            due_date === null || due_date > dueBy ? [] : [{ due_date, invoice_id }]
          )
          .filter((invoice) => after === null || comparing(invoice, after) > 0)
          .toSorted(comparing)
          .slice(0, limit)
      }),
    openFees: (businessId, invoiceId) =>
      step(() =>
        invoices
          .where(
            ({ business_id, fee_of_invoice_id, status }) =>
              business_id === businessId && fee_of_invoice_id === invoiceId && isOpenInvoice(status)
          )
          .reduce(
            (sum, { credited_minor, paid_minor, total_minor }) =>
              sum + total_minor - credited_minor - paid_minor,
            0
          )
      ),
    add: () => Effect.void
  }
})
