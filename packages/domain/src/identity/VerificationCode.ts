/** Single-use codes that prove an email address or set a new password. Only their SHA-256 is stored. */
import { Duration, Effect } from "effect"
import { crockford, readCrockford } from "../kernel/security/Crockford.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"

/** How long a code that verifies an email lives. */
export const verificationCodeLifetime = Duration.hours(24)

/** How long a code that sets a new password lives. */
export const resetCodeLifetime = Duration.hours(1)

/** What a code is good for. */
export type CodePurpose = "verify_email" | "reset_password"

/** 80 random bits in four groups of four, to be read aloud: no one guesses it within its day. */
export const newCode = Effect.gen(function* () {
  const cryptography = yield* Cryptography
  const symbols = crockford(yield* cryptography.randomBytes(16))
  return symbols.replaceAll(/.{4}(?=.)/gu, "$&-")
})

/** What is stored of a code, however it was typed. */
export const codeHash = Effect.fnUntraced(function* (
  typed: string
): Effect.fn.Return<string, never, Cryptography> {
  const cryptography = yield* Cryptography
  return yield* cryptography.sha256(readCrockford(typed))
})
