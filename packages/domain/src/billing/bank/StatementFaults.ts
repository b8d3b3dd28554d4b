/** Reading values of statements, and the refusal of a file with wrong ones. */
import { Option, Schema } from "effect"
import { InvalidInput } from "../../kernel/Errors.ts"
import type { FieldIssue, Issue } from "../../kernel/fields/FieldIssue.ts"
import { Currency } from "../../kernel/money/Currency.ts"
import * as Money from "../../kernel/money/Money.ts"
import { CalendarDay } from "../../kernel/time/WallClock.ts"
import type { ReadEntry } from "./BankStatement.ts"

/** A wrong part of a file, with its reason in words. */
export interface StatementFault extends FieldIssue {
  readonly reason: string
}

/** A wrong part of a file: `place` is such as `line 3`, which becomes the field `lines.3`. */
export const faultAt = (
  [kind, number]: readonly ["lines" | "entries", number],
  column: string | null,
  issue: Issue,
  reason: string
): StatementFault => ({
  field: [kind, number, ...(column === null ? [] : [column])].join("."),
  issue,
  reason: `${kind === "lines" ? "line" : "entry"} ${number}: ${reason}`
})

/** The most faults that the message explains; the details name all of them. */
const explained = 10

/** Refuses a file with these faults. */
export const refusedStatement = (faults: ReadonlyArray<StatementFault>) =>
  new InvalidInput({
    issues: faults.map(({ field, issue }) => ({ field, issue })),
    advice: `Nothing was stored. ${faults
      .slice(0, explained)
      .map(({ reason }) => reason)
      .join("; ")}`
  })

const decodeDay = Schema.decodeOption(CalendarDay)
const decodeCurrency = Schema.decodeOption(Currency)

/** A day in the format of ISO 8601, or with the day before the month: `05.11.2026`, `05/11/2026`, `5.11.26`. */
export const dayIn = (text: string): string | undefined => {
  const [, first = "", month = "", year = ""] = /^(\d{1,2})[./](\d{1,2})[./](\d{4}|\d{2})$/u.exec(text) ?? []
  const day =
    first === ""
      ? text.slice(0, 10)
      : `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, "0")}-${first.padStart(2, "0")}`
  return Option.getOrUndefined(decodeDay(day))
}

/** A currency by its code in either case. */
export const currencyIn = (text: string): Currency | undefined => Option.getOrUndefined(decodeCurrency(text))

/** An amount in minor units, of a decimal text without a sign; `undefined` if the currency has no such amount. */
export const minorIn = (text: string, currency: Currency): number | undefined =>
  /^\d+(?:\.\d+)?$/u.test(text)
    ? Option.getOrUndefined(Option.map(Money.fromMajor(Number(text), currency), ({ minor }) => minor))
    : undefined

/** A text with single spaces and without control characters, at most `length` long; `null` if nothing is left. */
export const plainText = (text: string | undefined, length: number): string | null => {
  const plain = (text ?? "").replaceAll(/[\s\p{Cc}]+/gu, " ").trim()
  return plain === "" ? null : Array.from(plain).slice(0, length).join("")
}

/** The most entries of a file. */
export const maxStatementEntries = 10_000

/** The contents of a file. */
export interface ReadStatement {
  readonly account: string | null
  readonly entries: ReadonlyArray<ReadEntry>
}
