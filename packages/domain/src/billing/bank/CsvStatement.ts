/** Reading a statement as a CSV text, whose columns the caller names. */
import { Effect, Stream } from "effect"
import * as Csv from "effect/encoding/Csv"
import { InvalidInput } from "../../kernel/Errors.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import type { StatementColumns } from "./BankStatement.ts"
import {
  currencyIn,
  dayIn,
  faultAt,
  minorIn,
  plainText,
  type ReadStatement,
  refusedStatement,
  type StatementFault
} from "./StatementFaults.ts"

const lineBreak = /\r\n|\r|\n/u

const unquoted = (cell: string) =>
  cell
    .trim()
    .replace(/^"(.*)"$/u, "$1")
    .trim()
    .toLowerCase()

/** The first line that has all named columns, with the delimiter by which it has them. Banks write other lines before it. */
const headerOf = (lines: ReadonlyArray<string>, names: ReadonlyArray<string>) => {
  for (const [index, line] of lines.entries())
    for (const delimiter of [";", ",", "\t"]) {
      const cells = line.split(delimiter).map(unquoted)
      if (names.every((name) => cells.includes(name.toLowerCase()))) return { cells, delimiter, index }
    }
  return undefined
}

/** Amounts that tell the decimal mark: both marks occur, or one or two digits follow the last one. */
const decimalMarkOf = (amounts: ReadonlyArray<string>, delimiter: string) => {
  for (const amount of amounts) {
    const [, before = "", mark] = /^(.*)([.,])(\d+)$/u.exec(amount) ?? []
    if (mark === undefined) continue
    if (/[.,]/u.test(before.replaceAll(mark, "")) || /[.,]\d{1,2}$/u.test(amount)) return mark
  }
  return delimiter === ";" ? "," : "."
}

/** A text of digits with a decimal point, of an amount with a decimal mark and marks between the thousands. */
const decimalText = (amount: string, mark: string) => {
  const thousands = mark === "," ? "." : ","
  const [whole = "", ...decimals] = amount.split(mark)
  const isWhole =
    /^\d+$/u.test(whole) || new RegExp(`^\\d{1,3}(?:[${thousands}'’ ]\\d{3})+$`, "u").test(whole)
  return isWhole && decimals.length < 2 ? [whole.replaceAll(/\D/gu, ""), ...decimals].join(".") : ""
}

/** Reads the entries of a CSV text. A line without a currency is in the business's. `InvalidInput` names every wrong line. */
export const entriesOfCsv = Effect.fnUntraced(function* (
  csv: string,
  columns: StatementColumns,
  usual: Currency
): Effect.fn.Return<ReadStatement & { readonly faults: ReadonlyArray<StatementFault> }, InvalidInput> {
  const missing = (["day", "amount"] as const).filter((name) => columns[name] === null)
  if (missing.length > 0)
    return yield* new InvalidInput({
      issues: missing.map((field) => ({ field, issue: "required" })),
      advice: "A CSV file needs the names of its columns"
    })
  const lines = csv.split(lineBreak)
  const names = Object.values(columns).filter((name) => name !== null)
  const header = headerOf(lines, names)
  if (header === undefined)
    return yield* refusedStatement([
      { field: "file", issue: "invalid", reason: `No line of the file has the columns ${names.join(", ")}` }
    ])
  const { cells: titles, delimiter, index } = header
  const rows = yield* Stream.make(lines.slice(index + 1).join("\n")).pipe(
    Stream.pipeThroughChannel(Csv.decodeString({ delimiter, ignoreEmptyLines: false })),
    Stream.runCollect,
    Effect.mapError(({ line, message }) =>
      refusedStatement([faultAt(["lines", line + index + 1], null, "invalid", message)])
    )
  )
  const cellOf = (row: ReadonlyArray<string>, name: string | null) =>
    name === null ? "" : (row[titles.indexOf(name.toLowerCase())] ?? "").trim()
  const amountOf = (row: ReadonlyArray<string>) =>
    cellOf(row, columns.amount).replaceAll(/[\s\u00a0\u202f]+/gu, "")
  const mark = decimalMarkOf(rows.map(amountOf), delimiter)
  const faults: Array<StatementFault> = []
  const entries: Array<ReadStatement["entries"][number]> = []
  let number = index + 2
  for (const row of rows) {
    const at = ["lines", number] as const
    number += row.join("").split(lineBreak).length
    if (row.every((cell) => cell.trim() === "")) continue
    const code = cellOf(row, columns.currency)
    const currency = code === "" ? usual : currencyIn(code)
    const booked_on = dayIn(cellOf(row, columns.day))
    const amount = amountOf(row)
    const [, sign = "", plain = ""] = /^([+\-−]?)(.*)$/u.exec(amount) ?? []
    const amount_minor = currency === undefined ? undefined : minorIn(decimalText(plain, mark), currency)
    if (currency === undefined)
      faults.push(faultAt(at, "currency", "unknown_value", `"${code}" is no currency`))
    else if (amount_minor === undefined)
      faults.push(faultAt(at, "amount", "invalid", `"${amount}" is no amount in ${currency}`))
    if (booked_on === undefined)
      faults.push(faultAt(at, "day", "invalid", `"${cellOf(row, columns.day)}" is no day`))
    if (currency === undefined || amount_minor === undefined || booked_on === undefined || amount_minor === 0)
      continue
    entries.push({
      direction: sign === "-" || sign === "−" ? "debit" : "credit",
      booked_on,
      amount_minor,
      currency,
      payer_name: plainText(cellOf(row, columns.name), 200),
      text: plainText(cellOf(row, columns.reference), 1000),
      structured_reference: null,
      bank_reference: null
    })
  }
  return { account: null, entries, faults }
})
