/** The tax of a business by period, country of the customer and rate (docs/billing/exports.md). */
import { Schema } from "effect"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { Currency } from "../../kernel/money/Currency.ts"
import { toMajor } from "../../kernel/money/Money.ts"
import { CalendarDay } from "../../kernel/time/WallClock.ts"
import { taxesByRate, taxesOf, type TaxOfRate } from "../invoice/InvoiceSums.ts"
import { UntaxedAs } from "../invoice/Untaxed.ts"
import { type BookEntry, dayOfEntry } from "../ledger/BookEntry.ts"

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
 * The tax of one period, country, rate and currency. `country` is the customer's, null if it is unknown. `untaxed_as` is null at a
 * rate above zero. Credit notes and voided invoices count negative, in the period in which they were made.
 */
export const TaxReportRow = Schema.Struct({
  period: Schema.String,
  country: Schema.NullOr(Schema.String),
  tax_rate: Schema.Finite,
  untaxed_as: Schema.NullOr(UntaxedAs),
  currency: Currency,
  net: Schema.Finite,
  tax: Schema.Finite,
  total: Schema.Finite,
  invoices: Schema.Int,
  credit_notes: Schema.Int
})
export type TaxReportRow = typeof TaxReportRow.Type

/** A report: its rows by period, country and rate, and their sums by currency. */
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

interface Sums {
  readonly key: Pick<TaxReportRow, "period" | "country" | "tax_rate" | "untaxed_as" | "currency">
  net: number
  tax: number
  invoices: number
  credit_notes: number
}

const taxesOfEntry = (entry: BookEntry): ReadonlyArray<TaxOfRate> => {
  if (entry.type === "payment") return []
  if (entry.type === "credit_note") return taxesByRate(entry.note.lines, entry.note.taxes)
  const { currency, lines } = entry.invoice
  return taxesByRate(lines, taxesOf(lines, currency))
}

/** Collects entries, and gives their report. */
export const makeTaxReport = ({ from, period = "month", to }: TaxReportQuery, timezone: string) => {
  const all = new Map<string, Sums>()
  const of = (key: Sums["key"]): Sums => {
    const name = JSON.stringify(key)
    const known = all.get(name) ?? { key, net: 0, tax: 0, invoices: 0, credit_notes: 0 }
    all.set(name, known)
    return known
  }
  return {
    add: (entry: BookEntry): void => {
      if (entry.type === "payment") return
      const { currency } = entry.type === "credit_note" ? entry.note : entry.invoice
      const sign = entry.type === "void" ? -1 : 1
      for (const { rate, tax_minor, taxable_minor } of taxesOfEntry(entry)) {
        const sums = of({
          period: periodOf(dayOfEntry(entry, timezone), period),
          country: entry.customer.country,
          tax_rate: rate,
          untaxed_as: rate === 0 ? entry.invoice.untaxed_as : null,
          currency
        })
        sums.net += sign * taxable_minor
        sums.tax += sign * tax_minor
        if (entry.type === "credit_note") sums.credit_notes += 1
        else sums.invoices += sign
      }
    },
    result: (): TaxReport => {
      const order = ({ key }: Sums) =>
        [key.period, key.country ?? "", key.currency, String(key.tax_rate).padStart(8), key.untaxed_as].join(
          " "
        )
      const sorted = [...all.values()].toSorted((one, other) => (order(one) < order(other) ? -1 : 1))
      const currencies = [...new Set(sorted.map(({ key }) => key.currency))].toSorted()
      const major = (minor: number, currency: Currency) =>
        toMajor({ minor: minor === 0 ? 0 : minor, currency })
      const amounts = (net: number, tax: number, currency: Currency) => ({
        net: major(net, currency),
        tax: major(tax, currency),
        total: major(net + tax, currency)
      })
      return {
        from,
        to,
        rows: sorted.map(({ credit_notes, invoices, key, net, tax }) => ({
          ...key,
          ...amounts(net, tax, key.currency),
          invoices,
          credit_notes
        })),
        totals: currencies.map((currency) => {
          const own = sorted.filter(({ key }) => key.currency === currency)
          const total = (of: (sums: Sums) => number) => own.reduce((sum, one) => sum + of(one), 0)
          return {
            currency,
            ...amounts(
              total(({ net }) => net),
              total(({ tax }) => tax),
              currency
            )
          }
        })
      }
    }
  }
}
