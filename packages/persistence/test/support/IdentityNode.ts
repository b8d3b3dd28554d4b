/** The use cases of sessions and passwords on PostgreSQL, as one node of an installation, with a fast password hasher. */
import {
  AccessTokens,
  actingBusiness,
  Authentication,
  CredentialCache,
  Cryptography,
  PasswordHasher,
  Passwords,
  RefreshGrace,
  type SessionId,
  SessionRepository,
  Sessions,
  Unauthorized,
  type User,
  type UserId,
  UserRepository
} from "@livery/domain"
import { DateTime, Duration, Effect, Layer, Option, Redacted } from "effect"
import { unique } from "./TestPersistence.ts"

const Hasher = Layer.succeed(
  PasswordHasher,
  PasswordHasher.of({
    hash: (password) => Effect.succeed(`hash of ${Redacted.value(password)}`),
    compare: (password, hash) =>
      Effect.succeed({ matches: hash === `hash of ${Redacted.value(password)}`, outdated: false }),
    compareDummy: () => Effect.void
  })
)

/** Access tokens of the form `<user>:<session>`. */
const Tokens = Layer.succeed(
  AccessTokens,
  AccessTokens.of({
    issue: ({ sessionId, userId }) => Effect.succeed(Redacted.make(`${userId}:${sessionId}`)),
    verify: (token) => {
      const [userId, sessionId] = Redacted.value(token).split(":").map(Number)
      return userId === undefined || sessionId === undefined
        ? Effect.fail(new Unauthorized())
        : Effect.succeed({
            userId: userId as UserId,
            sessionId: sessionId as SessionId,
            expiresAt: Number.MAX_SAFE_INTEGER
          })
    }
  })
)

/** A node with its own credential cache. */
export const identityNode = (graceSeconds = 0) =>
  Effect.gen(function* () {
    const { login, logout, refresh } = yield* Sessions
    const { principal } = yield* Authentication
    const { change } = yield* Passwords
    const { invalidateAll } = yield* CredentialCache
    const tagOf = Effect.match({
      onFailure: ({ _tag }: { readonly _tag: string }) => _tag,
      onSuccess: () => "ok"
    })
    return {
      login: (email: string, typed: string) =>
        login({ email, password: Redacted.make(typed), device_name: null }),
      refresh: (token: string) => refresh(Redacted.make(token)),
      logout: (token: string) => logout({ refreshToken: Redacted.make(token), credential: undefined }),
      logoutBy: (accessToken: string) =>
        Effect.map(
          Effect.option(logout({ refreshToken: undefined, credential: Redacted.make(accessToken) })),
          Option.exists(({ logged_out }) => logged_out)
        ),
      change: (user: User, sessionId: SessionId, current: string, next: string) =>
        change(
          { user, sessionId },
          { current_password: Redacted.make(current), new_password: Redacted.make(next) }
        ),
      /** `ok` if this node accepts an access token, else the tag of the refusal. */
      admits: (accessToken: string) => tagOf(principal(Redacted.make(accessToken))),
      /** `ok` if the token's user may act for the user's only business, else the tag of the refusal. */
      acts: (accessToken: string) =>
        tagOf(
          Effect.flatMap(principal(Redacted.make(accessToken)), (caller) => actingBusiness(caller, undefined))
        ),
      invalidateAll
    }
  }).pipe(
    Effect.provide(
      Layer.fresh(
        Layer.merge(Sessions.layer, Passwords.layer).pipe(
          Layer.provideMerge(Authentication.layer),
          Layer.provideMerge(CredentialCache.layer),
          Layer.provide([
            Hasher,
            Tokens,
            Cryptography.layerWebCrypto,
            Layer.succeed(RefreshGrace, Duration.seconds(graceSeconds))
          ])
        )
      )
    )
  )

/** A new user with a verified email. */
export const newPerson = Effect.gen(function* () {
  const users = yield* UserRepository
  const password = "password 0"
  const userId = yield* users.insert({
    email: `${unique("person")}@example.com`,
    name: "Ada",
    mobilePhone: null,
    accountType: "A",
    passwordHash: `hash of ${password}`,
    verifiedAt: yield* DateTime.now
  })
  const user = yield* Effect.map(users.find(userId), Option.getOrThrow)
  return { user, password }
})

/** Whether a session is active, according to the database. */
export const isActive = Effect.fnUntraced(function* (sessionId: SessionId) {
  const sessions = yield* SessionRepository
  return Option.isSome(yield* sessions.findActive(sessionId, yield* DateTime.now))
})
