/** The entries of a business's books: what the ledger says of each day, in the order of days (docs/billing/exports.md). */
import type { DateTime } from "effect"
import type { CustomerId, InvoiceId } from "../../kernel/Ids.ts"
import { localDay } from "../../kernel/time/WallClock.ts"
import type { Invoice } from "../invoice/Invoice.ts"
import type { Untaxed } from "../invoice/Untaxed.ts"
import type { CreditNote } from "./CreditNote.ts"
import type { BookedPayment } from "./Posting.ts"

/** The customer of an entry, as the invoice names it. `name` is empty if the invoice names none. */
export interface BookCustomer {
  readonly customer_id: CustomerId | null
  readonly name: string
  readonly company: string | null
  readonly email: string | null
  readonly address: string | null
  readonly country: string | null
  readonly vat_number: string | null
  readonly account_number: string | null
}

/** The invoice to which a credit note or a payment belongs. */
export interface BookedInvoice extends Untaxed {
  readonly number: string
}

/**
 * - `invoice`: an invoice on its day of issue; `void`: the same invoice on the day on which it was voided.
 * - `credit_note`: a credit note on the day on which it was made.
 * - `payment`: an entry of the ledger by which money moved, or credit of a customer, on the day on which it was received or returned.
 */
export type BookEntry =
  | {
      readonly type: "invoice" | "void"
      readonly invoice: Omit<Invoice, "trip_ids">
      readonly customer: BookCustomer
    }
  | {
      readonly type: "credit_note"
      readonly note: CreditNote
      readonly invoice: BookedInvoice
      readonly customer: BookCustomer
    }
  | {
      readonly type: "payment"
      readonly payment: BookedPayment
      readonly invoice: BookedInvoice
      readonly customer: BookCustomer
    }

/** The type of an entry. */
export type BookEntryType = BookEntry["type"]

/** The instant of an entry; undefined for an invoice, which has a day of issue. */
const instantOf = (entry: BookEntry): DateTime.Utc | null => {
  switch (entry.type) {
    case "invoice":
      return null
    case "void":
      return entry.invoice.voided_at
    case "credit_note":
      return entry.note.created_at
    case "payment":
      return entry.payment.received_at
  }
}

/** The day of an entry on the business's clock. */
export const dayOfEntry = (entry: BookEntry, timezone: string): string => {
  if (entry.type === "invoice") return entry.invoice.issued_on
  const at = instantOf(entry)
  return at === null ? "" : localDay(at, timezone)
}

/** The position of an entry among those of its type. */
export interface BookPosition {
  readonly day: string
  readonly at: DateTime.Utc | null
  readonly id: number
}

const idOf = (entry: BookEntry): number => {
  switch (entry.type) {
    case "invoice":
    case "void":
      return entry.invoice.invoice_id satisfies InvoiceId
    case "credit_note":
      return entry.note.credit_note_id
    case "payment":
      return entry.payment.payment_id
  }
}

/** The position of an entry: the next page begins after it. */
export const bookPositionOf = (entry: BookEntry, timezone: string): BookPosition => ({
  day: dayOfEntry(entry, timezone),
  at: instantOf(entry),
  id: idOf(entry)
})

/** The customer's name for a list: the company first. */
export const nameOfCustomer = ({ company, name }: BookCustomer): string => company ?? name
