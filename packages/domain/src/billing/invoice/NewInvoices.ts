/** What every new invoice has, and whether the plan allows it. */
import { type DateTime, Effect } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import type { Plan } from "../../business/Plan.ts"
import { allowInvoice } from "../../business/PlanAllowance.ts"
import { monthOf } from "../../kernel/time/Month.ts"
import type { NewInvoice } from "./Invoice.ts"
import { sumsOf } from "./InvoiceSums.ts"
import { InvoiceRepository } from "./InvoiceRepository.ts"

/** A new invoice with the sums of its lines: neither sent nor paid. */
export const unpaidInvoice = (
  fields: Pick<
    NewInvoice,
    | "business_id"
    | "customer_id"
    | "currency"
    | "lines"
    | "issued_on"
    | "due_date"
    | "service_from"
    | "service_to"
    | "buyer_reference"
    | "notes"
    | "payment_hash"
    | "untaxed_as"
    | "untaxed_reason"
  > &
    Partial<Pick<NewInvoice, "status" | "corrects_invoice_id" | "fee_of_invoice_id">>
): NewInvoice => ({
  status: "unpaid",
  corrects_invoice_id: null,
  fee_of_invoice_id: null,
  ...fields,
  ...sumsOf(fields.lines, fields.currency),
  paid_minor: 0,
  credited_minor: 0,
  excess_minor: 0,
  corrected_by_invoice_id: null,
  reminder_level: 0,
  last_reminder_at: null,
  reminder_fees_minor: 0,
  sent_at: null,
  email_status: null,
  email_failed_at: null,
  viewed_at: null,
  sealed_at: null,
  voided_at: null
})

/** Builds the function that fails with `PlanLimitExceeded` if the plan allows no further invoice in this month. */
export const makeRequireWithinPlan = Effect.gen(function* () {
  const invoices = yield* InvoiceRepository

  return Effect.fnUntraced(function* (acting: ActingBusiness, plan: Plan, now: DateTime.Utc) {
    if (plan.invoices === null) return
    const { before, from } = monthOf(now, acting.timezone)
    const raised = yield* invoices.raised(acting.business_id, from, before, plan.invoices)
    yield* Effect.fromResult(allowInvoice(plan, raised))
  })
})
