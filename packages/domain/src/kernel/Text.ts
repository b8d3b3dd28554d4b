/**
 * Text that people type: trimmed, well formed, bounded. An empty required text counts as missing, an empty
 * optional one as absent.
 */
import { Effect, Option, Predicate, Schema, SchemaGetter, SchemaTransformation } from "effect"
import { check } from "./FieldIssue.ts"

const NUL = "\u0000"

/** PostgreSQL stores no NUL, and a lone surrogate has no UTF-8 form: both are refused, never mended. */
export const storable = check<string>("invalid", (text) => !text.includes(NUL) && text.isWellFormed())

const atMost = (maximum: number) =>
  check<string>("too_long", (text) => text.length <= maximum || Array.from(text.trim()).length <= maximum, {
    maxLength: maximum
  })

/** Without the space around it; encoded, it stays as it is. */
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

const absent = Effect.succeed(null)

/** A field that may be absent or `null`; either way it decodes to `null`. */
export const orNull = <S extends Schema.Constraint>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.withDecodingDefaultKey(absent), Schema.withConstructorDefault(absent))

/** A field that may be absent or `null`; either way it is absent once decoded. For what cannot be emptied. */
export const omittable = <S extends Schema.Constraint>(schema: S) =>
  Schema.optionalKey(Schema.NullOr(schema)).pipe(
    Schema.decodeTo(Schema.optionalKey(Schema.toType(schema)), {
      decode: SchemaGetter.transformOptional(Option.filter(Predicate.isNotNull)),
      encode: SchemaGetter.passthrough()
    })
  )

/** A yes or no that may be absent or `null`; either way it decodes to `usual`. */
export const yesOrNo = (usual: boolean) =>
  Schema.NullOr(Schema.Boolean).pipe(
    Schema.decodeTo(
      Schema.Boolean,
      SchemaTransformation.transform<boolean, boolean | null>({
        decode: (value) => value ?? usual,
        encode: (value) => value
      })
    ),
    Schema.withDecodingDefaultKey(Effect.succeed(usual)),
    Schema.withConstructorDefault(Effect.succeed(usual))
  )

/** Trims, and makes of a blank nothing. */
const blankIsNull = (normal: (value: string) => string) =>
  SchemaTransformation.transform<string | null, string>({
    decode: (value) => (value.trim() === "" ? null : normal(value.trim())),
    encode: (value) => value ?? ""
  })

/** A text of at most `maximum` characters that a change may clear: `null` and blank decode to `null`. */
export const clearableText = (maximum: number) =>
  Schema.NullOr(
    Schema.String.check(storable, atMost(maximum)).pipe(
      Schema.decodeTo(
        Schema.NullOr(Schema.String),
        blankIsNull((value) => value)
      )
    )
  )

/** An optional text of at most `maximum` characters; absent, `null` and blank decode to `null`. */
export const optionalText = (maximum: number) =>
  orNull(
    Schema.String.check(storable, atMost(maximum)).pipe(
      Schema.decodeTo(
        Schema.NullOr(Schema.String),
        blankIsNull((value) => value)
      )
    )
  )

const isEmailAddress = (value: string) =>
  /^[^\s\p{Cc}@"(),:;<>[\\\]]{1,64}@(?:[^\s\p{Cc}@"(),:;<>[\\\]_.]+\.)+[^\s\p{Cc}@"(),:;<>[\\\]_.]+$/u.test(
    value.trim()
  )

/**
 * An email address as mail servers take it: one `@`, no spaces, no line break (which would add a recipient),
 * at most 254 characters; compared in lower case.
 */
export const EmailAddress = Schema.String.check(
  check<string>("required", (value) => value.trim() !== "", { minLength: 1 }),
  storable,
  check<string>("invalid", isEmailAddress, { format: "email" }),
  atMost(254)
).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform<string, string>({
      decode: (value) => value.trim().toLowerCase(),
      encode: (value) => value
    })
  )
)

const emailAddressOrBlank = Schema.String.check(
  storable,
  check<string>("invalid", (value) => value.trim() === "" || isEmailAddress(value), { format: "email" }),
  atMost(254)
).pipe(
  Schema.decodeTo(
    Schema.NullOr(Schema.String),
    blankIsNull((value) => value.toLowerCase())
  )
)

/** An optional {@link EmailAddress}; absent, `null` and blank decode to `null`. */
export const optionalEmailAddress = orNull(emailAddressOrBlank)

/** An {@link EmailAddress} that a change may clear: `null` and blank decode to `null`. */
export const clearableEmailAddress = Schema.NullOr(emailAddressOrBlank)

const parsed = Schema.decodeOption(Schema.URLFromString)

/** What a browser would mend, such as a line break, it would read otherwise than who looks at the text. */
const isWebAddress = (value: string) => {
  const address = value.trim()
  return /^https?:\/\/[^\s\p{Cc}/]+(?:\/[^\s\p{Cc}]*)?$/iu.test(address) && Option.isSome(parsed(address))
}

const webAddressOrBlank = Schema.String.check(
  storable,
  check<string>("invalid", (value) => value.trim() === "" || isWebAddress(value), { format: "uri" }),
  atMost(2048)
).pipe(
  Schema.decodeTo(
    Schema.NullOr(Schema.String),
    blankIsNull((value) => value)
  )
)

/** An optional http or https address of at most 2,048 characters; absent, `null` and blank decode to `null`. */
export const optionalWebAddress = orNull(webAddressOrBlank)

/** An http or https address that a change may clear: `null` and blank decode to `null`. */
export const clearableWebAddress = Schema.NullOr(webAddressOrBlank)
