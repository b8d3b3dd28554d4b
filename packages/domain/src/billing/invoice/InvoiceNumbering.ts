/** How a business numbers its invoices: the format of a number, and the count in it (docs/api/settings.md). */
import { Schema } from "effect"
import { between, check } from "../../kernel/fields/FieldIssue.ts"

const formatPattern = "^(?:[A-Z0-9._-]|\\{YYYY\\})*[A-Z._-]\\{N(?::[1-9])?\\}$"

/** `{N:5}` is the count with at least five digits, `{YYYY}` the year of issue. */
const NumberFormat = Schema.String.check(
  check<string>(
    "invalid",
    (text) => text.length <= 24 && new RegExp(formatPattern, "u").test(text),
    { pattern: formatPattern, maxLength: 24 },
    "capital letters, digits, hyphens, dots, underscores and {YYYY}, no digit or year last, then {N} or {N:5}"
  )
)

const mostCount = 999_999_999

/** A change of the numbers of invoices. `next_number` is the count of the next invoice. */
export const InvoiceNumberingChanges = Schema.Struct({
  format: Schema.optionalKey(NumberFormat),
  restarts_each_year: Schema.optionalKey(Schema.Boolean),
  next_number: Schema.optionalKey(Schema.Int.check(between(1, mostCount)))
})
export type InvoiceNumberingChanges = typeof InvoiceNumberingChanges.Type

/** How the next invoices are numbered. `next` is the number of an invoice that is issued today. */
export const InvoiceNumberingRecord = Schema.Struct({
  format: Schema.String,
  restarts_each_year: Schema.Boolean,
  next_number: Schema.Int,
  next: Schema.String
})
export type InvoiceNumberingRecord = typeof InvoiceNumberingRecord.Type

/** What is stored. `counts` are the last counts by the text before them. */
export const InvoiceNumbering = Schema.Struct({
  format: Schema.String,
  restarts_each_year: Schema.Boolean,
  counts: Schema.Record(Schema.String, Schema.Int)
})
export type InvoiceNumbering = typeof InvoiceNumbering.Type

/** The numbers of a business that set none: `INV-000001` and so on. */
export const usualNumbering = (last: number): InvoiceNumbering => ({
  format: "INV-{N:6}",
  restarts_each_year: false,
  counts: { "INV-": last }
})

/** The text before the count of an invoice that is issued on a day. */
export const numberPrefixOf = (format: string, issuedOn: string) =>
  format.slice(0, format.lastIndexOf("{N")).replaceAll("{YYYY}", issuedOn.slice(0, 4))

/** The last count before that of the next number. Without a restart, no count occurs twice, whatever the text before it. */
export const lastCountOf = ({ counts, restarts_each_year }: InvoiceNumbering, prefix: string): number =>
  restarts_each_year ? (counts[prefix] ?? 0) : Math.max(0, ...Object.values(counts))

/** The number of the next invoice, and the numbering after it. */
export const nextNumberOf = (numbering: InvoiceNumbering, issuedOn: string) => {
  const prefix = numberPrefixOf(numbering.format, issuedOn)
  const count = lastCountOf(numbering, prefix) + 1
  const digits = Number(/\{N:(?<digits>\d)\}$/u.exec(numbering.format)?.groups?.["digits"] ?? 1)
  return {
    count,
    number: `${prefix}${String(count).padStart(digits, "0")}`,
    numbering: { ...numbering, counts: { ...numbering.counts, [prefix]: count } }
  }
}
