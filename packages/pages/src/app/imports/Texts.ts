/** Fields and reasons in the reader's words. */
import { fill } from "../../i18n/Format.ts"
import type { ImportWords } from "./words/en.ts"

const has = (words: ImportWords, key: string): key is keyof ImportWords => Object.hasOwn(words, key)

/** The name of a field of an import. */
export const fieldName = (field: string, words: ImportWords): string => {
  const key = `field_${field}`
  return has(words, key) ? words[key] : field
}

/** A reason of a refused line. The server names the field and what is wrong with it; other reasons are whole sentences. */
export const reasonText = (reason: string, words: ImportWords): string => {
  const [, field = "", issue = "", accepted] =
    /^([\w.]+) (required|invalid|too short|too long|out of range|unknown value|not found)(?: \(accepted: (.+)\))?$/u.exec(
      reason
    ) ?? []
  const key = `issue_${issue.replaceAll(" ", "_")}`
  if (!has(words, key)) return reason
  const text = fill(words.reason, { field: fieldName(field, words), issue: words[key] })
  return accepted === undefined ? text : `${text} (${fill(words.accepted, { values: accepted })})`
}
