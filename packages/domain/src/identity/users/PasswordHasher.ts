/** The port for password hashes. */
import { Context, type Effect, type Redacted } from "effect"
import type { TooManyRequests } from "../../kernel/Errors.ts"

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
