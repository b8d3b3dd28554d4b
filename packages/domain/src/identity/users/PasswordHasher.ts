/** The port for password hashes. */
import { Context, type Effect, type Redacted, Schema, SchemaTransformation } from "effect"
import type { TooManyRequests } from "../../kernel/Errors.ts"
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
  check<string>("too_short", (password) => Array.from(password).length >= 8),
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

/** The stored hash of a user without a password. No password matches it, and a comparison takes as long as any other. */
export const noPassword = "!"

/**
 * - `hash`: an encoded hash with its own salt and parameters.
 * - `compare`: whether the password matches the hash, and whether the hash is weaker than the current parameters and
 *   should be replaced.
 * - `compareDummy`: takes the time of `compare` and never matches, so that the response time does not reveal whether an
 *   email is known.
 *
 * Hashing is slow on purpose. Calls beyond the hasher's bounds fail with `TooManyRequests` instead of queueing.
 */
export class PasswordHasher extends Context.Service<
  PasswordHasher,
  {
    readonly hash: (password: Redacted.Redacted) => Effect.Effect<string, TooManyRequests>
    readonly compare: (
      password: Redacted.Redacted,
      hash: string
    ) => Effect.Effect<{ readonly matches: boolean; readonly outdated: boolean }, TooManyRequests>
    readonly compareDummy: (password: Redacted.Redacted) => Effect.Effect<void, TooManyRequests>
  }
>()("@livery/domain/PasswordHasher") {}
