/** How a business numbers its invoices and its credit notes: the format of a number, and the count in it (docs/api/settings.md). */
import { Schema } from "effect"
import { between, check } from "../../kernel/fields/FieldIssue.ts"

/** The documents with numbers of their own. */
export type NumberedDocument = "invoice" | "credit_note"

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

/** A change of the numbers of a kind of document. `next_number` is the count of the next one. */
export const InvoiceNumberingChanges = Schema.Struct({
  format: Schema.optionalKey(NumberFormat),
  restarts_each_year: Schema.optionalKey(Schema.Boolean),
  next_number: Schema.optionalKey(Schema.Int.check(between(1, mostCount)))
})
export type InvoiceNumberingChanges = typeof InvoiceNumberingChanges.Type

/** How the next documents of a kind are numbered. `next` is the number of one that is issued today. */
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

const usualPrefixes: Readonly<Record<NumberedDocument, string>> = { invoice: "INV-", credit_note: "CN-" }

/** The numbers of a business that set none: `INV-000001` and `CN-000001`, and so on. */
export const usualNumbering = (document: NumberedDocument, last: number): InvoiceNumbering => {
  const prefix = usualPrefixes[document]
  return { format: `${prefix}{N:6}`, restarts_each_year: false, counts: { [prefix]: last } }
}

/** The text of a format before its count. */
const beginningOf = (format: string) => format.slice(0, format.lastIndexOf("{N"))

/** Whether two formats give numbers that only their count tells apart. */
export const beginAlike = (one: string, other: string): boolean => beginningOf(one) === beginningOf(other)

/** The text before the count of a document that is issued on a day. */
export const numberPrefixOf = (format: string, issuedOn: string) =>
  beginningOf(format).replaceAll("{YYYY}", issuedOn.slice(0, 4))

/** The last count before that of the next number. Without a restart, no count occurs twice, whatever the text before it. */
export const lastCountOf = ({ counts, restarts_each_year }: InvoiceNumbering, prefix: string): number =>
  restarts_each_year ? (counts[prefix] ?? 0) : Math.max(0, ...Object.values(counts))

/** The number of the next document, and the numbering after it. */
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
