/**
 * Rows of many columns. `@effect/sql-pg` adds the columns to each row one by one, and V8 stores an object that gets more
 * than 16 names in this way as a hash table: 5 kB for a trip, and slow to read. These functions make it in one step
 * instead.
 */
import type { PgConnection } from "@effect/sql-pg"
import { recordMaker } from "@livery/domain"

/** V8 stores an object with more names than this, added one by one, as a hash table. */
const maxColumnsAddedOneByOne = 16

/** The most statements whose columns are remembered. */
const maxStatements = 500

type Values = ReadonlyArray<unknown>

/** What the results of one statement have in common. */
export interface WideResult {
  readonly command: string
  /** Makes the result of its rows, each the values of the columns in their order. */
  readonly resultOf: (rows: ReadonlyArray<Values>) => PgConnection.Result
}

const withoutTexts = (statement: string) => statement.replace(/'[^']*'/gu, "")

/** Whether a statement may return `*`, whose columns change with the table. An asterisk within parentheses is not returned. */
const mayReturnAll = (statement: string): boolean => {
  let depth = 0
  for (const character of withoutTexts(statement)) {
    if (character === "(") depth += 1
    else if (character === ")") depth -= 1
    else if (character === "*" && depth === 0) return true
  }
  return false
}

const wideResultOf = ({ command, fields, oid }: PgConnection.Result): WideResult => {
  const make = recordMaker<Values, undefined>(fields.map(({ name }, from) => ({ name, from })))
  const rowOf = (values: Values) => make(values, undefined) as PgConnection.Row
  return {
    command,
    resultOf: (rows) => ({ command, rowCount: rows.length, oid, rows: rows.map(rowOf), fields })
  }
}

/** Remembers the columns of statements, by their text, which determines them unless the statement returns `*`. */
export const makeWideResults = () => {
  /** `undefined` for a statement that may return `*`, so that its text is looked through once. */
  const byText = new Map<string, WideResult | undefined>()
  return {
    find: (text: string) => byText.get(text),
    /** Remembers the columns of a statement that has been prepared and returned this result. */
    remember: (text: string, result: PgConnection.Result) => {
      if (result.fields.length <= maxColumnsAddedOneByOne || byText.has(text) || byText.size >= maxStatements)
        return
      byText.set(text, mayReturnAll(text) ? undefined : wideResultOf(result))
    }
  }
}

export type WideResults = ReturnType<typeof makeWideResults>
