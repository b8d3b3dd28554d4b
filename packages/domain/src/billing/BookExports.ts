/** The files of a business's books for its adviser, and its report of taxes (docs/billing/exports.md). */
import { Context, DateTime, Effect, Layer, Result, Stream } from "effect"
import * as Base64 from "effect/encoding/Base64"
import * as Hex from "effect/encoding/Hex"
import type { ActingBusiness } from "../business/Business.ts"
import { refuseIssues } from "../kernel/Errors.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import type { Currency } from "../kernel/money/Currency.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { dayCountIssues } from "../kernel/time/DayRange.ts"
import { wallClock } from "../kernel/time/WallClock.ts"
import { traced } from "../kernel/TracedFunction.ts"
import type { Accounting } from "./accounting/AccountPlan.ts"
import {
  type BookFileQuery,
  type BookFileTerms,
  type BookFormat,
  type BookFileFormat,
  type BookKind,
  type BookRow,
  formatsOf,
  typesOf
} from "./accounting/BookFormat.ts"
import { BookRepository } from "./accounting/BookRepository.ts"
import { makeBooks } from "./accounting/Books.ts"
import { amountText } from "./accounting/Cells.ts"
import { csvFormat } from "./accounting/CsvFormat.ts"
import { datevFormat, fiscalYearStart } from "./accounting/DatevFormat.ts"
import { encoded } from "./accounting/Encoding.ts"
import { quickBooksFormat } from "./accounting/QuickBooksFormat.ts"
import { makeTaxReport, type TaxReportQuery } from "./accounting/TaxReport.ts"
import type { BookEntry } from "./ledger/BookEntry.ts"
import { movesCredit } from "./ledger/Posting.ts"
import { xeroFormat } from "./accounting/XeroFormat.ts"

/** A file, and what was computed of it before its first byte. */
export interface BookFile {
  readonly name: string
  readonly contentType: string
  /** The SHA-256 of the bytes, in base64. */
  readonly sha256: string
  /** How many rows state an amount. */
  readonly rows: number
  /** The sum of the stated amounts of each currency, as texts such as `EUR 12.50`. */
  readonly sums: ReadonlyArray<string>
  readonly bytes: Stream.Stream<Uint8Array<ArrayBuffer>>
}

/** The most days of an export: ten years. */
const mostDays = 3660

const formats: Readonly<Record<BookFileFormat, (terms: BookFileTerms) => BookFormat>> = {
  csv: csvFormat,
  datev: datevFormat,
  quickbooks: quickBooksFormat,
  xero: xeroFormat
}

/** The parameters that only a CSV has. */
const csvOnly = ["delimiter", "decimal", "encoding"] as const

const issuesOf = (
  kind: BookKind,
  query: BookFileQuery,
  accounting: Accounting
): ReadonlyArray<FieldIssue> => {
  const { format = "csv", from, to } = query
  const accepted = formatsOf(kind)
  const firstMonth = accounting.datev?.fiscal_year_month ?? 1
  const isOneYear = fiscalYearStart(from, firstMonth) === fiscalYearStart(to, firstMonth)
  return [
    ...dayCountIssues({ from, to }, mostDays, "to"),
    ...(format === "datev" && !isOneYear && from <= to
      ? [{ field: "to", issue: "out_of_range" as const, accepted: "a day of the same fiscal year" }]
      : []),
    ...(accepted.includes(format)
      ? []
      : [{ field: "format", issue: "unknown_value" as const, accepted: accepted.join(", ") }]),
    ...(format === "csv"
      ? []
      : csvOnly
          .filter((name) => query[name] !== undefined)
          .map((field) => ({ field, issue: "invalid" as const })))
  ]
}

export class BookExports extends Context.Service<BookExports>()("@livery/domain/BookExports", {
  make: Effect.gen(function* () {
    const repository = yield* BookRepository
    const books = yield* makeBooks
    const { incrementalSha256 } = yield* Cryptography

    const termsOf = Effect.fnUntraced(function* (
      acting: ActingBusiness,
      kind: BookKind,
      query: BookFileQuery
    ) {
      const { business_id, currency, timezone } = acting
      const { accounting, country } = yield* repository.settingsOf(business_id)
      yield* refuseIssues(issuesOf(kind, query, accounting))
      return {
        kind,
        query,
        accounting,
        country,
        currency,
        days: { from: query.from, to: query.to, timezone },
        createdAt: wallClock(yield* DateTime.now, timezone)
      }
    })

    return {
      /**
       * The entries of some days on the business's clock as a file. The file is written twice from the books, a page at a time:
       * once for its checksum and its sums, and once for its reader. `InvalidInput` if the days are in the wrong order or
       * too many, and for a format or a parameter that the kind does not have.
       */
      file: traced("BookExports.file")(function* (
        acting: ActingBusiness,
        kind: BookKind,
        query: BookFileQuery
      ) {
        const terms = yield* termsOf(acting, kind, query)
        const format = formats[query.format ?? "csv"](terms)
        // The journal alone shows that credit of a customer paid another invoice.
        const isListed = (entry: BookEntry) =>
          kind === "journal" || entry.type !== "payment" || !movesCredit(entry.payment)
        const pages = books(acting.business_id, typesOf[kind], terms.days).pipe(
          Stream.chunks,
          Stream.map((entries) => entries.filter(isListed).flatMap(format.rowsOf))
        )
        const bytesOf = (rows: ReadonlyArray<BookRow>) =>
          encoded(rows.map(({ text }) => text).join(""), format.encoding)
        const digest = yield* incrementalSha256
        digest.add(encoded(format.head, format.encoding))
        let count = 0
        const sums = new Map<Currency, number>()
        yield* Stream.runForEach(pages, (rows) =>
          Effect.sync(() => {
            digest.add(bytesOf(rows))
            for (const { amount } of rows) {
              if (amount === null) continue
              count += 1
              sums.set(amount.currency, (sums.get(amount.currency) ?? 0) + amount.minor)
            }
          })
        )
        const sha256 = Result.getOrThrow(Hex.decode(yield* digest.digest))
        const file: BookFile = {
          name: `${format.prefix}${kind}-${query.from}-${query.to}.${format.extension}`,
          contentType: format.contentType,
          sha256: Base64.encode(sha256),
          rows: count,
          sums: [...sums]
            .toSorted(([one], [other]) => (one < other ? -1 : 1))
            .map(([currency, minor]) => `${currency} ${amountText(minor, currency)}`),
          bytes: Stream.concat(Stream.make(encoded(format.head, format.encoding)), Stream.map(pages, bytesOf))
        }
        return file
      }),

      /** The taxes of the invoices and credit notes of some days. `InvalidInput` as for {@link file}. */
      taxes: traced("BookExports.taxes")(function* (acting: ActingBusiness, query: TaxReportQuery) {
        yield* refuseIssues(dayCountIssues(query, mostDays, "to"))
        const { business_id, timezone } = acting
        const report = makeTaxReport(query, timezone)
        yield* Stream.runForEach(
          books(business_id, ["invoice", "void", "credit_note"], {
            from: query.from,
            to: query.to,
            timezone
          }),
          (entry) => Effect.sync(() => (entry.type === "payment" ? undefined : report.add(entry)))
        )
        return report.result()
      })
    }
  })
}) {
  static readonly layer = Layer.effect(BookExports, BookExports.make)
}
