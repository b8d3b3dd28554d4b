/** The ports of users, businesses, codes, sessions and messages in memory. */
import {
  AccessTokens,
  type Account,
  type ActingBusiness,
  type AuditEntry,
  AuditLog,
  BusinessRepository,
  type BusinessId,
  EmailExists,
  type MailMessage,
  isNewestOnly,
  MailOutbox,
  PasswordHasher,
  type SessionId,
  SecretBox,
  SessionRepository,
  CredentialCache,
  TooManyRequests,
  Unauthorized,
  type UserId,
  UserRepository,
  VerificationCodeRepository
} from "@livery/domain"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { business } from "./People.ts"
import { memorySessions } from "./MemorySessions.ts"
import { memoryTransactions } from "./MemoryTransactions.ts"

type Code = Parameters<VerificationCodeRepository["Service"]["issue"]>[0]

export const memoryAccounts = () => {
  const transaction = memoryTransactions()
  const calls: Array<string> = []
  const book = memorySessions()
  const stored = {
    accounts: [] as Array<{ -readonly [Key in keyof Account]: Account[Key] }>,
    businesses: [] as Array<Parameters<BusinessRepository["Service"]["insert"]>[0]>,
    members: [] as Array<readonly [BusinessId, UserId]>,
    codes: [] as Array<Code>,
    sessions: book.opened,
    messages: [] as Array<MailMessage>,
    audit: [] as Array<AuditEntry>,
    forgotten: [] as Array<number>
  }
  /** Whether the hasher is busy, whether hashes are outdated, and what happens during a comparison. */
  const hasher = { busy: false, outdated: false, onCompare: () => {} }
  const noting = <A, E, R>(what: string, effect: Effect.Effect<A, E, R>) =>
    transaction.noting(calls, what, effect)
  const byEmail = (email: string) =>
    Effect.sync(() => Option.fromUndefinedOr(stored.accounts.find(({ user }) => user.email === email)))
  const accountOf = (userId: UserId) => stored.accounts.find(({ user }) => user.user_id === userId)

  const Users = Layer.succeed(
    UserRepository,
    UserRepository.of({
      insert: (given) =>
        noting(
          "user",
          Effect.suspend(() => {
            if (stored.accounts.some(({ user }) => user.email === given.email))
              return Effect.fail(new EmailExists())
            const user_id = (stored.accounts.length + 1) as UserId
            const { accountType, email, mobilePhone, name, passwordHash, verifiedAt } = given
            stored.accounts.push({
              passwordHash,
              user: {
                user_id,
                email,
                name,
                mobile_phone: mobilePhone,
                account_type: accountType,
                email_verified: verifiedAt !== null
              }
            })
            return Effect.succeed(user_id)
          })
        ),
      find: (userId) => Effect.sync(() => Option.fromUndefinedOr(accountOf(userId)?.user)),
      findByEmail: byEmail,
      lock: (userId) =>
        noting(
          "lock",
          Effect.sync(() => Option.fromUndefinedOr(accountOf(userId)))
        ),
      lockByEmail: (email) => noting("lock", byEmail(email)),
      change: (userId, change) =>
        Effect.sync(() => {
          const account = accountOf(userId)
          if (account !== undefined) account.user = { ...account.user, ...change }
          return Option.fromUndefinedOr(account?.user)
        }),
      markVerified: (userId) =>
        noting(
          "verified",
          Effect.sync(() => {
            const account = accountOf(userId)
            if (account !== undefined) account.user = { ...account.user, email_verified: true }
          })
        ),
      replacePasswordHash: (userId, passwordHash) =>
        noting(
          "rehash",
          Effect.sync(() => {
            const account = accountOf(userId)
            if (account !== undefined) account.passwordHash = passwordHash
          })
        ),
      driverOf: () => Effect.succeedNone,
      any: Effect.sync(() => stored.accounts.length > 0)
    })
  )

  const Businesses = Layer.mock(BusinessRepository)({
    insert: (given) =>
      noting(
        "business",
        Effect.sync(() => {
          if (stored.businesses.some(({ slug }) => slug === given.slug)) return Option.none<BusinessId>()
          stored.businesses.push(given)
          return Option.some(stored.businesses.length as BusinessId)
        })
      ),
    addMember: (businessId, userId) =>
      noting(
        "member",
        Effect.sync(() => void stored.members.push([businessId, userId]))
      )
  })

  const codeOf = (codeHash: string, purpose: Code["purpose"], now: DateTime.Utc) =>
    stored.codes.findIndex(
      (code) =>
        code.codeHash === codeHash && code.purpose === purpose && DateTime.isLessThan(now, code.expiresAt)
    )
  const without = (userId: UserId | null, purpose: Code["purpose"]) =>
    stored.codes.filter((code) => userId === null || code.userId !== userId || code.purpose !== purpose)

  const Codes = Layer.succeed(
    VerificationCodeRepository,
    VerificationCodeRepository.of({
      issue: (code) =>
        noting(
          "code",
          Effect.sync(
            () =>
              void (stored.codes = [
                ...(isNewestOnly(code.purpose) ? without(code.userId, code.purpose) : stored.codes),
                code
              ])
          )
        ),
      ownerOf: (codeHash, purpose, now) =>
        Effect.sync(() => Option.fromNullishOr(stored.codes[codeOf(codeHash, purpose, now)]?.userId)),
      redeem: (codeHash, purpose, now) =>
        noting(
          "redeem",
          Effect.sync(() => {
            const at = codeOf(codeHash, purpose, now)
            return Option.fromNullishOr(stored.codes.splice(at, at < 0 ? 0 : 1)[0]?.userId)
          })
        ),
      void: (userId, purpose) => Effect.sync(() => void (stored.codes = without(userId, purpose)))
    })
  )

  const actingBusinesses = (userId: UserId): ReadonlyArray<ActingBusiness> =>
    stored.members.filter(([, member]) => member === userId).map(([id]) => business(id))

  const findActive = (sessionId: SessionId) =>
    Effect.sync(() => {
      const account = accountOf(stored.sessions[sessionId - 1]?.userId ?? (0 as UserId))
      return account === undefined || !book.isActive(sessionId)
        ? Option.none()
        : Option.some({ user: account.user, businesses: actingBusinesses(account.user.user_id), drivers: [] })
    })

  const Sessions = Layer.mock(SessionRepository)({
    ...book.methods,
    open: (session) =>
      noting(
        "session",
        Effect.sync(() => book.open(session))
      ),
    findActive,
    businessesOf: (userId) => Effect.sync(() => actingBusinesses(userId))
  })

  const Hasher = Layer.succeed(
    PasswordHasher,
    PasswordHasher.of({
      hash: (password) =>
        noting(
          "hash",
          hasher.busy
            ? Effect.fail(new TooManyRequests({ retryAfterSeconds: 1 }))
            : Effect.succeed(
                `hash ${stored.accounts.length} of ${Redacted.value(password).length}:${Redacted.value(password).at(-1)}`
              )
        ),
      compare: (password, hash) =>
        noting(
          "compare",
          Effect.sync(() => {
            hasher.onCompare()
            return {
              matches: hash.endsWith(`${Redacted.value(password).length}:${Redacted.value(password).at(-1)}`),
              outdated: hasher.outdated
            }
          })
        ),
      compareDummy: () => noting("compareDummy", Effect.void)
    })
  )

  const Tokens = Layer.succeed(
    AccessTokens,
    AccessTokens.of({
      issue: ({ sessionId, userId }) => Effect.succeed(Redacted.make(`token:${userId}:${sessionId}`)),
      verify: (token) => {
        const [, userId, sessionId] = /^token:(\d+):(\d+)$/u.exec(Redacted.value(token)) ?? []
        return sessionId === undefined
          ? Effect.fail(new Unauthorized())
          : Effect.succeed({
              userId: Number(userId) as UserId,
              sessionId: Number(sessionId) as SessionId,
              expiresAt: 900
            })
      }
    })
  )

  const counts = new Map<string, number>()
  const Outbox = Layer.mock(MailOutbox)({
    count: (key, limit) =>
      noting(
        "count",
        Effect.sync(() => {
          const count = counts.get(key) ?? 0
          if (count < limit) counts.set(key, count + 1)
          return count < limit ? 0 : 3600
        })
      ),
    post: (message) =>
      noting(
        "message",
        Effect.sync(() => void stored.messages.push(message))
      )
  })

  const Audit = Layer.succeed(
    AuditLog,
    AuditLog.of({
      record: (entry) =>
        noting(
          "audit",
          Effect.sync(() => void stored.audit.push(entry))
        )
    })
  )

  const Box = Layer.succeed(
    SecretBox,
    SecretBox.of({
      seal: (plain) => Effect.succeed(Array.from(plain).toReversed().join("")),
      open: (sealed) => Effect.succeed(Array.from(sealed).toReversed().join(""))
    })
  )

  /** A cache that stores nothing. */
  const Credentials = Layer.mock(CredentialCache)({
    cachedSession: () => undefined,
    cachedBusinessOfKey: () => undefined,
    session: findActive,
    businessOfKey: (keyHash) => Effect.succeed(keyHash === "" ? Option.none() : Option.some(business(7))),
    invalidateSession: (sessionId) => Effect.sync(() => void stored.forgotten.push(sessionId))
  })

  const layer = Layer.mergeAll(
    transaction.layer,
    Users,
    Businesses,
    Codes,
    Sessions,
    Hasher,
    Tokens,
    Outbox,
    Audit,
    Box,
    Credentials
  )
  return { calls, stored, hasher, layer, book, transaction: transaction.state }
}
