/** The report of taxes: those of the documents of each month. */
import { Effect } from "effect"
import { taxesOf } from "../billing/invoice/InvoiceSums.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import type { Currency } from "../kernel/money/Currency.ts"
import type { ReportMonth } from "./Months.ts"
import { ReportRepository } from "./ReportRepository.ts"
import { inOrder, major } from "./Rows.ts"

interface TaxSum {
  readonly month: string
  readonly name: string | null
  readonly rate: number
  readonly currency: Currency
  readonly taxable: number
  readonly tax: number
}

/** Makes the function that reads the taxes of some months. */
export const makeTaxes = Effect.map(ReportRepository, (repository) =>
  Effect.fnUntraced(function* (businessId: BusinessId, months: ReadonlyArray<ReportMonth>) {
    const sums = new Map<string, TaxSum>()
    const totals = new Map<Currency, Pick<TaxSum, "taxable" | "tax">>()
    // One month at a time, so that the documents of a year are never in memory together.
    for (const { month, ...time } of months) {
      for (const document of yield* repository.taxed(businessId, time)) {
        const { currency, lines, subtotal_minor, tax_minor } = document
        for (const { name = null, rate, ...amounts } of document.taxes ?? taxesOf(lines, currency)) {
          const key = JSON.stringify([month, name, rate, currency])
          const { tax = 0, taxable = 0 } = sums.get(key) ?? {}
          sums.set(key, {
            month,
            name,
            rate,
            currency,
            taxable: taxable + amounts.taxable_minor,
            tax: tax + amounts.tax_minor
          })
        }
        const { tax = 0, taxable = 0 } = totals.get(currency) ?? {}
        totals.set(currency, { taxable: taxable + subtotal_minor, tax: tax + tax_minor })
      }
    }
    return {
      rows: inOrder(
        [...sums.values()],
        ({ currency, month, name, rate }) =>
          `${month}/${String(rate * 1000).padStart(9, "0")}/${name ?? ""}/${currency}`
      ).map(({ tax, taxable, ...key }) => ({
        ...key,
        taxable: major(taxable, key.currency),
        tax: major(tax, key.currency)
      })),
      totals: inOrder([...totals], ([currency]) => currency).map(([currency, { tax, taxable }]) => ({
        currency,
        taxable: major(taxable, currency),
        tax: major(tax, currency)
      }))
    }
  })
)
