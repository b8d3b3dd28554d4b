/** The cells of exported files: texts without formulas, numbers as the reader's program writes them. */
import type { Currency } from "../../kernel/money/Currency.ts"
import * as Money from "../../kernel/money/Money.ts"

/** A cell: a text, which may come from anyone, or a value that Livery writes itself. */
export type Cell = { readonly text: string | null } | { readonly value: string }

/** A cell with a text of a person. */
export const text = (content: string | null): Cell => ({ text: content })

/** A cell with a word, a day or a number that Livery writes itself. */
export const value = (content: string | number | null): Cell => ({
  value: content === null ? "" : String(content)
})

/** The characters with which a spreadsheet begins a formula, also in their wide forms. */
const formula = /^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/u

/** A text that no spreadsheet evaluates: one that begins like a formula gets an apostrophe in front. */
export const neutralised = (content: string): string => (formula.test(content) ? `'${content}` : content)

/** A text in one row: without line breaks, tabs and other control characters, of at most `most` characters. */
export const inOneRow = (content: string, most = Infinity): string =>
  Array.from(content.replaceAll(/\p{Cc}+/gu, " ").trim())
    .slice(0, most === Infinity ? undefined : most)
    .join("")

/** An amount with the decimals of its currency, after a decimal point or a comma. */
export const amountText = (minor: number, currency: Currency, decimal: "." | "," = "."): string =>
  Money.format({ minor, currency }).replace(".", decimal)

/** A decimal number after a point or a comma. */
export const decimalText = (number: number, decimal: "." | ","): string =>
  String(number).replace(".", decimal)

const quoted = (content: string) => `"${content.replaceAll('"', '""')}"`

/** A row of a file of separated values (RFC 4180): quoted where necessary. */
export const separatedRow = (cells: ReadonlyArray<Cell>, delimiter: string): string =>
  `${cells
    .map((cell) => {
      const content = "value" in cell ? cell.value : neutralised(cell.text ?? "")
      return /["\r\n]/u.test(content) || content.includes(delimiter) ? quoted(content) : content
    })
    .join(delimiter)}\r\n`
