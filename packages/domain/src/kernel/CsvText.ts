/** Writing tables as CSV (RFC 4180). */

/** The text of a cell. A text that a spreadsheet would run as a formula gets an apostrophe before it. */
const cell = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  if (typeof value === "number") return String(value)
  const text = typeof value === "string" ? value : JSON.stringify(value)
  const safe = /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A line of a table. */
export const csvLine = (cells: ReadonlyArray<unknown>): string => `${cells.map(cell).join(",")}\r\n`
