import { Context, type DateTime, type Effect, type Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import type { SessionId, UserId } from "../kernel/Ids.ts"
import type { StandingSession, HeldToken } from "./Session.ts"

/**
 * The port that stores sessions: one family for each sign-in, with the refresh tokens that descend from it, by their
 * SHA-256.
 *
 * Who changes a family locks its row first, until the transaction's end; who needs the user's row too locks that
 * one before, and who locks several families does so in the order of their ids. So any two of refresh, logout and
 * password change happen one after the other, and never wait for each other in a circle.
 *
 * - `open`: a new family with its first refresh token. Of families that ended more than a week ago, a few are
 *   forgotten with each new one.
 * - `hold`: locks the family that a token belongs to and tells how both stand; `None` if the token is unknown.
 * - `rotate`: uses a held token up and stores its successor. Remembers that one, sealed, in the place of the
 *   last, or nothing.
 * - `revoke`: ends a family; whether it had not been ended yet.
 * - `revokeAll`: ends every family of a user but `keep`, and answers which it ended, and whether `keep` stands.
 * - `standing`: what the session may do at `now`; `None` if it was revoked, is over or is unknown.
 * - `businessesOf`: the businesses that a user may act for, or of a driver's account those it drives for, oldest first.
 */
export class SessionRepository extends Context.Service<
  SessionRepository,
  {
    readonly open: (session: {
      readonly userId: UserId
      readonly deviceName: string | null
      readonly refreshTokenHash: string
      readonly refreshTokenExpiresAt: DateTime.Utc
      readonly now: DateTime.Utc
      readonly expiresAt: DateTime.Utc
    }) => Effect.Effect<SessionId>
    readonly hold: (refreshTokenHash: string) => Effect.Effect<Option.Option<HeldToken>>
    readonly rotate: (rotation: {
      readonly sessionId: SessionId
      readonly refreshTokenHash: string
      readonly successorHash: string
      readonly sealedSuccessor: string | null
      readonly now: DateTime.Utc
      readonly expiresAt: DateTime.Utc
    }) => Effect.Effect<void>
    readonly revoke: (sessionId: SessionId, now: DateTime.Utc) => Effect.Effect<boolean>
    readonly revokeAll: (
      userId: UserId,
      keep: SessionId | null,
      now: DateTime.Utc
    ) => Effect.Effect<{ readonly revoked: ReadonlyArray<SessionId>; readonly kept: boolean }>
    readonly standing: (
      sessionId: SessionId,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<StandingSession>>
    readonly businessesOf: (userId: UserId) => Effect.Effect<ReadonlyArray<ActingBusiness>>
  }
>()("@livery/domain/SessionRepository") {}
