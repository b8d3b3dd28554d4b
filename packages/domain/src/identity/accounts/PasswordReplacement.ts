/** Replaces a password: it ends the sessions that were opened with the old one, and writes to the audit log. */
import { DateTime, Effect } from "effect"
import type { SessionId, UserId } from "../../kernel/Ids.ts"
import { Transaction } from "../../kernel/Transaction.ts"
import { makeAuditTrail } from "../../audit/AuditTrail.ts"
import { SessionRepository } from "../sessions/SessionRepository.ts"
import { CredentialCache } from "../credentials/CredentialCache.ts"
import { UserRepository } from "../users/UserRepository.ts"
import { VerificationCodeRepository } from "../users/VerificationCodeRepository.ts"

/** A new password of a user. */
export interface PasswordReplacement {
  readonly userId: UserId
  readonly passwordHash: string
  /** The session that is not ended. */
  readonly keep?: SessionId
  /** The author in the audit log; by default the user. */
  readonly actor?: string
  /** The action and the reason in the audit log. */
  readonly action: string
  readonly reason?: string
}

/**
 * Builds the function that stores the new hash, ends the user's sessions except `keep` and voids the user's reset codes.
 * Call it in a transaction that has locked the user. It returns whether `keep` is still active.
 */
export const makeReplacePassword = Effect.gen(function* () {
  const transaction = yield* Transaction
  const users = yield* UserRepository
  const codes = yield* VerificationCodeRepository
  const sessions = yield* SessionRepository
  const credentials = yield* CredentialCache
  const writeAudit = yield* makeAuditTrail
  return Effect.fnUntraced(function* ({
    action,
    actor,
    keep,
    passwordHash,
    reason,
    userId
  }: PasswordReplacement) {
    const now = yield* DateTime.now
    const { kept, revoked } = yield* sessions.revokeAll(userId, keep ?? null, now)
    yield* users.replacePasswordHash(userId, passwordHash)
    yield* codes.void(userId, "reset_password", now)
    const subject = `user:${userId}`
    yield* writeAudit({
      actor: actor ?? subject,
      action,
      subject,
      after: { sessions_revoked: revoked.length },
      ...(reason === undefined ? {} : { reason })
    })
    yield* transaction.afterCommit(Effect.forEach(revoked, credentials.invalidateSession, { discard: true }))
    return kept
  })
})
