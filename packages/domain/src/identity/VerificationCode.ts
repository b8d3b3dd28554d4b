/** Single-use codes that prove an email address or set a new password. Only their SHA-256 is stored. */
import { Context, type DateTime, Duration, Effect, type Option } from "effect"
import { crockford, readCrockford } from "../kernel/Crockford.ts"
import { Cryptography } from "../kernel/Cryptography.ts"
import type { UserId } from "../kernel/Ids.ts"

/** How long a code that verifies an email lives. */
export const verificationCodeLifetime = Duration.hours(24)

/** How long a code that sets a new password lives. */
export const resetCodeLifetime = Duration.hours(1)

/** What a code is good for. */
export type CodePurpose = "verify_email" | "reset_password"

/**
 * The port that stores codes. Of a user's codes for one purpose only the newest is good. Who uses a code and needs
 * its user's row too locks that one first (`UserRepository`'s `hold`).
 *
 * - `issue`: a code of the user, good until `expiresAt` or the next one. A code of
 *   nobody (`userId` null) is good for nothing, and costs what any other does.
 * - `ownerOf`: whose a code is, as long as it could be redeemed.
 * - `redeem`: uses the code up and answers whose it was; `None` if it is unknown, used, void or expired. Of two at
 *   once, one gets it.
 * - `void`: makes a user's codes for that purpose good for nothing.
 */
export class VerificationCodeRepository extends Context.Service<
  VerificationCodeRepository,
  {
    readonly issue: (code: {
      readonly codeHash: string
      readonly userId: UserId | null
      readonly purpose: CodePurpose
      readonly expiresAt: DateTime.Utc
    }) => Effect.Effect<void>
    readonly ownerOf: (
      codeHash: string,
      purpose: CodePurpose,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<UserId>>
    readonly redeem: (
      codeHash: string,
      purpose: CodePurpose,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<UserId>>
    readonly void: (userId: UserId, purpose: CodePurpose, now: DateTime.Utc) => Effect.Effect<void>
  }
>()("@livery/domain/VerificationCodeRepository") {}

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
