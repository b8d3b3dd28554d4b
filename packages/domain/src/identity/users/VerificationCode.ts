/** Single-use codes that prove an email address, set a new password or open the demonstration business. Only their SHA-256 is stored. */
import { Duration, Effect } from "effect"
import { crockford, readCrockford } from "../../kernel/security/Crockford.ts"
import { Cryptography } from "../../kernel/security/Cryptography.ts"

/** The lifetime of a code that verifies an email. */
export const verificationCodeLifetime = Duration.hours(24)

/** The lifetime of a code that sets a new password. */
export const resetCodeLifetime = Duration.hours(1)

/** The lifetime of a code that opens the demonstration business. */
export const demonstrationCodeLifetime = Duration.minutes(15)

/** The purposes of codes. */
export type CodePurpose = "verify_email" | "reset_password" | "demonstration"

/** How many symbols a code has. */
export const codeLength = 16

/**
 * Whether a user's newest code for a purpose is the only valid one. A reset code stays valid beside newer ones: anyone can
 * request one for any address, and would otherwise void the code that its owner is about to enter.
 */
export const isNewestOnly = (purpose: CodePurpose): boolean => purpose === "verify_email"

/** A new code: 80 random bits in four groups of four symbols. It cannot be guessed within its lifetime. */
export const newCode = Effect.gen(function* () {
  const cryptography = yield* Cryptography
  const symbols = crockford(yield* cryptography.randomBytes(codeLength))
  return symbols.replaceAll(/.{4}(?=.)/gu, "$&-")
})

/** The stored hash of a code as a person typed it. */
export const codeHash = Effect.fnUntraced(function* (
  typed: string
): Effect.fn.Return<string, never, Cryptography> {
  const cryptography = yield* Cryptography
  return yield* cryptography.sha256(readCrockford(typed))
})
