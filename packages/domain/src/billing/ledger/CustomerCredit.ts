/** The credit of a customer: the amounts that invoices received, do not need, and have not refunded (docs/api/payments.md). */
import { Schema } from "effect"
import { omittable } from "../../kernel/fields/Optional.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { CustomerId, InvoiceId } from "../../kernel/Ids.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import { PositiveAmount } from "../../kernel/money/Money.ts"
import { balanceOf } from "./LedgerBalance.ts"
import type { Payment } from "./Payment.ts"

/** The credit in one currency, and the invoices that received it. */
const CreditBalance = Schema.Struct({
  currency: Value.currency.wire,
  amount: Value.amount.wire,
  invoices: Schema.Array(
    Schema.Struct({
      invoice_id: Value.id(InvoiceId).wire,
      number: Schema.String,
      amount: Value.amount.wire
    })
  )
})
export type CreditBalance = typeof CreditBalance.Type

/** The credit of a customer in each currency in which there is any. */
export const CustomerCreditRecord = Schema.Struct({
  customer_id: Value.id(CustomerId).wire,
  balances: Schema.Array(CreditBalance)
})
export type CustomerCreditRecord = typeof CustomerCreditRecord.Type

/** The body that pays an invoice from credit: without `amount`, as much as is due and there is. */
export const CreditUseInput = Schema.Struct({ amount: omittable(PositiveAmount) })
export type CreditUseInput = typeof CreditUseInput.Type

/** A part of a receipt that can pay another invoice, in minor units. */
export interface CreditPart {
  readonly receipt: Payment
  readonly amount_minor: number
}

/**
 * The parts of an invoice's receipts in a currency that are credit, the oldest first. The excess of a card payment is none: it
 * is refunded to the card.
 */
export const creditPartsOf = (
  entries: ReadonlyArray<Payment>,
  currency: Currency
): ReadonlyArray<CreditPart> =>
  entries
    .filter((entry) => entry.currency === currency && entry.provider_id === null)
    .map((receipt) => ({ receipt, amount_minor: balanceOf(receipt, entries).excess }))
    .filter(({ amount_minor }) => amount_minor > 0)
