/** Invoices for contracts. */
import { type BusinessId, Currency, type NewInvoice } from "@livery/domain"
import { unique } from "./Contract.ts"

/** An unpaid invoice over nothing, in dollars and without a customer, but for the given fields. */
export const invoiceDraft = (
  business_id: BusinessId,
  change: Partial<Omit<NewInvoice, "business_id">> = {}
): NewInvoice => ({
  business_id,
  customer_id: null,
  status: "unpaid",
  currency: Currency.make("USD"),
  lines: [],
  subtotal_minor: 0,
  tax_minor: 0,
  total_minor: 0,
  paid_minor: 0,
  credited_minor: 0,
  excess_minor: 0,
  issued_on: "2026-11-20",
  due_date: null,
  service_from: null,
  service_to: null,
  buyer_reference: null,
  notes: null,
  untaxed_as: "zero_rated",
  untaxed_reason: null,
  payment_hash: unique("hash"),
  corrects_invoice_id: null,
  corrected_by_invoice_id: null,
  fee_of_invoice_id: null,
  reminder_level: 0,
  last_reminder_at: null,
  reminder_fees_minor: 0,
  sent_at: null,
  email_status: null,
  email_failed_at: null,
  viewed_at: null,
  sealed_at: null,
  voided_at: null,
  ...change
})
