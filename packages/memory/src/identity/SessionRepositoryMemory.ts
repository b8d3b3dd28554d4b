import {
  type ActingBusiness,
  type ActiveSession,
  SessionId,
  SessionRepository,
  User,
  type UserId
} from "@livery/domain"
import { DateTime, Option } from "effect"
import { actingBusiness, only } from "../store/Fields.ts"
import { ascending } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

const byBusiness = ascending(({ business_id }: Pick<ActingBusiness, "business_id">) => [business_id])

export const layer = inMemory(
  SessionRepository,
  ({ businesses, drivers, members, refreshTokens, sessions, step, users }) => {
    const revoke = (sessionId: SessionId) => {
      if (sessions.get(sessionId)?.isRevoked !== false) return false
      sessions.change(sessionId, { isRevoked: true, successor: null })
      return true
    }

    const memberOf = (userId: UserId) =>
      members
        .where(({ user_id }) => user_id === userId)
        .flatMap(({ business_id, role }) => {
          const business = businesses.get(business_id)
          return business === undefined ? [] : [{ ...actingBusiness(business), role }]
        })
        .toSorted(byBusiness)

    const driversOf = (userId: UserId) =>
      drivers
        .where(({ active, deleted_at, user_id }) => user_id === userId && active && deleted_at === undefined)
        .toSorted(byBusiness)
        .flatMap(({ business_id, driver_id }) => {
          const business = businesses.get(business_id)
          return business === undefined ? [] : [{ driver_id, business: actingBusiness(business) }]
        })

    const active = (sessionId: SessionId, now: DateTime.Utc): ActiveSession | undefined => {
      const session = sessions.get(sessionId)
      const user = session && users.get(session.user_id)
      if (user === undefined || session === undefined || session.isRevoked) return undefined
      if (!DateTime.isGreaterThan(session.expiresAt, now)) return undefined
      return {
        user: only(User, user),
        businesses: memberOf(user.user_id)
      }
    }

    return {
      open: ({ expiresAt, refreshTokenExpiresAt, refreshTokenHash, userId }) =>
        step(() => {
          if (refreshTokens.get(refreshTokenHash)) throw new Error("Another session has that refresh token")
          const sessionId = SessionId.make(sessions.next())
          sessions.set(sessionId, {
            session_id: sessionId,
            user_id: userId,
            expiresAt,
            isRevoked: false,
            successor: null
          })
          refreshTokens.set(refreshTokenHash, {
            tokenHash: refreshTokenHash,
            sessionId,
            expiresAt: refreshTokenExpiresAt,
            rotatedAt: null
          })
          return sessionId
        }),
      lockByToken: (tokenHash) =>
        step(() => {
          const token = refreshTokens.get(tokenHash)
          const session = token && sessions.get(token.sessionId)
          if (token === undefined || session === undefined) return Option.none()
          return Option.some({
            sessionId: session.session_id,
            userId: session.user_id,
            revoked: session.isRevoked,
            sessionExpiresAt: session.expiresAt,
            expiresAt: token.expiresAt,
            rotatedAt: token.rotatedAt,
            sealedSuccessor: session.successor?.tokenHash === tokenHash ? session.successor.sealed : null
          })
        }),
      rotate: ({ expiresAt, now, refreshTokenHash, sealedSuccessor, sessionId, successorHash }) =>
        step(() => {
          sessions.change(sessionId, {
            successor:
              sealedSuccessor === null ? null : { tokenHash: refreshTokenHash, sealed: sealedSuccessor }
          })
          if (refreshTokens.get(refreshTokenHash)?.rotatedAt !== null) return
          refreshTokens.change(refreshTokenHash, { rotatedAt: now })
          refreshTokens.set(successorHash, {
            tokenHash: successorHash,
            sessionId,
            expiresAt,
            rotatedAt: null
          })
        }),
      revoke: (sessionId) => step(() => revoke(sessionId)),
      revokeAll: (userId, keep) =>
        step(() => {
          const active = sessions
            .where(({ isRevoked, user_id }) => user_id === userId && !isRevoked)
            .map(({ session_id }) => session_id)
          return {
            revoked: active.filter((sessionId) => sessionId !== keep && revoke(sessionId)),
            kept: active.some((sessionId) => sessionId === keep)
          }
        }),
      findActive: (sessionId, now) => step(() => Option.fromUndefinedOr(active(sessionId, now))),
      findAllActive: (sessionIds, now) =>
        step(() =>
          [...new Set(sessionIds)].flatMap((sessionId) => {
            const session = active(sessionId, now)
            return session === undefined ? [] : [{ ...session, sessionId }]
          })
        ),
      driversOf: (userId) => step(() => driversOf(userId)),
      businessesOf: (userId) =>
        step(() => {
          const driven = users.get(userId)?.account_type === "D" ? driversOf(userId) : []
          const all = [
            ...memberOf(userId).map(({ role: _role, ...business }) => business),
            ...driven.map(({ business }) => business)
          ]
          return [...new Map(all.map((one) => [one.business_id, one])).values()].toSorted(byBusiness)
        })
    }
  }
)
