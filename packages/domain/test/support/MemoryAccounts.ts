/** Users, businesses, codes, sessions and messages, on the ports in memory. */
import {
  AccessTokens,
  type Account,
  BusinessId,
  BusinessRepository,
  CredentialCache,
  MailOutbox,
  PasswordHasher,
  PlatformSettings,
  SecretBox,
  type SessionId,
  SessionRepository,
  TooManyRequests,
  Unauthorized,
  UserId,
  UserRepository,
  VerificationCodeRepository
} from "@livery/domain"
import { Memory, Store } from "@livery/memory"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { addBusiness } from "./Businesses.ts"
import { business } from "./People.ts"
import { observed } from "./Observed.ts"

type Code = Parameters<VerificationCodeRepository["Service"]["issue"]>[0]

const beginning = DateTime.makeUnsafe(0)

export const memoryAccounts = () => {
  const store = Store.make()
  const { AuditLogs, calls, observing, state, Transactions } = observed()
  const businesses: Array<Parameters<BusinessRepository["Service"]["insert"]>[0]> = []
  const sessions: Array<Parameters<SessionRepository["Service"]["open"]>[0]> = []
  const forgotten: Array<number> = []
  /** The stored records. */
  const stored = {
    get accounts(): ReadonlyArray<Account> {
      return store.users
        .where()
        .map(({ created_at: _created, passwordHash, updated_at: _updated, ...user }) => ({
          user,
          passwordHash
        }))
    },
    get members() {
      return store.members.where().map(({ business_id, user_id }) => [business_id, user_id] as const)
    },
    /** The codes that were not used or voided. */
    get codes() {
      return store.codes.where(({ isUsed }) => !isUsed)
    },
    get messages() {
      return store.mail.where().map(({ message }) => message)
    },
    /** The links to identities at providers. */
    get links() {
      return store.identities.where()
    },
    get audit() {
      return store.audit.where()
    },
    businesses,
    sessions,
    forgotten
  }
  /** Whether the hasher is busy, whether hashes are outdated, and what happens during a comparison. */
  const hasher = { busy: false, outdated: false, onCompare: () => {} }

  const Observed = Layer.mergeAll(
    Transactions,
    AuditLogs,
    Layer.effect(
      UserRepository,
      Effect.map(UserRepository, (users) =>
        UserRepository.of({
          ...users,
          insert: (user) => observing("user", users.insert(user)),
          lock: (userId) => observing("lock", users.lock(userId)),
          lockByEmail: (email) => observing("lock", users.lockByEmail(email)),
          markVerified: (...user) => observing("verified", users.markVerified(...user)),
          replacePasswordHash: (...user) => observing("rehash", users.replacePasswordHash(...user))
        })
      )
    ),
    Layer.effect(
      BusinessRepository,
      Effect.map(BusinessRepository, (repository) =>
        BusinessRepository.of({
          ...repository,
          insert: (given) =>
            observing(
              "business",
              Effect.tap(repository.insert(given), (id) =>
                Effect.sync(() => Option.isSome(id) && businesses.push(given))
              )
            ),
          addMember: (...member) => observing("member", repository.addMember(...member))
        })
      )
    ),
    Layer.effect(
      VerificationCodeRepository,
      Effect.map(VerificationCodeRepository, (codes) =>
        VerificationCodeRepository.of({
          ...codes,
          issue: (code) => observing("code", codes.issue(code)),
          redeem: (...code) => observing("redeem", codes.redeem(...code))
        })
      )
    ),
    Layer.effect(
      SessionRepository,
      Effect.map(SessionRepository, (repository) =>
        SessionRepository.of({
          ...repository,
          open: (session) =>
            observing(
              "session",
              Effect.tap(repository.open(session), () => Effect.sync(() => sessions.push(session)))
            )
        })
      )
    ),
    Layer.effect(
      MailOutbox,
      Effect.map(MailOutbox, (mail) =>
        MailOutbox.of({
          ...mail,
          count: (...message) => observing("count", mail.count(...message)),
          post: (message) => observing("message", mail.post(message))
        })
      )
    )
  )

  const Hasher = Layer.succeed(
    PasswordHasher,
    PasswordHasher.of({
      hash: (password) =>
        observing(
          "hash",
          hasher.busy
            ? Effect.fail(new TooManyRequests({ retryAfterSeconds: 1 }))
            : Effect.succeed(
                `hash ${stored.accounts.length} of ${Redacted.value(password).length}:${Redacted.value(password).at(-1)}`
              )
        ),
      compare: (password, hash) =>
        observing(
          "compare",
          Effect.sync(() => {
            hasher.onCompare()
            return {
              matches: hash.endsWith(`${Redacted.value(password).length}:${Redacted.value(password).at(-1)}`),
              outdated: hasher.outdated
            }
          })
        ),
      compareDummy: () => observing("compareDummy", Effect.void)
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

  const Box = Layer.succeed(
    SecretBox,
    SecretBox.of({
      seal: (plain) => Effect.succeed(Array.from(plain).toReversed().join("")),
      open: (sealed) => Effect.succeed(Array.from(sealed).toReversed().join(""))
    })
  )

  /** A cache that stores nothing. */
  const Credentials = Layer.unwrap(
    Effect.map(SessionRepository, ({ findActive }) =>
      Layer.mock(CredentialCache)({
        cachedSession: () => undefined,
        cachedBusinessOfKey: () => undefined,
        session: (sessionId) => Effect.flatMap(DateTime.now, (now) => findActive(sessionId, now)),
        businessOfKey: (keyHash) => Effect.succeed(keyHash === "" ? Option.none() : Option.some(business(7))),
        invalidateSession: (sessionId) => Effect.sync(() => void forgotten.push(sessionId))
      })
    )
  )

  // Without the refresh every few seconds: a test over months would run it millions of times.
  const Settings = Layer.effect(PlatformSettings, PlatformSettings.make)

  const layer = Layer.mergeAll(Observed, Hasher, Tokens, Box, Credentials, Settings).pipe(
    Layer.provideMerge(Memory.layerOn(Layer.succeed(Store, store)))
  )

  return {
    calls,
    stored,
    hasher,
    layer,
    transaction: state,
    addAccount: ({ passwordHash, user }: Account) =>
      store.users.set(user.user_id, { ...user, passwordHash, created_at: beginning, updated_at: beginning }),
    setPasswordHash: (userId: number, passwordHash: string) =>
      store.users.change(UserId.make(userId), { passwordHash }),
    /** Allows a user to act for a business, which is stored if it is absent. */
    addMember: (businessId: number, userId: number) => {
      const member = {
        business_id: BusinessId.make(businessId),
        user_id: UserId.make(userId),
        role: "owner" as const,
        created_at: DateTime.makeUnsafe(0)
      }
      if (store.businesses.get(member.business_id) === undefined) addBusiness(store, businessId)
      store.members.set(`${businessId} ${userId}`, member)
    },
    addCode: (code: Code) => {
      const code_id = store.codes.next()
      store.codes.set(code_id, { ...code, code_id, isUsed: false })
    },
    /** The number of a user's tokens that can be rotated. */
    liveTokens: (userId: number) =>
      store.refreshTokens.where(({ rotatedAt, sessionId }) => {
        const session = store.sessions.get(sessionId)
        return rotatedAt === null && session?.user_id === userId && !session.isRevoked
      }).length,
    /** The stored sealed successors. */
    successors: () => store.sessions.where().flatMap(({ successor }) => successor?.sealed ?? [])
  }
}
