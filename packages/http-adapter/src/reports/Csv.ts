/** Tables as CSV (RFC 4180). */

/** The text of a cell. A text that a spreadsheet would run as a formula gets an apostrophe before it. */
const cell = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  if (typeof value === "number") return String(value)
  const text = typeof value === "string" ? value : JSON.stringify(value)
  const safe = /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The names of the columns, and a line for each row. */
export const csvOf = (columns: ReadonlyArray<string>, rows: ReadonlyArray<object>): string =>
  [columns, ...rows.map((row) => columns.map((name) => (row as Readonly<Record<string, unknown>>)[name]))]
    .map((cells) => `${cells.map(cell).join(",")}\r\n`)
    .join("")
