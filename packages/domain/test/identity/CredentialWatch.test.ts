import { assert, describe, it } from "@effect/vitest"
import {
  AccessTokens,
  accessTokenSeconds,
  ApiKeyRepository,
  BusinessId,
  CredentialWatch,
  Cryptography,
  SessionRepository,
  Unauthorized
} from "@livery/domain"
import { Memory, Store } from "@livery/memory"
import { DateTime, Effect, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { eventuallyHolds } from "../../../../test/support/Eventually.ts"
import { addBusiness, stamps } from "../support/Businesses.ts"
import { business, user } from "../support/People.ts"

const anna = user(1)
const acme = business(7)
const key = "lvk_abc"

/** A watch over a session and a key, on the ports in memory. */
const watchedCredentials = Effect.gen(function* () {
  const store = Store.make()
  for (const id of [7, 8]) {
    addBusiness(store, id)
    const business_id = BusinessId.make(id)
    const { created_at } = stamps
    store.members.set(`${id}`, { business_id, user_id: anna.user.user_id, role: "owner", created_at })
  }
  store.users.set(anna.user.user_id, { ...anna.user, ...stamps, passwordHash: "hash" })
  store.sessions.set(anna.sessionId, {
    session_id: anna.sessionId,
    user_id: anna.user.user_id,
    expiresAt: DateTime.makeUnsafe("2030-01-01T00:00:00Z"),
    isRevoked: false,
    successor: null
  })
  const reads: Array<string> = []
  let isAway = false
  const read = <A>(name: string, effect: Effect.Effect<A>) =>
    Effect.suspend(() => {
      reads.push(name)
      return isAway ? Effect.die(new Error("the database is away")) : effect
    })
  const Observed = Layer.merge(
    Layer.effect(
      SessionRepository,
      Effect.map(SessionRepository, (sessions) =>
        SessionRepository.of({
          ...sessions,
          findAllActive: (ids, now) => read(`sessions ${ids.join(" ")}`, sessions.findAllActive(ids, now))
        })
      )
    ),
    Layer.effect(
      ApiKeyRepository,
      Effect.map(ApiKeyRepository, (keys) =>
        ApiKeyRepository.of({
          ...keys,
          businessesOf: (hashes) => read(`keys ${hashes.length}`, keys.businessesOf(hashes))
        })
      )
    )
  ).pipe(Layer.provide(Memory.layerOn(Layer.succeed(Store, store))))
  const context = yield* Layer.build(
    CredentialWatch.layer.pipe(
      Layer.provide(
        Layer.mergeAll(
          Observed,
          Layer.mock(AccessTokens)({
            verify: (token) =>
              Redacted.value(token) === "invalid"
                ? Effect.fail(new Unauthorized())
                : Effect.succeed({
                    userId: anna.user.user_id,
                    sessionId: anna.sessionId,
                    expiresAt: accessTokenSeconds
                  })
          })
        )
      ),
      Layer.provideMerge(Cryptography.layerWebCrypto)
    )
  )
  const { sha256 } = yield* Effect.provide(Cryptography, context)
  const keyHash = yield* sha256(key)
  store.apiKeys.set(keyHash, {
    business_id: acme.business_id,
    keyHash,
    createdBy: anna.user.user_id,
    masked_key: "lvk_…",
    created_at: stamps.created_at,
    last_used_at: null
  })
  const watch = Effect.fnUntraced(function* (credential: string, acting = acme) {
    const { ended } = yield* Effect.provide(CredentialWatch, context)
    const fiber = yield* Effect.forkChild(ended(Redacted.make(credential), acting.business_id))
    // The hash of a key is computed outside of the test's clock.
    const kind = credential === key ? "keys" : "sessions"
    const isWatching = Effect.sync(
      () => fiber.pollUnsafe() !== undefined || reads.some((read) => read.startsWith(kind))
    )
    yield* eventuallyHolds(isWatching, TestClock.adjust("1 millis"))
    return { fiber, isOver: () => fiber.pollUnsafe() !== undefined }
  })
  return { store, keyHash, reads, watch, away: () => void (isAway = true) }
})

/** Advances the clock by a second, as the reads complete. */
const aSecond = Effect.forEach([1, 2, 3, 4, 5], () => TestClock.adjust("200 millis"))

describe("a watched credential", () => {
  const ends: Record<string, (memory: Effect.Success<typeof watchedCredentials>) => void> = {
    "a revoked session": ({ store }) => void store.sessions.change(anna.sessionId, { isRevoked: true }),
    "a deleted key": ({ keyHash, store }) => void store.apiKeys.remove(keyHash),
    "a suspended business": ({ store }) => void store.businesses.change(acme.business_id, { status: "D" }),
    "a removed membership": ({ store }) => void store.members.remove("7"),
    "a database that does not answer": ({ away }) => away()
  }
  const affected: Record<string, ReadonlyArray<"token" | typeof key>> = {
    "a revoked session": ["token"],
    "a deleted key": [key],
    "a removed membership": ["token"]
  }

  for (const [name, end] of Object.entries(ends))
    it.effect(`ends within a second of ${name}, and not before`, () =>
      Effect.gen(function* () {
        const memory = yield* watchedCredentials
        const credentials = affected[name] ?? (["token", key] as const)
        for (const credential of credentials) {
          const watched = yield* memory.watch(credential)
          yield* aSecond
          assert.isFalse(watched.isOver())
          if (credential !== credentials.at(-1)) continue
          end(memory)
          yield* aSecond
          assert.isTrue(watched.isOver())
        }
      })
    )

  it.effect("ends within a second of the token's expiry", () =>
    Effect.gen(function* () {
      const { watch } = yield* watchedCredentials
      const watched = yield* watch("token")
      yield* TestClock.adjust(accessTokenSeconds * 1000 - 1000)
      assert.isFalse(watched.isOver())
      yield* TestClock.adjust("1 second")
      yield* aSecond
      assert.isTrue(watched.isOver())
    })
  )

  it.effect("is refused immediately if it is not valid", () =>
    Effect.gen(function* () {
      const { watch } = yield* watchedCredentials
      const { fiber } = yield* watch("invalid")
      assert.instanceOf(yield* Effect.flip(Fiber.join(fiber)), Unauthorized)
    })
  )

  it.effect("is read together with all others, and is not read without a waiting caller", () =>
    Effect.gen(function* () {
      const { reads, watch } = yield* watchedCredentials
      const all = []
      for (let index = 0; index < 30; index += 1) all.push(yield* watch(index % 2 === 0 ? key : "token"))
      yield* aSecond
      reads.length = 0
      yield* aSecond
      assert.deepStrictEqual(reads, [
        `sessions ${anna.sessionId}`,
        "keys 1",
        `sessions ${anna.sessionId}`,
        "keys 1"
      ])
      for (const { fiber } of all) yield* Fiber.interrupt(fiber)
      yield* aSecond
      reads.length = 0
      yield* aSecond
      assert.deepStrictEqual(reads, [])
    })
  )
})
