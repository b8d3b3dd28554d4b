/** The numbers of invoices as texts, and the ranges of numbers that begin with a text. */

const prefix = "INV-"

/** A number has at least so many digits, and at most so many. */
const digits = { least: 6, most: 9 }

/** The number of a business's nth invoice, such as `INV-000012`. */
export const invoiceNumber = (count: number): string =>
  `${prefix}${String(count).padStart(digits.least, "0")}`

/** Numbers of one length, in the order of bytes: from `first` to `last`, both included. */
export interface NumberRange {
  readonly length: number
  readonly first: string
  readonly last: string
}

/**
 * The ranges of the numbers that begin with a text, one for each length; `undefined` if all numbers do. For `INV-12` they are
 * `INV-120000` to `INV-129999`, `INV-1200000` to `INV-1299999`, and so on. PostgreSQL reads a range from an index in the
 * order of the list. It could not do so for `LIKE`, whose pattern is a parameter that it may not know when it plans.
 */
export const rangesOfNumbers = (text: string): ReadonlyArray<NumberRange> | undefined => {
  if (prefix.startsWith(text)) return undefined
  const start = /^INV-(?<start>\d+)$/u.exec(text)?.groups?.["start"]
  if (start === undefined || start.length > digits.most) return []
  // A number is padded to the least length only.
  const longest = start.startsWith("0") ? digits.least : digits.most
  const ranges: Array<NumberRange> = []
  for (let length = Math.max(digits.least, start.length); length <= longest; length++)
    ranges.push({
      length: prefix.length + length,
      first: `${prefix}${start.padEnd(length, "0")}`,
      last: `${prefix}${start.padEnd(length, "9")}`
    })
  return ranges
}
