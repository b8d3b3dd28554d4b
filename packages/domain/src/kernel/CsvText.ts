/** Writing tables as CSV (RFC 4180). */

/** The text of a cell. A text that a spreadsheet would run as a formula gets an apostrophe before it. */
const cell = (value: unknown, delimiter: string): string => {
  if (value === null || value === undefined) return ""
  if (typeof value === "number") return String(value)
  const text = typeof value === "string" ? value : JSON.stringify(value)
  const safe = /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text
  return safe.includes(delimiter) || /["\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Writes lines of a table with a delimiter between the cells. */
export const csvLines =
  (delimiter: string) =>
  (cells: ReadonlyArray<unknown>): string =>
    `${cells.map((value) => cell(value, delimiter)).join(delimiter)}\r\n`

/** A line of a table, with commas between its cells. */
export const csvLine: (cells: ReadonlyArray<unknown>) => string = csvLines(",")
