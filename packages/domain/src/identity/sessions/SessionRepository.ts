/** The port that stores sessions: one for each sign-in, with the chain of refresh tokens that descend from it. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import type { SessionId, UserId } from "../../kernel/Ids.ts"
import type { ActingDriver } from "../users/ActingDriver.ts"
import type { ActiveSession, LockedToken } from "./Session.ts"

/**
 * Every change of a session locks its row until the transaction ends. A change that also needs the user's row locks that
 * one first, and a change of several sessions locks them in the order of their ids. So refresh, logout and password
 * change run one after the other, without deadlocks (docs/lock-order.md).
 *
 * - `open`: a new session with its first refresh token, by its SHA-256. Each call also deletes a few sessions that ended
 *   more than a week ago.
 * - `lockByToken`: locks the session of a token and returns both; `None` if the token is unknown.
 * - `rotate`: marks a locked token as rotated and stores its successor. `sealedSuccessor` replaces that of the previous
 *   rotation.
 * - `revoke`: ends a session; false if it had ended already.
 * - `revokeAll`: ends every session of a user except `keep`. It returns the ended ones, and whether `keep` is active.
 * - `findActive`: the session at `now`; `None` if it is unknown, revoked or expired.
 * - `findAllActive`: those of the sessions that are active at `now`, in any order; one statement for any number of them.
 * - `driversOf`: the active drivers' records of a user's account, by business.
 * - `businessesOf`: the businesses that a user may act for, or that a driver's account drives for, oldest first.
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
    readonly lockByToken: (refreshTokenHash: string) => Effect.Effect<Option.Option<LockedToken>>
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
    readonly findActive: (
      sessionId: SessionId,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<ActiveSession>>
    readonly findAllActive: (
      sessionIds: ReadonlyArray<SessionId>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ActiveSession & { readonly sessionId: SessionId }>>
    readonly driversOf: (userId: UserId) => Effect.Effect<ReadonlyArray<ActingDriver>>
    readonly businessesOf: (userId: UserId) => Effect.Effect<ReadonlyArray<ActingBusiness>>
  }
>()("@livery/domain/SessionRepository") {}
