/** The schemas from which the settings are built. */
import { Effect, Schema, SchemaGetter } from "effect"

/** A whole number within bounds, written with digits. Annotate it by {@link expectWhole}. */
export const whole = (minimum: number, maximum: number) =>
  Schema.String.check(Schema.isPattern(/^\d{1,9}$/u)).pipe(
    Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum, maximum })), {
      decode: SchemaGetter.transform(Number),
      encode: SchemaGetter.transform(String)
    })
  )

/** The annotation of {@link whole}: the text of its error. */
export const expectWhole = (minimum: number, maximum: number) => ({
  description: `a whole number from ${minimum} to ${maximum}`
})

/** A whole number within bounds, with a default. */
export const wholeNumber = (minimum: number, maximum: number, fallback: number) =>
  whole(minimum, maximum).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(String(fallback))),
    Schema.annotateKey(expectWhole(minimum, maximum))
  )

/** A rate limit; undefined if the variable is not set. */
export const rateLimit = Schema.optionalKey(
  whole(1, 100_000_000).pipe(Schema.annotateKey(expectWhole(1, 100_000_000)))
)

/** A text that matches a pattern. `expected` completes the sentence "NAME must be …". */
export const text = (pattern: RegExp, expected: string) =>
  Schema.String.check(Schema.isPattern(pattern)).pipe(Schema.annotateKey({ description: expected }))

/** A text that a function accepts. `expected` completes the sentence "NAME must be …". */
export const textWhere = (isValid: (text: string) => boolean, expected: string) =>
  Schema.String.check(Schema.makeFilter(isValid)).pipe(Schema.annotateKey({ description: expected }))

/** `true` or `false`, with a default. */
export const flag = (fallback: "true" | "false") =>
  Schema.Literals(["true", "false"]).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(fallback)),
    Schema.annotateKey({ description: "`true` or `false`" })
  )
