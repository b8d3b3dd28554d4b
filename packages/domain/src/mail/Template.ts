/** Texts with placeholders, written as `{{name}}`. */
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

/** The names of the placeholders in a text. */
export const placeholdersOf = (written: string): ReadonlyArray<string> => {
  const names: Array<string> = []
  replaced(written, (name) => {
    names.push(name)
    return ""
  })
  return names
}

/** A check that a text has no other placeholders than these. */
export const knownPlaceholders = (placeholders: ReadonlyArray<string>) => {
  const known: ReadonlySet<string> = new Set(placeholders)
  return check<string>(
    "unknown_value",
    (written) => placeholdersOf(written).every((name) => known.has(name)),
    {},
    placeholders.map((name) => `{{${name}}}`).join(", ")
  )
}

/** A text with values in place of its placeholders. */
export const filled = (written: string, values: Readonly<Record<string, string>>) =>
  replaced(written, (name) => values[name] ?? "")

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** A plain text as HTML, with its paragraphs and its links. */
export const htmlOf = (plain: string) =>
  `<!doctype html><meta charset="utf-8"><body>${plain
    .split(/\n{2,}/u)
    .map((paragraph) => {
      const escaped = paragraph.replaceAll(/[&<>"']/gu, (sign) => escapes[sign] ?? sign)
      const linked = escaped.replaceAll(
        /https?:\/\/[^\s<>]+/gu,
        (address) => `<a href="${address}">${address}</a>`
      )
      return `<p>${linked.replaceAll("\n", "<br>")}</p>`
    })
    .join("")}</body>`

/** A text in one line: a name with a line break must not end the header of a subject. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, " ")
