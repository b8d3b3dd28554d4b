/** The port that stores the codes. */
import type { Effect } from "effect"
import { Context, type DateTime, type Option } from "effect"
import type { UserId } from "../../kernel/Ids.ts"
import type { CodePurpose } from "./VerificationCode.ts"

/**
 * A caller that also needs the user's row locks that one first (`UserRepository.lock`).
 *
 * - `issue`: stores a code of the user, valid until `expiresAt`, or until the next code if `isNewestOnly` of its purpose. A
 *   code without a user is never valid; storing one takes as long as storing any other.
 * - `ownerOf`: the user of a code that could be redeemed now.
 * - `redeem`: uses a code up and returns its user; `None` if it is unknown, used, void or expired. Of concurrent calls, one
 *   returns the user.
 * - `void`: invalidates a user's codes for that purpose.
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
