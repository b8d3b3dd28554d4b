/** The tax of a business by period, country of the customer, name and rate (docs/billing/exports.md). */
import { Schema } from "effect"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { Currency } from "../../kernel/money/Currency.ts"
import { toMajor } from "../../kernel/money/Money.ts"
import { CalendarDay } from "../../kernel/time/WallClock.ts"
import { UntaxedAs } from "../invoice/Untaxed.ts"
import { dayOfEntry } from "../ledger/BookEntry.ts"
import { makeTaxSums, type TaxedEntry, type TaxSum } from "./TaxSums.ts"

/** The length of the periods of a report. */
export const TaxPeriod = Schema.Literals(["month", "quarter", "year"])
export type TaxPeriod = typeof TaxPeriod.Type

/** The parameters of a report; months by default. */
export const TaxReportQuery = Schema.Struct({
  from: CalendarDay,
  to: CalendarDay,
  period: Schema.optionalKey(oneOf(TaxPeriod))
})
export type TaxReportQuery = typeof TaxReportQuery.Type

/**
 * A tax of one period, country and currency: `tax` on the amount `net`. `country` is the customer's, null if it is unknown; `tax_name`
 * is null for a tax without a name; `untaxed_as` is null at a rate above zero. Credit notes and voided invoices count negative, in
 * the period in which they were made.
 */
export const TaxReportRow = Schema.Struct({
  period: Schema.String,
  country: Schema.NullOr(Schema.String),
  tax_name: Schema.NullOr(Schema.String),
  tax_rate: Schema.Finite,
  untaxed_as: Schema.NullOr(UntaxedAs),
  currency: Currency,
  net: Schema.Finite,
  tax: Schema.Finite,
  invoices: Schema.Int,
  credit_notes: Schema.Int
})
export type TaxReportRow = typeof TaxReportRow.Type

/**
 * A report: its rows by period, country and tax, and the sums of the documents by currency. An amount with several taxes is in the
 * `net` of each of them, and once in the sums.
 */
export const TaxReport = Schema.Struct({
  from: Value.day.wire,
  to: Value.day.wire,
  rows: Schema.Array(TaxReportRow),
  totals: Schema.Array(
    Schema.Struct({ currency: Currency, net: Schema.Finite, tax: Schema.Finite, total: Schema.Finite })
  )
})
export type TaxReport = typeof TaxReport.Type

/** The name of the period that contains a day: `2026-11`, `2026-Q4` or `2026`. */
export const periodOf = (day: string, period: TaxPeriod): string => {
  const year = day.slice(0, 4)
  if (period === "year") return year
  return period === "month" ? day.slice(0, 7) : `${year}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`
}

type RowKey = Pick<TaxReportRow, "period" | "country" | "tax_name" | "tax_rate" | "untaxed_as" | "currency">

const orderOf = ({ key }: TaxSum<RowKey>) =>
  [
    key.period,
    key.country ?? "",
    key.currency,
    String(key.tax_rate).padStart(8),
    key.tax_name,
    key.untaxed_as
  ].join(" ")

const major = (minor: number, currency: Currency) => toMajor({ minor: minor === 0 ? 0 : minor, currency })

/** The sums of a document that a voided invoice takes back, in minor units. */
const sumsOfEntry = (entry: TaxedEntry) => {
  const { currency, subtotal_minor, tax_minor } = entry.type === "credit_note" ? entry.note : entry.invoice
  const sign = entry.type === "void" ? -1 : 1
  return { currency, net: sign * subtotal_minor, tax: sign * tax_minor }
}

/** Collects entries, and gives their report. */
export const makeTaxReport = ({ from, period = "month", to }: TaxReportQuery, timezone: string) => {
  const rows = makeTaxSums((entry, { name, rate }): RowKey => ({
    period: periodOf(dayOfEntry(entry, timezone), period),
    country: entry.customer.country,
    tax_name: name ?? null,
    tax_rate: rate,
    untaxed_as: rate === 0 ? entry.invoice.untaxed_as : null,
    currency: sumsOfEntry(entry).currency
  }))
  const totals = new Map<Currency, { net: number; tax: number }>()
  return {
    add: (entry: TaxedEntry): void => {
      rows.add(entry)
      const { currency, net, tax } = sumsOfEntry(entry)
      const known = totals.get(currency) ?? { net: 0, tax: 0 }
      totals.set(currency, { net: known.net + net, tax: known.tax + tax })
    },
    result: (): TaxReport => ({
      from,
      to,
      rows: rows
        .sums()
        .toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
        .map(({ credit_notes, invoices, key, net, tax }) => ({
          ...key,
          net: major(net, key.currency),
          tax: major(tax, key.currency),
          invoices,
          credit_notes
        })),
      totals: [...totals]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([currency, { net, tax }]) => ({
          currency,
          net: major(net, currency),
          tax: major(tax, currency),
          total: major(net + tax, currency)
        }))
    })
  }
}
