/** The view of an invoice for the holder of its `payment_hash`. */
import type { DateTime } from "effect"
import { type Brand, BrandRecord, brandRecord } from "../../business/Brand.ts"
import type { Business } from "../../business/Business.ts"
import * as Field from "../../kernel/fields/Field.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { Schema } from "effect"
import { type Invoice, invoiceFields, invoiceRecord } from "./Invoice.ts"
import type { InvoiceSeller } from "./InvoiceParties.ts"
import { InvoiceLineRecord } from "./InvoiceLine.ts"

const { trip_id: _trip, ...lineFields } = InvoiceLineRecord.fields

/** The fields of the invoice that the view has: no id but the number, no notes, nothing of the customer. */
const shown = [
  "status",
  "currency",
  "subtotal",
  "tax_total",
  "tax_breakdown",
  "total_amount",
  "amount_paid",
  "amount_credited",
  "amount_due",
  "due_date",
  "overdue",
  "created_at"
] as const

/**
 * An invoice as the holder of its hash sees it. `bank_account` is where a transfer goes; null if the business has set none.
 * `card` is how a page takes a card (`POST …/pay` first); null if it cannot. With `part_payments_allowed`, the card may pay
 * less than the amount due.
 */
export const PublicInvoiceRecord = Schema.Struct({
  business_name: Value.name(200).wire,
  business: BrandRecord,
  bank_account: Schema.NullOr(
    Schema.Struct({ holder: Schema.String, iban: Schema.String, bic: Schema.NullOr(Schema.String) })
  ),
  card: Schema.NullOr(
    Schema.Struct({ publishable_key: Schema.String, api_base: Schema.NullOr(Schema.String) })
  ),
  part_payments_allowed: Schema.Boolean,
  number: Schema.String,
  ...Field.recordOf(Field.pick(invoiceFields, shown)).fields,
  items: Schema.Array(Schema.Struct(lineFields))
})
export type PublicInvoiceRecord = typeof PublicInvoiceRecord.Type

/** The view of an invoice at `now`. */
export const publicInvoiceRecord = (
  invoice: Invoice,
  { business_name, timezone }: Business,
  now: DateTime.Utc,
  {
    brand,
    card,
    part_payments_allowed,
    seller
  }: {
    readonly brand: Brand
    readonly card: PublicInvoiceRecord["card"]
    readonly seller: Pick<InvoiceSeller, "business_name" | "iban" | "bic">
    readonly part_payments_allowed: boolean
  }
): PublicInvoiceRecord => {
  const record = invoiceRecord(invoice, { now, timezone })
  const { amount_credited, amount_due, amount_paid, created_at, currency, due_date, overdue } = record
  const { status, subtotal, tax_breakdown, tax_total, total_amount } = record
  return {
    business_name,
    business: brandRecord(brand),
    bank_account:
      seller.iban === null ? null : { holder: seller.business_name, iban: seller.iban, bic: seller.bic },
    card,
    part_payments_allowed,
    number: invoice.number,
    status,
    currency,
    subtotal,
    tax_total,
    tax_breakdown,
    total_amount,
    amount_paid,
    amount_credited,
    amount_due,
    due_date,
    overdue,
    created_at,
    items: record.items.map(({ trip_id: _id, ...line }) => line)
  }
}
