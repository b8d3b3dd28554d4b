/** People, a business and their credentials, on the ports in memory. */
import { assert } from "@effect/vitest"
import {
  accessTokenSeconds,
  AccessTokens,
  ApiKeyRepository,
  ApiKeys,
  Authentication,
  SessionRepository,
  CredentialCache,
  Unauthorized
} from "@livery/domain"
import { type ApiKeyRow, Memory, Store } from "@livery/memory"
import { DateTime, Effect, Exit, Layer, Redacted } from "effect"
import { addBusiness, stamps } from "./Businesses.ts"
import { business, user } from "./People.ts"

/** A user with a session, who is a member of Acme. */
export const anna = user(1)

/** Another user. */
const bert = user(2)

/** The business of Anna. */
export const acme = business(7)

/** Authentication, the number of its look-ups, and the principals that it returns. */
export const authentication = Effect.gen(function* () {
  const store = Store.make()
  addBusiness(store, acme.business_id)
  for (const { user } of [anna, bert])
    store.users.set(user.user_id, { ...user, ...stamps, passwordHash: "hash" })
  store.sessions.set(anna.sessionId, {
    session_id: anna.sessionId,
    user_id: anna.user.user_id,
    expiresAt: DateTime.makeUnsafe("2030-01-01T00:00:00Z"),
    isRevoked: false,
    successor: null
  })
  store.members.set("Anna of Acme", {
    business_id: acme.business_id,
    user_id: anna.user.user_id,
    role: "owner",
    created_at: stamps.created_at
  })
  const looked: Array<string> = []
  /** The effects that a look-up waits for, before and after it reads. */
  const gate = {
    wait: Effect.void as Effect.Effect<unknown>,
    after: Effect.void as Effect.Effect<unknown>
  }
  const Observed = Layer.merge(
    Layer.effect(
      ApiKeyRepository,
      Effect.map(ApiKeyRepository, (keys) =>
        ApiKeyRepository.of({
          ...keys,
          businessOf: (keyHash) =>
            Effect.andThen(
              gate.wait,
              Effect.suspend(() => {
                looked.push("key")
                return keys.businessOf(keyHash)
              })
            ),
          businessesOf: () => Effect.die(new Error("only a watch reads keys in bulk"))
        })
      )
    ),
    Layer.effect(
      SessionRepository,
      Effect.map(SessionRepository, (sessions) =>
        SessionRepository.of({
          ...sessions,
          findActive: (sessionId, now) =>
            Effect.andThen(
              gate.wait,
              Effect.suspend(() => {
                looked.push(`session ${sessionId}`)
                return Effect.tap(sessions.findActive(sessionId, now), gate.after)
              })
            )
        })
      )
    )
  ).pipe(Layer.provideMerge(Memory.layerOn(Layer.succeed(Store, store))))
  /** A token is `<user>:<session>`. */
  const Tokens = Layer.succeed(
    AccessTokens,
    AccessTokens.of({
      issue: () => Effect.succeed(Redacted.make("")),
      verify: (token) => {
        const match = /^(\d+):(\d+)$/u.exec(Redacted.value(token))
        const person = [anna, bert].find(({ user }) => user.user_id === Number(match?.[1]))
        return match === null || person === undefined
          ? Effect.fail(new Unauthorized())
          : Effect.succeed({
              userId: person.user.user_id,
              sessionId: Number(match[2]) as typeof anna.sessionId,
              expiresAt: accessTokenSeconds
            })
      }
    })
  )
  const context = yield* Layer.build(
    Layer.merge(Authentication.layer, ApiKeys.layer).pipe(
      Layer.provideMerge(CredentialCache.layer),
      Layer.provideMerge(Layer.merge(Observed, Tokens))
    )
  )
  /** The principal. Checks that the cache returns the same one without waiting, or nothing. */
  const principal = (credential: string) =>
    Authentication.use((it) => {
      const cached = it.cached(credential)
      return Effect.tap(Effect.exit(it.principal(Redacted.make(credential))), (exit) =>
        Effect.sync(() => {
          if (cached !== undefined) assert.deepStrictEqual(exit, Exit.succeed(cached))
        })
      )
    }).pipe(
      Effect.flatMap((exit) => exit),
      Effect.provide(context)
    )
  return {
    /** Revokes Anna's session without a use case, as another node does. */
    revoke: () => store.sessions.change(anna.sessionId, { isRevoked: true }),
    /** Takes a revocation back. */
    restore: () => store.sessions.change(anna.sessionId, { isRevoked: false }),
    suspend: () => store.businesses.change(acme.business_id, { status: "D" }),
    removeMembership: () => store.members.remove("Anna of Acme"),
    keys: () => store.apiKeys.where(),
    /** Stores a key again that was removed. */
    restoreKey: (key: ApiKeyRow) => store.apiKeys.set(key.keyHash, key),
    /** Removes all keys without a use case, as another node does. */
    removeKeys: () => {
      for (const { keyHash } of store.apiKeys.where()) store.apiKeys.remove(keyHash)
    },
    looked,
    gate,
    principal,
    cachedTagOf: (credential: string) =>
      Effect.provide(
        Authentication.useSync((it) => it.cached(credential)?._tag),
        context
      ),
    tagOf: (credential: string) =>
      Effect.match(principal(credential), { onFailure: ({ _tag }) => _tag, onSuccess: ({ _tag }) => _tag }),
    audit: () => store.audit.where(),
    forget: {
      session: (sessionId: typeof anna.sessionId) =>
        Effect.provide(
          CredentialCache.use((it) => it.invalidateSession(sessionId)),
          context
        ),
      all: Effect.provide(
        CredentialCache.use((it) => it.invalidateAll),
        context
      )
    },
    deleteKey: (apiKey: string) =>
      Effect.provide(
        ApiKeys.use((it) => it.delete(acme.business_id, Redacted.make(apiKey), anna.user.user_id)),
        context
      ),
    createKey: Effect.provide(
      ApiKeys.use((it) => it.create(acme.business_id, anna.user.user_id)),
      context
    )
  }
})
