/** `SessionRepository` in memory. */
import type { LockedToken, SessionId, SessionRepository, UserId } from "@livery/domain"
import { type DateTime, Effect, Option } from "effect"

type Opening = Parameters<SessionRepository["Service"]["open"]>[0]

interface Family {
  readonly sessionId: SessionId
  readonly userId: UserId
  readonly expiresAt: DateTime.Utc
  revoked: boolean
  successorOf: { readonly hash: string; readonly sealed: string } | undefined
}

interface Token {
  readonly hash: string
  readonly family: Family
  readonly expiresAt: DateTime.Utc
  rotatedAt: DateTime.Utc | null
}

export const memorySessions = () => {
  const opened: Array<Opening> = []
  const families: Array<Family> = []
  const tokens: Array<Token> = []

  const open = (session: Opening): SessionId => {
    opened.push(session)
    const sessionId = opened.length as SessionId
    const { expiresAt, userId } = session
    const family: Family = { sessionId, userId, expiresAt, revoked: false, successorOf: undefined }
    families.push(family)
    tokens.push({
      hash: session.refreshTokenHash,
      family,
      expiresAt: session.refreshTokenExpiresAt,
      rotatedAt: null
    })
    return sessionId
  }

  const lockedToken = ({ expiresAt, family, hash, rotatedAt }: Token): LockedToken => ({
    sessionId: family.sessionId,
    userId: family.userId,
    revoked: family.revoked,
    sessionExpiresAt: family.expiresAt,
    expiresAt,
    rotatedAt,
    sealedSuccessor: family.successorOf?.hash === hash ? family.successorOf.sealed : null
  })

  const end = (family: Family) => {
    const wasActive = !family.revoked
    family.revoked = true
    return wasActive
  }

  const methods = {
    lockByToken: (hash) =>
      Effect.sync(() =>
        Option.map(Option.fromUndefinedOr(tokens.find((token) => token.hash === hash)), lockedToken)
      ),
    rotate: ({ expiresAt, now, refreshTokenHash, sealedSuccessor, successorHash }) =>
      Effect.sync(() => {
        const token = tokens.find(({ hash }) => hash === refreshTokenHash)
        if (token === undefined || token.rotatedAt !== null) throw new Error("There is no such live token")
        token.rotatedAt = now
        token.family.successorOf =
          sealedSuccessor === null ? undefined : { hash: refreshTokenHash, sealed: sealedSuccessor }
        tokens.push({ hash: successorHash, family: token.family, expiresAt, rotatedAt: null })
      }),
    revoke: (sessionId) =>
      Effect.sync(() => families.some((family) => family.sessionId === sessionId && end(family))),
    revokeAll: (userId, keep) =>
      Effect.sync(() => {
        const active = families.filter((family) => family.userId === userId && !family.revoked)
        const revoked = active.filter(({ sessionId }) => sessionId !== keep)
        for (const family of revoked) end(family)
        return {
          revoked: revoked.map(({ sessionId }) => sessionId),
          kept: active.some(({ sessionId }) => sessionId === keep)
        }
      })
  } satisfies Pick<SessionRepository["Service"], "lockByToken" | "revoke" | "revokeAll" | "rotate">

  /** The number of a user's tokens that can be rotated. */
  const live = (userId: number) =>
    tokens.filter(
      ({ family, rotatedAt }) => family.userId === userId && !family.revoked && rotatedAt === null
    ).length

  const isActive = (sessionId: SessionId) =>
    families.some((family) => family.sessionId === sessionId && !family.revoked)

  /** The stored encrypted successors. */
  const successors = () => families.flatMap(({ successorOf }) => successorOf?.sealed ?? [])

  return { opened, open, methods, live, isActive, successors }
}
