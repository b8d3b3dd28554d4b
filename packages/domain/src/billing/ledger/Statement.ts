/** The statement of a customer: what it owed, what was charged and paid since, and what it owes (docs/api/payments.md). */
import { Schema } from "effect"
import * as Value from "../../kernel/fields/Value.ts"
import { CustomerId, InvoiceId } from "../../kernel/Ids.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import { toMajor } from "../../kernel/money/Money.ts"
import { CalendarDay } from "../../kernel/time/WallClock.ts"
import { type BookEntry, dayOfEntry } from "./BookEntry.ts"
import type { PaymentKind } from "./Payment.ts"
import { movesCredit, postingsOf, receivableOf } from "./Posting.ts"

/** The days of a statement, both included, on the business's clock. */
export const CustomerStatementQuery = Schema.Struct({ from: CalendarDay, to: CalendarDay })
export type CustomerStatementQuery = typeof CustomerStatementQuery.Type

/**
 * What a line is about. `voided`: an invoice was voided. `payment_reversed`: a payment was a typing error. `credit_used`: credit
 * left one invoice, or paid another one.
 */
export const StatementLineType = Schema.Literals([
  "invoice",
  "voided",
  "credit_note",
  "payment",
  "refund",
  "refund_failed",
  "payment_reversed",
  "credit_used"
])
export type StatementLineType = typeof StatementLineType.Type

const typesOfKinds: Readonly<Record<PaymentKind, StatementLineType>> = {
  payment: "payment",
  excess: "payment",
  refund: "refund",
  excess_refund: "refund",
  reversal: "refund_failed",
  excess_reversal: "refund_failed",
  correction: "payment_reversed",
  excess_correction: "payment_reversed",
  credit: "credit_used",
  credit_used: "credit_used",
  credit_returned: "credit_used",
  from_credit: "credit_used"
}

/** A line, in minor units. The amount is positive if the customer owes more by it. */
export interface StatementLine {
  readonly day: string
  readonly type: StatementLineType
  readonly invoice_id: InvoiceId
  /** The number of the invoice or the credit note. */
  readonly number: string
  /** What was recorded with a payment. */
  readonly reference: string | null
  readonly amount_minor: number
  readonly balance_minor: number
}

/** The lines of one currency between the balances before and after them. */
export interface StatementAccount {
  readonly currency: Currency
  readonly opening_minor: number
  readonly closing_minor: number
  readonly lines: ReadonlyArray<StatementLine>
}

const StatementLineRecord = Schema.Struct({
  day: Value.day.wire,
  type: StatementLineType,
  invoice_id: Value.id(InvoiceId).wire,
  number: Schema.String,
  reference: Schema.NullOr(Schema.String),
  amount: Schema.Finite,
  balance: Schema.Finite
})

const StatementAccountRecord = Schema.Struct({
  currency: Value.currency.wire,
  opening_balance: Schema.Finite,
  closing_balance: Schema.Finite,
  lines: Schema.Array(StatementLineRecord)
})

/** A statement in a response. Amounts and balances are positive where the customer owes, and negative where it has credit. */
export const CustomerStatementRecord = Schema.Struct({
  customer_id: Value.id(CustomerId).wire,
  from: Value.day.wire,
  to: Value.day.wire,
  accounts: Schema.Array(StatementAccountRecord)
})
export type CustomerStatementRecord = typeof CustomerStatementRecord.Type

const typeOf = (entry: BookEntry): StatementLineType => {
  if (entry.type === "payment")
    return movesCredit(entry.payment) ? "credit_used" : typesOfKinds[entry.payment.kind]
  return entry.type === "void" ? "voided" : entry.type
}

const invoiceIdOf = (entry: BookEntry): InvoiceId => {
  switch (entry.type) {
    case "payment":
      return entry.payment.invoice_id
    case "credit_note":
      return entry.note.invoice_id
    default:
      return entry.invoice.invoice_id
  }
}

const currencyOf = (entry: BookEntry): Currency => {
  switch (entry.type) {
    case "payment":
      return entry.payment.currency
    case "credit_note":
      return entry.note.currency
    default:
      return entry.invoice.currency
  }
}

/**
 * Collects the entries of a customer in the order of days. Those before `from` make the opening balances. A currency without a
 * balance and without a line is left out; without any currency, there is an empty account in `usual`.
 */
export const makeStatement = (from: string, timezone: string, usual: Currency) => {
  const accounts = new Map<
    Currency,
    { opening_minor: number; closing_minor: number; lines: Array<StatementLine> }
  >()
  const emptyAccount = () => ({ opening_minor: 0, closing_minor: 0, lines: [] })
  return {
    add: (entry: BookEntry) => {
      const amount_minor = receivableOf(postingsOf(entry))
      const currency = currencyOf(entry)
      const account = accounts.get(currency) ?? emptyAccount()
      accounts.set(currency, account)
      account.closing_minor += amount_minor
      const day = dayOfEntry(entry, timezone)
      if (day < from) {
        account.opening_minor += amount_minor
        return
      }
      account.lines.push({
        day,
        type: typeOf(entry),
        invoice_id: invoiceIdOf(entry),
        number: entry.type === "credit_note" ? entry.note.number : entry.invoice.number,
        reference: entry.type === "payment" ? entry.payment.reference : null,
        amount_minor,
        balance_minor: account.closing_minor
      })
    },
    result: (): ReadonlyArray<StatementAccount> => {
      const used = [...accounts]
        .filter(([, { lines, opening_minor }]) => opening_minor !== 0 || lines.length > 0)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([currency, account]) => ({ currency, ...account }))
      return used.length > 0 ? used : [{ currency: usual, ...emptyAccount() }]
    }
  }
}

/** The record of a statement. */
export const statementRecord = (
  customer_id: CustomerId,
  { from, to }: CustomerStatementQuery,
  accounts: ReadonlyArray<StatementAccount>
): CustomerStatementRecord => ({
  customer_id,
  from,
  to,
  accounts: accounts.map(({ closing_minor, currency, lines, opening_minor }) => ({
    currency,
    opening_balance: toMajor({ minor: opening_minor, currency }),
    closing_balance: toMajor({ minor: closing_minor, currency }),
    lines: lines.map(({ amount_minor, balance_minor, ...line }) => ({
      ...line,
      amount: toMajor({ minor: amount_minor, currency }),
      balance: toMajor({ minor: balance_minor, currency })
    }))
  }))
})
