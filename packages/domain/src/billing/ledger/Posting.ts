/**
 * The postings of an entry: which amount goes from which account to which. Every export for a bookkeeping program, and the
 * check of the ledger (`AccountDifferences.ts`), are made of them. An invoice and a credit note have one posting for each rate.
 */
import type { Currency } from "../../kernel/money/Currency.ts"
import { taxesOf, type TaxOfRate } from "../invoice/InvoiceLine.ts"
import type { UntaxedAs } from "../invoice/Untaxed.ts"
import type { PaymentKind, PaymentMethod } from "./Payment.ts"
import type { BookEntry } from "./BookEntry.ts"

/** What an account is for. `other` receives payments that are neither by card, in cash nor by transfer. */
export type AccountRole = "receivable" | "revenue" | "bank" | "cash" | "card" | "other"

/** The tax within the amount of a posting. `tax_minor` is never negative. */
export interface PostedTax {
  readonly rate: number
  readonly untaxed_as: UntaxedAs
  readonly tax_minor: number
}

/** An amount from the account `credit` to the account `debit`, in minor units, with its tax. It is never negative. */
export interface Posting {
  readonly debit: AccountRole
  readonly credit: AccountRole
  readonly amount_minor: number
  readonly currency: Currency
  /** Null for a payment. */
  readonly tax: PostedTax | null
}

/** Whether money came in (1), went out or was recorded by mistake (-1), or only its meaning changed (0). */
const directions: Readonly<Record<PaymentKind, -1 | 0 | 1>> = {
  payment: 1,
  refund: -1,
  reversal: 1,
  credit: 0,
  excess: 1,
  excess_refund: -1,
  excess_reversal: 1,
  correction: -1,
  excess_correction: -1,
  // The use of credit goes from one invoice to the other through the account for other payments, which it leaves as it was.
  credit_used: -1,
  credit_returned: 1,
  from_credit: 1
}

/** The kinds of entries by which money moved. */
export const moneyKinds: ReadonlyArray<PaymentKind> = (
  Object.keys(directions) as ReadonlyArray<PaymentKind>
).filter((kind) => directions[kind] !== 0)

/** The amount of an entry of the ledger in minor units: positive if money came in, negative if it went out. */
export const movedMinorOf = ({
  amount_minor,
  kind
}: {
  readonly amount_minor: number
  readonly kind: PaymentKind
}): number => directions[kind] * amount_minor

const methodAccounts: Readonly<Record<PaymentMethod, AccountRole>> = {
  bank_transfer: "bank",
  cash: "cash",
  card: "card",
  other: "other"
}

/** An amount to `debit`; a negative amount goes the other way. */
const posting = (
  debit: AccountRole,
  credit: AccountRole,
  amountMinor: number,
  currency: Currency,
  tax: PostedTax | null
): ReadonlyArray<Posting> => {
  if (amountMinor === 0) return []
  const [to, from] = amountMinor > 0 ? [debit, credit] : [credit, debit]
  return [{ debit: to, credit: from, amount_minor: Math.abs(amountMinor), currency, tax }]
}

/** The postings of revenue: to the receivables, or back from them if `sign` is negative. */
const revenuePostings = (
  taxes: ReadonlyArray<TaxOfRate>,
  sign: 1 | -1,
  currency: Currency,
  untaxed_as: UntaxedAs
): ReadonlyArray<Posting> =>
  taxes.flatMap(({ rate, tax_minor, taxable_minor }) =>
    posting("receivable", "revenue", sign * (taxable_minor + tax_minor), currency, {
      rate,
      untaxed_as,
      tax_minor: Math.abs(tax_minor)
    })
  )

/** What an entry needs for its postings. */
type Posted = BookEntry extends infer Entry
  ? Entry extends BookEntry
    ? Omit<Entry, "customer">
    : never
  : never

/** The postings of an entry. */
export const postingsOf = (entry: Posted): ReadonlyArray<Posting> => {
  if (entry.type === "payment") {
    const { currency, method } = entry.payment
    return posting(methodAccounts[method], "receivable", movedMinorOf(entry.payment), currency, null)
  }
  if (entry.type === "credit_note") {
    const { currency, taxes } = entry.note
    // The amounts of a credit note are negative.
    return revenuePostings(taxes, 1, currency, entry.invoice.untaxed_as)
  }
  const { currency, lines, untaxed_as } = entry.invoice
  return revenuePostings(taxesOf(lines, currency), entry.type === "void" ? -1 : 1, currency, untaxed_as)
}

/** What postings add to the receivables, in minor units. */
export const receivableOf = (postings: ReadonlyArray<Posting>): number =>
  postings.reduce(
    (sum, { amount_minor, credit, debit }) =>
      sum + (debit === "receivable" ? amount_minor : 0) - (credit === "receivable" ? amount_minor : 0),
    0
  )
