/** The columns of records. A column has the name of its field, except where a statement says how it computes one. */
import { DateTime } from "effect"
import { instant } from "./Rows.ts"

/** A schema of a record. */
interface WithFields {
  readonly fields: object
}

/** SQL for the fields that have no column of the same name. */
type Expressions = Readonly<Record<string, string>>

/** The columns of a record's table for `SELECT` and `RETURNING`, prefixed with `alias` if given. */
export const columnsOf = ({ fields }: WithFields, alias?: string, expressions: Expressions = {}): string =>
  Object.keys(fields)
    .map((name) => {
      const expression = expressions[name]
      if (expression !== undefined) return `${expression} AS ${name}`
      return alias === undefined ? name : `${alias}.${name}`
    })
    .join(", ")

/** A JSON object with a record's fields, from the table `alias`. */
export const jsonOf = ({ fields }: WithFields, alias: string, expressions: Expressions = {}): string =>
  `json_build_object(${Object.keys(fields)
    .map((name) => `'${name}', ${expressions[name] ?? `${alias}.${name}`}`)
    .join(", ")})`

/** The names of the columns that the body of a request sets. */
export const columnsSetBy = (body: WithFields, record: WithFields): ReadonlyArray<string> =>
  Object.keys(body.fields).filter((name) => name in record.fields)

/** The values of these columns, in the form that `sql.insert` and `sql.update` take. */
export const valuesOf = <Name extends string>(
  names: ReadonlyArray<Name>,
  record: object
): Record<Name, unknown> => {
  const values = record as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    names.map((name) => {
      const value = values[name]
      return [name, DateTime.isDateTime(value) ? instant(DateTime.toUtc(value)) : value]
    })
  ) as Record<Name, unknown>
}
