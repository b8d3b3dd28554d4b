import type { Effect } from "effect"
import { Context, type DateTime, type Option } from "effect"
import type { UserId } from "../kernel/Ids.ts"
import type { CodePurpose } from "./VerificationCode.ts"

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
