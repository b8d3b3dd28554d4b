/** The taxes of entries of the books, summed up. Taxes with different names are apart, such as GST and QST. */
import { taxesOf, type TaxOfRate } from "../invoice/InvoiceSums.ts"
import type { BookEntry } from "../ledger/BookEntry.ts"

/** An entry that states taxes. */
export type TaxedEntry = Exclude<BookEntry, { readonly type: "payment" }>

/** The taxes of an invoice or a credit note, each apart, in minor units. */
export const taxesOfEntry = (entry: TaxedEntry): ReadonlyArray<TaxOfRate> =>
  entry.type === "credit_note" ? entry.note.taxes : taxesOf(entry.invoice.lines, entry.invoice.currency)

/** The sums of the taxes with one key, in minor units. `invoices` and `credit_notes` count documents. */
export interface TaxSum<Key> {
  readonly key: Key
  readonly net: number
  readonly tax: number
  readonly invoices: number
  readonly credit_notes: number
}

/** Collects the taxes of entries by a key of each. Credit notes and voided invoices count negative. */
export const makeTaxSums = <Key>(keyOf: (entry: TaxedEntry, tax: TaxOfRate) => Key) => {
  const all = new Map<string, TaxSum<Key>>()
  return {
    add: (entry: TaxedEntry): void => {
      const sign = entry.type === "void" ? -1 : 1
      for (const tax of taxesOfEntry(entry)) {
        const key = keyOf(entry, tax)
        const name = JSON.stringify(key)
        const known = all.get(name) ?? { key, net: 0, tax: 0, invoices: 0, credit_notes: 0 }
        all.set(name, {
          key,
          net: known.net + sign * tax.taxable_minor,
          tax: known.tax + sign * tax.tax_minor,
          invoices: known.invoices + (entry.type === "credit_note" ? 0 : sign),
          credit_notes: known.credit_notes + (entry.type === "credit_note" ? 1 : 0)
        })
      }
    },
    sums: (): ReadonlyArray<TaxSum<Key>> => [...all.values()]
  }
}
