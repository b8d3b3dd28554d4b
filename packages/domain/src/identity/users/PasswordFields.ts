/** The fields of bodies that hold a password. */
import { Schema, SchemaTransformation } from "effect"
import { check } from "../../kernel/fields/FieldIssue.ts"

/**
 * The canonical form of a password, the `OpaqueString` of RFC 8265: keyboards write the same letter with and without a
 * combining mark, and several kinds of spaces.
 */
export const opaqueString = (password: string): string =>
  password.replaceAll(/\p{Zs}/gu, " ").normalize("NFC")

/** A new password: 8 to 256 characters, neither trimmed nor truncated. It decodes to its canonical form. */
export const NewPassword = Schema.String.check(
  check<string>("required", (password) => password !== "", { minLength: 8 }),
  check<string>("too_short", (password) => Array.from(opaqueString(password)).length >= 8),
  check<string>("too_long", (password) => password.length <= 512 && Array.from(password).length <= 256, {
    maxLength: 256
  }),
  check<string>("invalid", (password) => password.isWellFormed() && !password.includes("\u0000"))
).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform<string, string>({ decode: opaqueString, encode: (password) => password })
  ),
  Schema.RedactedFromValue
)

/** A password to compare with a stored hash: any text that could be a password. */
export const EnteredPassword = Schema.String.check(
  check<string>("required", (password) => password !== "", { minLength: 1 }),
  check<string>("too_long", (password) => password.length <= 512, { maxLength: 512 }),
  check<string>("invalid", (password) => password.isWellFormed())
).pipe(Schema.RedactedFromValue)
