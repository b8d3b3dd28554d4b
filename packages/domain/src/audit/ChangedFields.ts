/** The changed fields of a record, for an entry of the audit log. */
import { Equal } from "effect"

const valueOf = (value: unknown) =>
  typeof value === "object" && value !== null
    ? JSON.stringify(value)
    : (value as string | number | boolean | null)

/** The given fields whose values in `record` differ from those in `other`. Lists and objects are written as JSON text. */
export const changedFields = <A extends object>(
  fields: ReadonlyArray<keyof A & string>,
  record: A,
  other: A
): Record<string, string | number | boolean | null> =>
  Object.fromEntries(
    fields
      .filter((field) => !Equal.equals(record[field], other[field]))
      .map((field) => [field, valueOf(record[field])])
  )
