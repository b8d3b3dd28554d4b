/** Texts of a business with placeholders, written as `{{name}}`. */
import { check } from "../kernel/fields/FieldIssue.ts"

/**
 * Replaces what is between each `{{` and the next `}}`, and the braces. The text after the last `}}` is not searched: the
 * expression would look from each `{{` there to the end.
 */
const replaced = (written: string, valueOf: (name: string) => string): string => {
  const end = written.lastIndexOf("}}") + 2
  if (end < 2) return written
  const searched = written.slice(0, end)
  return (
    searched.replaceAll(/\{\{(.*?)\}\}/gsu, (_, name: string) => valueOf(name.trim())) + written.slice(end)
  )
}

const namesIn = (written: string): ReadonlyArray<string> => {
  const names: Array<string> = []
  replaced(written, (name) => {
    names.push(name)
    return ""
  })
  return names
}

/** A check that a text has no other placeholders than these. */
export const onlyPlaceholders = (names: ReadonlyArray<string>) => {
  const known: ReadonlySet<string> = new Set(names)
  return check<string>(
    "unknown_value",
    (written) => namesIn(written).every((name) => known.has(name)),
    {},
    names.map((name) => `{{${name}}}`).join(", ")
  )
}

/** A text with values in place of its placeholders. */
export const filled = (written: string, values: Readonly<Record<string, string>>): string =>
  replaced(written, (name) => values[name] ?? "")

/** A subject in one line: a name with a line break must not end the header. */
export const subjectOf = (written: string, values: Readonly<Record<string, string>>): string =>
  filled(written, values).replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, " ")
