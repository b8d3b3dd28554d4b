/** A field whose value is one of a few words. */
import { Schema, SchemaTransformation } from "effect"
import { check } from "./FieldIssue.ts"

/** One of the given words; spaces around it are dropped. Any other text is `unknown_value`. */
export const oneOf = <const Words extends ReadonlyArray<string>>(
  words: Schema.Literals<Words>
): Schema.Codec<Words[number], string> & Schema.WithoutConstructorDefault => {
  const known: ReadonlySet<string> = new Set(words.literals)
  return Schema.String.check(
    check<string>(
      "unknown_value",
      (text) => known.has(text.trim()),
      { enum: words.literals },
      words.literals.join(", ")
    )
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
