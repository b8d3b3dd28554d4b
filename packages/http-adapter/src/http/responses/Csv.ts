/** Tables as CSV (RFC 4180). */
import { csvLine } from "@livery/domain"

/** The type of a response with a table. */
export const csvType = "text/csv; charset=utf-8"

/** The line of a record: its fields in the order of the columns. */
export const csvRecord = (columns: ReadonlyArray<string>, record: object): string =>
  csvLine(columns.map((name) => (record as Readonly<Record<string, unknown>>)[name]))

/** The names of the columns, and a line for each row. */
export const csvOf = (columns: ReadonlyArray<string>, rows: ReadonlyArray<object>): string =>
  csvLine(columns) + rows.map((row) => csvRecord(columns, row)).join("")
