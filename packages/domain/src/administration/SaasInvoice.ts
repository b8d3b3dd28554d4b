/** The platform's invoices to businesses, for their plans and seats (docs/api/administration.md). */
import { type DateTime, Option, Schema } from "effect"
import { BilledStatus, type InvoiceBalance, invoiceStatusOf } from "../billing/invoice/InvoiceStatus.ts"
import { PaymentMethod } from "../billing/ledger/Payment.ts"
import * as Field from "../kernel/fields/Field.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import { listOf } from "../kernel/fields/List.ts"
import * as Value from "../kernel/fields/Value.ts"
import { BusinessId } from "../kernel/Ids.ts"
import type { Currency } from "../kernel/money/Currency.ts"
import { format, fromMajor, issueOfRefused, maximumMinor, toMajor } from "../kernel/money/Money.ts"

const amount = { input: Value.amount.required, wire: Value.amount.wire }

const lineFields = {
  description: Field.required(Value.text(500)),
  quantity: Field.withDefault(Value.wholeNumber(1, 1_000_000), 1),
  unit_price: amount,
  unit_price_minor: Field.internal(Value.minorAmount),
  amount: Field.computed(Value.amount.wire)
}

const paymentFields = {
  amount,
  amount_minor: Field.internal(Value.minorAmount),
  method: Field.required(Value.oneOf(PaymentMethod)),
  paid_on: Field.required(Value.day),
  reference: Field.optional(Value.text(200))
}

/** The most payments of an invoice. */
const maxPayments = 100

const Line = Field.storedOf(lineFields)
const LineInput = Field.inputOf(lineFields)
const SaasPayment = Field.storedOf(paymentFields)

/** A payment for a recorded invoice. */
export const SaasPaymentInput = Field.inputOf(paymentFields)
export type SaasPaymentInput = typeof SaasPaymentInput.Type

/**
 * The fields of an invoice. `status` follows from the sums: `unpaid`, `partial`, `paid`, or `void`. `coupon_id` is the
 * coupon that `discount_total` comes from.
 */
export const saasInvoiceFields = Field.ofNobody({
  saas_invoice_id: Field.assigned(Value.id(Schema.Int)),
  number: Field.required(Value.text(60)),
  business_id: Field.required(Value.id(BusinessId)),
  business_name: Field.assigned(Value.unboundedText),
  status: Field.assigned(Value.unchanged(BilledStatus)),
  currency: Field.required(Value.currency),
  period_start: Field.optional(Value.day),
  period_end: Field.optional(Value.day),
  coupon_id: Field.optional(Value.id(Schema.Int)),
  subtotal: Field.computed(Value.amount.wire),
  discount_total: { input: Schema.optionalKey(Value.amount.required), wire: Value.amount.wire },
  discount_minor: Field.internal(Value.minorAmount),
  tax_total: { input: Schema.optionalKey(Value.amount.required), wire: Value.amount.wire },
  tax_minor: Field.internal(Value.minorAmount),
  total_amount: Field.computed(Value.amount.wire),
  amount_paid: Field.computed(Value.amount.wire),
  amount_due: Field.computed(Value.amount.wire),
  issued_on: Field.required(Value.day),
  due_date: Field.optional(Value.day),
  voided: { input: Schema.optionalKey(Schema.Boolean) },
  lines: {
    input: listOf(LineInput, { least: 1, most: 100 }),
    stored: Schema.Array(Line),
    wire: Schema.Array(Field.recordOf(lineFields))
  },
  payments: {
    input: Schema.optionalKey(listOf(SaasPaymentInput, { most: maxPayments })),
    stored: Schema.Array(SaasPayment),
    wire: Schema.Array(Field.recordOf(paymentFields))
  },
  created_at: Field.assigned(Value.instant)
})

/** An invoice as stored. */
export const SaasInvoice = Field.storedOf(saasInvoiceFields)
export type SaasInvoice = typeof SaasInvoice.Type

/** An invoice with its lines and payments in a response. */
export const SaasInvoiceRecord = Field.recordOf(saasInvoiceFields)
export type SaasInvoiceRecord = typeof SaasInvoiceRecord.Type

/** An invoice in a list. */
export const SaasInvoiceSummary = SaasInvoiceRecord.mapFields(
  ({ lines: _lines, payments: _payments, ...fields }) => fields
)
export type SaasInvoiceSummary = typeof SaasInvoiceSummary.Type

/** An invoice to record. */
export const SaasInvoiceInput = Field.inputOf(saasInvoiceFields)
export type SaasInvoiceInput = typeof SaasInvoiceInput.Type

/** An invoice that is not stored yet. */
export type NewSaasInvoice = Omit<SaasInvoice, "saas_invoice_id" | "business_name">

/** The filters of the list of invoices. */
export interface SaasInvoiceFilter {
  readonly status?: BilledStatus | undefined
  readonly business_id?: BusinessId | undefined
}

const sum = (amounts: ReadonlyArray<number>) => amounts.reduce((total, next) => total + next, 0)

type Sums = Pick<SaasInvoice, "lines" | "payments" | "discount_minor" | "tax_minor">

const sumsOf = ({ discount_minor, lines, payments, tax_minor }: Sums) => {
  const subtotal = sum(lines.map(({ quantity, unit_price_minor }) => quantity * unit_price_minor))
  const paid = sum(payments.map(({ amount_minor }) => amount_minor))
  const total = subtotal - discount_minor + tax_minor
  return { subtotal, total, paid, due: Math.max(0, total - paid) }
}

/** The record of an invoice. */
export const saasInvoiceRecord = (invoice: SaasInvoice): SaasInvoiceRecord => {
  const sums = sumsOf(invoice)
  const major = (minor: number) => toMajor({ minor, currency: invoice.currency })
  return encode(invoice, { sums, major })
}

interface Computed {
  readonly sums: ReturnType<typeof sumsOf>
  readonly major: (minor: number) => number
}

const encode = Field.encoderOf<typeof saasInvoiceFields, Computed>(saasInvoiceFields, {
  subtotal: (_, { major, sums }) => major(sums.subtotal),
  discount_total: ({ discount_minor }, { major }) => major(discount_minor),
  tax_total: ({ tax_minor }, { major }) => major(tax_minor),
  total_amount: (_, { major, sums }) => major(sums.total),
  amount_paid: (_, { major, sums }) => major(sums.paid),
  amount_due: ({ status }, { major, sums }) => major(status === "void" ? 0 : sums.due),
  lines: ({ lines }, { major }) =>
    lines.map(({ unit_price_minor, ...line }) => ({
      ...line,
      unit_price: major(unit_price_minor),
      amount: major(unit_price_minor * line.quantity)
    })),
  payments: ({ payments }, { major }) =>
    payments.map(({ amount_minor, ...payment }) => ({ ...payment, amount: major(amount_minor) }))
})

/** The record of an invoice in a list. */
export const saasInvoiceSummary = (invoice: SaasInvoice): SaasInvoiceSummary => {
  const { lines: _lines, payments: _payments, ...summary } = saasInvoiceRecord(invoice)
  return summary
}

/** An amount in minor units; adds an issue if it has more decimals than the currency or is too large. */
const minorOf = (value: number, currency: Currency, field: string, issues: Array<FieldIssue>): number => {
  const money = fromMajor(value, currency)
  if (Option.isSome(money)) return money.value.minor
  issues.push({ field, ...issueOfRefused(value, currency) })
  return 0
}

const statusOf = (sums: Sums, voided: boolean) => {
  const { paid, total } = sumsOf(sums)
  const balance: InvoiceBalance = { total_minor: total, net_minor: paid, voided }
  return invoiceStatusOf(balance)
}

/** An invoice with one more payment and the status that follows, and the issues that prevent it. */
export const withSaasPayment = (
  invoice: SaasInvoice,
  { amount: given, ...payment }: SaasPaymentInput
): { readonly issues: ReadonlyArray<FieldIssue>; readonly invoice: SaasInvoice } => {
  const issues: Array<FieldIssue> = []
  const amount_minor = minorOf(given, invoice.currency, "amount", issues)
  const { currency } = invoice
  const { due } = sumsOf(invoice)
  const isFull = invoice.payments.length >= maxPayments
  if (issues.length === 0 && (amount_minor === 0 || amount_minor > due || isFull))
    issues.push({
      field: "amount",
      issue: "out_of_range",
      accepted: isFull
        ? `an invoice has at most ${maxPayments} payments`
        : `more than 0, at most the ${format({ minor: due, currency })} ${currency} that are due`
    })
  const payments = [...invoice.payments, { ...payment, amount_minor }]
  return { issues, invoice: { ...invoice, payments, status: statusOf({ ...invoice, payments }, false) } }
}

/** The invoice of an input with the status that follows from its sums, and the issues that prevent it. */
export const newSaasInvoice = (input: SaasInvoiceInput, created_at: DateTime.Utc) => {
  const { currency, discount_total = 0, payments = [], tax_total = 0, voided = false, ...fields } = input
  const issues: Array<FieldIssue> = []
  const money = (value: number, field: string) => minorOf(value, currency, field, issues)
  const invoice = {
    ...fields,
    currency,
    created_at,
    discount_minor: money(discount_total, "discount_total"),
    tax_minor: money(tax_total, "tax_total"),
    lines: input.lines.map(({ unit_price, ...line }, index) => ({
      ...line,
      unit_price_minor: money(unit_price, `lines.${index}.unit_price`)
    })),
    payments: payments.map(({ amount: paid, ...payment }, index) => {
      const field = `payments.${index}.amount`
      if (paid === 0) issues.push({ field, issue: "out_of_range" })
      return { ...payment, amount_minor: money(paid, field) }
    })
  }
  const { period_end, period_start } = invoice
  if (period_start !== null && period_end !== null && period_end < period_start)
    issues.push({ field: "period_end", issue: "out_of_range" })
  const { paid, subtotal, total } = sumsOf(invoice)
  if (issues.length === 0 && subtotal > maximumMinor) issues.push({ field: "lines", issue: "out_of_range" })
  if (issues.length === 0 && invoice.discount_minor > subtotal)
    issues.push({ field: "discount_total", issue: "out_of_range" })
  if (issues.length === 0 && total > maximumMinor) issues.push({ field: "tax_total", issue: "out_of_range" })
  if (issues.length === 0 && paid > total) issues.push({ field: "payments", issue: "out_of_range" })
  if (issues.length === 0 && voided && paid > 0) issues.push({ field: "voided", issue: "invalid" })
  return { issues, invoice: { ...invoice, status: statusOf(invoice, voided) } satisfies NewSaasInvoice }
}
