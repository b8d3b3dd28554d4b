/** Text that people type: trimmed, well formed, bounded. An empty text counts as absent. */
import { Schema, SchemaTransformation } from "effect"
import { check } from "./FieldIssue.ts"
import { orNull } from "./Optional.ts"

const NUL = "\u0000"

/** Refuses what PostgreSQL cannot store: the character NUL, and a lone surrogate, which has no UTF-8 form. */
export const storable = check<string>("invalid", (text) => !text.includes(NUL) && text.isWellFormed())

/** Whether a text has at most `maximum` characters. A character takes one or two code units, so few texts need a count. */
const hasAtMost = (maximum: number, text: string) =>
  text.length <= maximum || (text.length <= 2 * maximum && Array.from(text).length <= maximum)

/** The first `count` characters of a text. A character of two code units is not divided, because half of one cannot be stored. */
export const firstCharacters = (text: string, count: number): string =>
  text.length <= count ? text : Array.from(text).slice(0, count).join("")

/** A check that a text has at most `maximum` characters, without the spaces around it. */
export const atMost = (maximum: number) =>
  check<string>("too_long", (text) => text.length <= maximum || hasAtMost(maximum, text.trim()), {
    maxLength: maximum
  })

/** Drops the spaces around a text. */
export const trimming = SchemaTransformation.transform<string, string>({
  decode: (text) => text.trim(),
  encode: (text) => text
})

/** A required text of at most `maximum` characters. */
export const text = (maximum: number) =>
  Schema.String.check(
    check<string>("required", (value) => value.trim() !== "", { minLength: 1 }),
    storable,
    atMost(maximum)
  ).pipe(Schema.decodeTo(Schema.String, trimming))

/** Trims a text and normalises it; a blank text decodes to `null`. */
export const blankIsNull = (normalise: (value: string) => string) =>
  SchemaTransformation.transform<string | null, string>({
    decode: (value) => (value.trim() === "" ? null : normalise(value.trim())),
    encode: (value) => value ?? ""
  })

/** A text of at most `maximum` characters; a blank one decodes to `null`. */
export const textOrBlank = (maximum: number) =>
  Schema.String.check(storable, atMost(maximum)).pipe(
    Schema.decodeTo(
      Schema.NullOr(Schema.String),
      blankIsNull((value) => value)
    )
  )

/** An optional text of at most `maximum` characters; absent, `null` and blank decode to `null`. */
export const optionalText = (maximum: number) => orNull(textOrBlank(maximum))
