/** XLSX files, read by `read-excel-file`. It reads piece by piece, so that a large file does not block requests. */
import { NotASpreadsheet, Spreadsheets } from "@livery/domain"
import { Effect, Layer } from "effect"
import { readSheet } from "read-excel-file/node"

/** The text of a cell: a time of day without its seconds, a day without a time that it does not have. */
const textOf = (cell: unknown): string => {
  if (typeof cell === "string") return cell
  if (typeof cell === "number" || typeof cell === "boolean") return String(cell)
  if (!(cell instanceof Date)) return ""
  const [day = "", time = ""] = cell.toISOString().split("T")
  // A cell with a time alone is a time on the first day that spreadsheets know.
  if (cell.getUTCFullYear() < 1901) return time.slice(0, 5)
  return time.startsWith("00:00") ? day : `${day} ${time.slice(0, 5)}`
}

/** The layer of the reader. */
export const layer = Layer.succeed(Spreadsheets, {
  rows: (file) =>
    Effect.tryPromise({
      try: () => readSheet(Buffer.from(file)),
      catch: () => new NotASpreadsheet({ reason: "The file is no XLSX file that can be read" })
    }).pipe(Effect.map((rows) => rows.map((row) => row.map(textOf))))
})
