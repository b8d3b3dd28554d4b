/**
 * The postings of an entry: which amount goes from which account to which. Every export for a bookkeeping program, and the
 * check of the ledger (`AccountDifferences.ts`), are made of them. An invoice and a credit note have one posting for each rate.
 */
import type { Currency } from "../../kernel/money/Currency.ts"
import { taxesByRate, taxesOf, type TaxOfLines } from "../invoice/InvoiceSums.ts"
import type { UntaxedAs } from "../invoice/Untaxed.ts"
import type { Payment, PaymentKind, PaymentMethod } from "./Payment.ts"
import type { BookEntry } from "./BookEntry.ts"

/**
 * What an account is for. `other` receives payments that are neither by card, in cash nor by transfer. Credit of a customer that
 * pays another invoice goes through `credit`, which is empty afterwards.
 */
export type AccountRole = "receivable" | "revenue" | "bank" | "cash" | "card" | "other" | "credit"

/** The tax within the amount of a posting, with its sign. `parts` are its taxes apart, such as GST and QST. */
export interface PostedTax extends Pick<TaxOfLines, "parts" | "rate" | "tax_minor"> {
  readonly untaxed_as: UntaxedAs
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

/** An entry of the ledger, with the kind of the entry to which it refers; null if it refers to none. */
export type BookedPayment = Payment & { readonly refers_to: PaymentKind | null }

/** How an entry changes the receivables: an amount came in (-1), went out (1), or only its meaning changed (0). */
const directions: Readonly<Record<PaymentKind, -1 | 0 | 1>> = {
  payment: -1,
  refund: 1,
  reversal: -1,
  credit: 0,
  excess: -1,
  excess_refund: 1,
  excess_reversal: -1,
  correction: 1,
  excess_correction: 1,
  credit_used: 1,
  credit_returned: -1,
  from_credit: -1
}

/** The kinds of entries with a posting. */
export const postedKinds: ReadonlyArray<PaymentKind> = (
  Object.keys(directions) as ReadonlyArray<PaymentKind>
).filter((kind) => directions[kind] !== 0)

const ofCredit: ReadonlySet<PaymentKind | null> = new Set(["credit_used", "credit_returned", "from_credit"])

/** Whether an entry moves credit of a customer from one invoice to another one, so that no money moved. */
export const movesCredit = ({ kind, refers_to }: Pick<BookedPayment, "kind" | "refers_to">): boolean =>
  ofCredit.has(kind) ||
  ((kind === "correction" || kind === "excess_correction") && refers_to === "from_credit")

/**
 * The amount by which an entry changes the money that was received, in minor units: positive if it came in, negative if it went
 * out or was recorded by mistake.
 */
export const movedMinorOf = (entry: Pick<BookedPayment, "amount_minor" | "kind" | "refers_to">): number =>
  movesCredit(entry) || directions[entry.kind] === 0 ? 0 : -directions[entry.kind] * entry.amount_minor

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
  taxes: ReadonlyArray<TaxOfLines>,
  sign: 1 | -1,
  currency: Currency,
  untaxed_as: UntaxedAs
): ReadonlyArray<Posting> =>
  taxes.flatMap(({ parts, rate, tax_minor, taxable_minor }) => {
    const gross = taxable_minor + tax_minor
    const within = (minor: number) => (gross < 0 ? 0 - minor : minor)
    return posting("receivable", "revenue", sign * gross, currency, {
      rate,
      untaxed_as,
      tax_minor: within(tax_minor),
      parts: parts.map((part) => ({ ...part, tax_minor: within(part.tax_minor) }))
    })
  })

/** What an entry needs for its postings. */
type Posted = BookEntry extends infer Entry
  ? Entry extends BookEntry
    ? Omit<Entry, "customer">
    : never
  : never

/** The postings of an entry. */
export const postingsOf = (entry: Posted): ReadonlyArray<Posting> => {
  if (entry.type === "payment") {
    const { amount_minor, currency, kind, method } = entry.payment
    const account = movesCredit(entry.payment) ? "credit" : methodAccounts[method]
    return posting("receivable", account, directions[kind] * amount_minor, currency, null)
  }
  if (entry.type === "credit_note") {
    const { currency, lines, taxes } = entry.note
    // The amounts of a credit note are negative.
    return revenuePostings(taxesByRate(lines, taxes), 1, currency, entry.invoice.untaxed_as)
  }
  const { currency, lines, untaxed_as } = entry.invoice
  const taxes = taxesByRate(lines, taxesOf(lines, currency))
  return revenuePostings(taxes, entry.type === "void" ? -1 : 1, currency, untaxed_as)
}

/** What postings add to the receivables, in minor units. */
export const receivableOf = (postings: ReadonlyArray<Posting>): number =>
  postings.reduce(
    (sum, { amount_minor, credit, debit }) =>
      sum + (debit === "receivable" ? amount_minor : 0) - (credit === "receivable" ? amount_minor : 0),
    0
  )
