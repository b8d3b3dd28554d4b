/** What the formats of exports have in common. */
import { Schema } from "effect"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import { CalendarDay } from "../../kernel/time/WallClock.ts"
import type { Accounting } from "./AccountPlan.ts"
import type { BookEntry, BookEntryType } from "../ledger/BookEntry.ts"
import type { BookDays } from "./BookRepository.ts"
import { FileEncoding } from "./Encoding.ts"

/** What an export contains. The journal has the postings of all others, in the order of days. */
export const BookKind = Schema.Literals(["invoices", "payments", "credit-notes", "journal"])
export type BookKind = typeof BookKind.Type

/** The types of entries in an export. */
export const typesOf: Readonly<Record<BookKind, ReadonlyArray<BookEntryType>>> = {
  invoices: ["invoice", "void"],
  payments: ["payment"],
  "credit-notes": ["credit_note"],
  journal: ["invoice", "void", "credit_note", "payment"]
}

/** The program for which a file is written. */
export const BookFileFormat = Schema.Literals(["csv", "datev", "quickbooks", "xero"])
export type BookFileFormat = typeof BookFileFormat.Type

/** The formats that an export has. Xero imports sales invoices only. */
export const formatsOf = (kind: BookKind): ReadonlyArray<BookFileFormat> =>
  kind === "invoices" || kind === "credit-notes"
    ? BookFileFormat.literals
    : BookFileFormat.literals.filter((format) => format !== "xero")

const Delimiter = Schema.Literals(["comma", "semicolon", "tab"])
const Decimal = Schema.Literals(["point", "comma"])

/** The parameters of an export that describe its file. All but `from`, `to` and `format` are for CSV. */
export const BookFileQuery = Schema.Struct({
  from: CalendarDay,
  to: CalendarDay,
  format: Schema.optionalKey(oneOf(BookFileFormat)),
  delimiter: Schema.optionalKey(oneOf(Delimiter)),
  decimal: Schema.optionalKey(oneOf(Decimal)),
  encoding: Schema.optionalKey(oneOf(FileEncoding))
})
export type BookFileQuery = typeof BookFileQuery.Type

/** What a format is told beside the entries. `days` are those of the file, `createdAt` is a time on the business's clock. */
export interface BookFileTerms {
  readonly kind: BookKind
  readonly days: BookDays
  readonly accounting: Accounting
  readonly currency: Currency
  readonly country: string | null
  readonly createdAt: string
  readonly query: BookFileQuery
}

/** A row of a file, and the amount that it states; null for a row that only continues another one. */
export interface BookRow {
  readonly text: string
  readonly amount: { readonly minor: number; readonly currency: Currency } | null
}

/** A file: how it begins, and the rows of each entry. */
export interface BookFormat {
  readonly contentType: string
  readonly extension: string
  /** What the file's name begins with. */
  readonly prefix: string
  readonly encoding: FileEncoding
  readonly head: string
  readonly rowsOf: (entry: BookEntry) => ReadonlyArray<BookRow>
}
