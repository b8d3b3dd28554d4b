/** A word out of a few, as people type it: with or without spaces around it. */
import { Schema, SchemaTransformation } from "effect"
import { check } from "./FieldIssue.ts"

/** One of the given words, trimmed like any other text. */
export const choice = <const Words extends ReadonlyArray<string>>(
  words: Schema.Literals<Words>
): Schema.Codec<Words[number], string> => {
  const known: ReadonlySet<string> = new Set(words.literals)
  return Schema.String.check(
    check<string>("unknown_value", (text) => known.has(text.trim()), { enum: words.literals })
  ).pipe(
    Schema.decodeTo(
      words,
      SchemaTransformation.transform<Words[number], string>({
        decode: (text) => text.trim() as Words[number],
        encode: (word) => word
      })
    )
  )
}
