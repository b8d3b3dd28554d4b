/** A line of a table as values, and its outcome. */
import { Effect, Result, Schema } from "effect"
import { InvalidInput } from "../../kernel/Errors.ts"
import { type FieldIssue, fieldIssues } from "../../kernel/fields/FieldIssue.ts"
import type { Transaction } from "../../kernel/Transaction.ts"
import type { Values } from "../Cells.ts"
import type { LineOutcome } from "../Import.ts"

/** A line that waits, with the values of its cells. */
export interface Line {
  readonly line: number
  readonly values: Values
}

/** What became of the record of a line. */
export interface Stored {
  readonly status: "made" | "matched" | "changed"
  readonly record_id: number
}

const inWords = ({ accepted, field, issue }: FieldIssue) => {
  const words = issue.replaceAll("_", " ")
  return `${field} ${accepted === undefined ? words : `${words} (accepted: ${accepted})`}`
}

/** The reasons of a refusal, one for each wrong field. */
const reasonsOf = (error: { readonly message: string }): ReadonlyArray<string> =>
  error instanceof InvalidInput && error.issues.length > 0
    ? [...error.named.map(inWords), ...(error.advice === undefined ? [] : [error.advice])]
    : [error.message]

/** The outcome of a refused line. */
export const refusedLine = (line: number, error: { readonly message: string }): LineOutcome => ({
  line,
  status: "refused",
  record_id: null,
  reasons: reasonsOf(error)
})

/** The outcome of a stored line. */
export const storedLine = (line: number, stored: Stored): LineOutcome => ({ line, reasons: [], ...stored })

/** Stores lines one after the other, each in a part of the transaction that is undone alone if the line is refused. */
export const eachLine = (
  transaction: Transaction["Service"],
  lines: ReadonlyArray<Line>,
  store: (values: Values) => Effect.Effect<Stored, { readonly message: string }>
): Effect.Effect<ReadonlyArray<LineOutcome>> =>
  Effect.forEach(lines, ({ line, values }) =>
    transaction.run(store(values)).pipe(
      Effect.match({
        onSuccess: (stored) => storedLine(line, stored),
        onFailure: (error) => refusedLine(line, error)
      })
    )
  )

/** The lines that come first with each of their keys, and those that have a key of an earlier line. */
export const firstOfEach = <A>(
  lines: ReadonlyArray<A>,
  keysOf: (line: A) => ReadonlyArray<string>
): { readonly now: Array<A>; readonly later: Array<A> } => {
  const seen = new Set<string>()
  const now: Array<A> = []
  const later: Array<A> = []
  for (const line of lines) {
    const keys = keysOf(line)
    ;(keys.some((key) => seen.has(key)) ? later : now).push(line)
    for (const key of keys) seen.add(key)
  }
  return { now, later }
}

/** Decodes the values of a line as the input of a use case. */
export const decoderOf = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all", reportInput: true })
  return (values: Values): Result.Result<A, InvalidInput> =>
    Result.mapError(decode(values), ({ issue }) => new InvalidInput({ issues: fieldIssues(issue) }))
}

const textIn = (values: Values, name: string): string | undefined => {
  const value = values[name]
  return typeof value === "string" ? value : undefined
}

/** The texts of these fields, joined; undefined if all are blank. */
const joined = (values: Values, names: ReadonlyArray<string>, by: string): string | undefined => {
  const texts = names.flatMap((name) => textIn(values, name) ?? [])
  return texts.length === 0 ? undefined : texts.join(by)
}

/** The values without these fields. */
export const without = (values: Values, names: ReadonlyArray<string>): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))

/** The name of a line: in one column, in two, or that of its company. */
export const nameIn = (values: Values, whole = "name"): string | undefined =>
  textIn(values, whole) ?? joined(values, ["first_name", "last_name"], " ") ?? textIn(values, "company")

/** The address of a line: in one column, or in three. */
export const addressIn = (values: Values): string | undefined => {
  const town = joined(values, ["postal_code", "city"], " ")
  const parts = [textIn(values, "address"), textIn(values, "street"), town].filter(
    (part) => part !== undefined
  )
  return parts.length === 0 ? undefined : parts.join(", ")
}

/** The fields that differ from a record. A phone number in another spelling does not differ. */
export const differences = (
  record: object,
  wanted: Values,
  isSame: (name: string, one: unknown, other: unknown) => boolean = () => false
): Values =>
  Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => {
      const current = (record as Values)[name]
      return JSON.stringify(current) !== JSON.stringify(value) && !isSame(name, current, value)
    })
  )
