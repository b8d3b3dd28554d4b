/** The columns of records, which are named as the fields of their schemas are. */
import { DateTime } from "effect"
import { instant } from "./Rows.ts"

/** A schema of a record. */
interface WithFields {
  readonly fields: object
}

/** The names of a record's columns, as a list in SQL; of the table `alias` if one is given. */
export const columnsOf = ({ fields }: WithFields, alias?: string): string =>
  Object.keys(fields)
    .map((name) => (alias === undefined ? name : `${alias}.${name}`))
    .join(", ")

/** The names of the columns that a body of a request sets. */
export const columnsSetBy = (body: WithFields, record: WithFields): ReadonlyArray<string> =>
  Object.keys(body.fields).filter((name) => name in record.fields)

/** The values of these columns, as `sql.insert` and `sql.update` take them. */
export const valuesOf = (names: ReadonlyArray<string>, record: object): Record<string, unknown> => {
  const values = record as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    names.map((name) => {
      const value = values[name]
      return [name, DateTime.isDateTime(value) ? instant(DateTime.toUtc(value)) : value]
    })
  )
}
