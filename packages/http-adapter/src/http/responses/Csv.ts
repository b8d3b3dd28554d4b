/** Tables as CSV (RFC 4180). */
import type { HttpServerRequest } from "effect/http"
import { csvLine } from "@livery/domain"
import { headerOf } from "../request/IncomingRequest.ts"

/** The type of a response with a table. */
export const csvType = "text/csv; charset=utf-8"

/** Whether a request asks for CSV rather than JSON. */
export const asksForCsv = (request: HttpServerRequest.HttpServerRequest): boolean =>
  /(?:^|,)\s*text\/csv\s*(?:;|,|$)/iu.test(headerOf(request, "accept") ?? "")

/** The line of a record: its fields in the order of the columns. */
export const csvRecord = (columns: ReadonlyArray<string>, record: object): string =>
  csvLine(columns.map((name) => (record as Readonly<Record<string, unknown>>)[name]))

/** The names of the columns, and a line for each row. */
export const csvOf = (columns: ReadonlyArray<string>, rows: ReadonlyArray<object>): string =>
  csvLine(columns) + rows.map((row) => csvRecord(columns, row)).join("")
