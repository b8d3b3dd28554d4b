/** What goes with a new password, whoever sets it: what the old one opened is closed, and the audit log has it. */
import { DateTime, Effect } from "effect"
import type { SessionId, UserId } from "../kernel/Ids.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { auditTrail } from "../audit/AuditTrail.ts"
import { SessionRepository } from "./SessionRepository.ts"
import { CredentialCache } from "./CredentialCache.ts"
import { UserRepository } from "./UserRepository.ts"
import { VerificationCodeRepository } from "./VerificationCodeRepository.ts"

/** A new password: whose, its hash, which session stays, and what the audit log says of it. */
export interface PasswordReplacement {
  readonly userId: UserId
  readonly passwordHash: string
  readonly keep?: SessionId
  readonly action: string
  readonly reason?: string
}

/**
 * Stores the new hash of a user who is held, in the transaction that is open: the user's sessions but `keep` end, and
 * its reset codes are void. Answers whether `keep` stands.
 */
export const passwordReplacement = Effect.gen(function* () {
  const transaction = yield* Transaction
  const users = yield* UserRepository
  const codes = yield* VerificationCodeRepository
  const sessions = yield* SessionRepository
  const credentials = yield* CredentialCache
  const trail = yield* auditTrail
  return Effect.fnUntraced(function* ({ action, keep, passwordHash, reason, userId }: PasswordReplacement) {
    const now = yield* DateTime.now
    const { kept, revoked } = yield* sessions.revokeAll(userId, keep ?? null, now)
    yield* users.replacePasswordHash(userId, passwordHash)
    yield* codes.void(userId, "reset_password", now)
    const actor = `user:${userId}`
    yield* trail({
      actor,
      action,
      subject: actor,
      after: { sessions_revoked: revoked.length },
      ...(reason === undefined ? {} : { reason })
    })
    yield* transaction.afterCommit(Effect.forEach(revoked, credentials.invalidateSession, { discard: true }))
    return kept
  })
})
