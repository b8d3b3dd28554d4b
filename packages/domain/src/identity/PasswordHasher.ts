/** The port for password hashes. */
import { Context, type Effect, type Redacted, Schema } from "effect"
import type { TooManyRequests } from "../kernel/Errors.ts"
import { check } from "../kernel/fields/FieldIssue.ts"

/** A new password: 8 to 256 characters, used as typed: neither trimmed nor cut (specification, Limits). */
export const NewPassword = Schema.String.check(
  check<string>("required", (password) => password !== "", { minLength: 8 }),
  check<string>("too_short", (password) => Array.from(password).length >= 8),
  check<string>("too_long", (password) => password.length <= 512 && Array.from(password).length <= 256, {
    maxLength: 256
  }),
  check<string>("invalid", (password) => password.isWellFormed() && !password.includes("\u0000"))
).pipe(Schema.RedactedFromValue)

/** A password to compare: anything that a password could be. */
export const GivenPassword = Schema.String.check(
  check<string>("required", (password) => password !== "", { minLength: 1 }),
  check<string>("too_long", (password) => password.length <= 512, { maxLength: 512 }),
  check<string>("invalid", (password) => password.isWellFormed())
).pipe(Schema.RedactedFromValue)

/**
 * Stands for the hash of who has no password: nothing matches it, and to find that out takes as long as with any
 * other.
 */
export const noPassword = "!"

/**
 * - `hash`: an encoded hash with its own salt and parameters.
 * - `verify`: whether the password made the hash, and whether the hash is weaker than today's and should be made
 *   again.
 * - `verifyNothing`: takes the time of `verify` and is always wrong, so that an unknown email cannot be told
 *   from a wrong password by the clock.
 *
 * Hashing is slow on purpose. What exceeds the hasher's bounds is refused with `TooManyRequests` rather than
 * queued without end.
 */
export class PasswordHasher extends Context.Service<
  PasswordHasher,
  {
    readonly hash: (password: Redacted.Redacted) => Effect.Effect<string, TooManyRequests>
    readonly verify: (
      password: Redacted.Redacted,
      hash: string
    ) => Effect.Effect<{ readonly matches: boolean; readonly outdated: boolean }, TooManyRequests>
    readonly verifyNothing: (password: Redacted.Redacted) => Effect.Effect<void, TooManyRequests>
  }
>()("@livery/domain/PasswordHasher") {}
