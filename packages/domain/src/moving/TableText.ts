/** Reading the rows of a table: CSV in any usual encoding, or XLSX. */
import { Effect, Stream } from "effect"
import * as Csv from "effect/encoding/Csv"
import { InvalidInput } from "../kernel/Errors.ts"
import { Spreadsheets } from "./Spreadsheets.ts"

const wrongFile = (issue: "invalid" | "required" | "too_long", advice: string) =>
  new InvalidInput({ issues: [{ field: "file", issue }], advice })

/** Whether a file is a ZIP archive, as an XLSX file is. */
const isArchive = (file: Uint8Array) => file[0] === 0x50 && file[1] === 0x4b

/** The text of a file: UTF-8, UTF-16 with its mark, or Windows-1252, which reads any bytes. */
export const textOfBytes = Effect.fnUntraced(function* (file: Uint8Array) {
  const as = (encoding: string) => Stream.mkString(Stream.decodeText(Stream.make(file), { encoding }))
  if (file[0] === 0xff && file[1] === 0xfe) return yield* as("utf-16le")
  if (file[0] === 0xfe && file[1] === 0xff) return yield* as("utf-16be")
  const text = yield* as("utf-8")
  return text.includes("\uFFFD") ? yield* as("windows-1252") : text
})

/** The most frequent of the usual delimiters in the first line that is not blank, outside of quotes. */
export const delimiterOf = (csv: string): string => {
  const first = /[^\s].*/u.exec(csv)?.[0] ?? ""
  const plain = first.replaceAll(/"[^"]*"/gu, "")
  const count = (delimiter: string) => plain.split(delimiter).length
  return [";", "\t", "|"].reduce((best, other) => (count(other) > count(best) ? other : best), ",")
}

const rowsOfCsv = (text: string, delimiter: string) =>
  Stream.make(text).pipe(
    Stream.pipeThroughChannel(Csv.decodeString({ delimiter, ignoreEmptyLines: false })),
    Stream.runCollect,
    Effect.mapError(({ line, message }) => wrongFile("invalid", `Line ${line}: ${message}`))
  )

/** A table: its headers, its rows with the numbers of their lines in the file, and what is between its cells; a comma for XLSX. */
interface Table {
  readonly delimiter: string
  readonly headers: ReadonlyArray<string>
  readonly rows: ReadonlyArray<{ readonly line: number; readonly cells: ReadonlyArray<string> }>
}

/** The most lines of a table. */
export const maxTableLines = 100_000

/** A cell without the apostrophe that keeps a spreadsheet from running it as a formula. */
const plainCell = (cell: string) =>
  cell
    .replaceAll("\u0000", "")
    .trim()
    .replace(/^'(?=[=+\-@])/u, "")

const breaks = /\r\n|\r|\n/gu

/** Whether a character is a control character that no text has. NUL is left out of cells, as in UTF-16 without its mark. */
const isControl = (letter: string) => letter > "\u0000" && letter < " " && !"\t\n\v\f\r".includes(letter)

/** The text of a CSV file. A file of another kind, such as a picture or an old Excel file, has control characters. */
const csvText = Effect.fnUntraced(function* (file: Uint8Array) {
  const text = (yield* textOfBytes(file)).replace(/^\uFEFF/u, "")
  return Array.from(text.slice(0, 10_000)).some(isControl)
    ? yield* wrongFile("invalid", "It is neither CSV nor XLSX")
    : text
})

/** Reads a file. Blank rows are left out; the first row that is not blank has the headers. */
export const tableOf = Effect.fnUntraced(function* (file: Uint8Array) {
  const spreadsheets = yield* Spreadsheets
  const isCsv = !isArchive(file)
  const text = isCsv ? yield* csvText(file) : ""
  const delimiter = delimiterOf(text)
  const read = isCsv
    ? yield* rowsOfCsv(text, delimiter)
    : yield* Effect.mapError(spreadsheets.rows(file), ({ reason }) => wrongFile("invalid", reason))
  const rows: Array<{ readonly line: number; readonly cells: ReadonlyArray<string> }> = []
  let line = 1
  for (const row of read) {
    const cells = row.map(plainCell)
    if (cells.some((cell) => cell !== "")) rows.push({ line, cells })
    line += 1
    // A cell in quotes may contain line breaks.
    if (isCsv) for (const cell of row) line += cell.match(breaks)?.length ?? 0
  }
  const [header, ...lines] = rows
  if (header === undefined) return yield* wrongFile("required", "The file has no rows")
  if (lines.length === 0) return yield* wrongFile("required", "The file has a header and no lines")
  if (lines.length > maxTableLines)
    return yield* wrongFile("too_long", `A file has at most ${maxTableLines} lines; send several files`)
  return { delimiter, headers: header.cells, rows: lines } satisfies Table
})
