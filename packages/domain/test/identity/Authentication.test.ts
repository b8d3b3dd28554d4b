import { assert, describe, it } from "@effect/vitest"
import {
  accessTokenSeconds,
  AccessTokens,
  type ActingBusiness,
  type AuditEntry,
  AuditLog,
  ApiKeyRepository,
  ApiKeys,
  Authentication,
  Cryptography,
  SessionRepository,
  CredentialCache,
  type ActiveSession,
  Unauthorized
} from "@livery/domain"
import { DateTime, Deferred, Effect, Exit, Fiber, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { business, owned, user } from "../support/People.ts"
import { memoryTransactions } from "../support/MemoryTransactions.ts"

const anna = user(1)
const bert = user(2)
const acme = business(7)

const authentication = Effect.gen(function* () {
  const keys = new Map<string, ActingBusiness>()
  const standing = new Map<number, ActiveSession>()
  const masks: Array<string> = []
  const looked: Array<string> = []
  /** What a look-up waits for, before and after it reads. */
  const gate = {
    wait: Effect.void as Effect.Effect<unknown>,
    after: Effect.void as Effect.Effect<unknown>
  }
  const Keys = Layer.succeed(
    ApiKeyRepository,
    ApiKeyRepository.of({
      insert: (_, { keyHash, maskedKey }) =>
        Effect.sync(() => {
          keys.set(keyHash, acme)
          masks.push(maskedKey)
        }),
      list: () => Effect.succeed([]),
      remove: (_, keyHash) => Effect.sync(() => keys.delete(keyHash)),
      businessOf: (keyHash) =>
        Effect.andThen(
          gate.wait,
          Effect.sync(() => {
            looked.push("key")
            return Option.fromUndefinedOr(keys.get(keyHash))
          })
        ),
      businessesOf: () => Effect.die(new Error("only a watch reads keys in bulk"))
    })
  )
  const Sessions = Layer.mock(SessionRepository)({
    findActive: (sessionId) =>
      Effect.andThen(
        gate.wait,
        Effect.sync(() => {
          looked.push(`session ${sessionId}`)
          return Option.fromUndefinedOr(standing.get(sessionId))
        }).pipe(Effect.tap(gate.after))
      )
  })
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
  const audit: Array<AuditEntry> = []
  const Audit = Layer.succeed(
    AuditLog,
    AuditLog.of({ record: (entry) => Effect.sync(() => void audit.push(entry)) })
  )
  const context = yield* Layer.build(
    Layer.merge(Authentication.layer, ApiKeys.layer).pipe(
      Layer.provideMerge(CredentialCache.layer),
      Layer.provideMerge(
        Layer.mergeAll(Keys, Sessions, Tokens, Audit, memoryTransactions().layer, Cryptography.layerWebCrypto)
      )
    )
  )
  standing.set(1001, { user: anna.user, businesses: [owned(acme)], drivers: [] })
  /** What the cache gives at once is what the look-up gives, or nothing. */
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
    keys,
    standing,
    masks,
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
    audit,
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

describe("access tokens", () => {
  it.effect("identify their user, the session and the user's businesses", () =>
    Effect.gen(function* () {
      const { principal } = yield* authentication
      assert.deepStrictEqual(yield* principal("1:1001"), {
        _tag: "User",
        sessionId: anna.sessionId,
        user: anna.user,
        businesses: [owned(acme)],
        drivers: []
      })
    })
  )

  it.effect("a revoked session stops within a second", () =>
    Effect.gen(function* () {
      const { standing, tagOf } = yield* authentication
      assert.strictEqual(yield* tagOf("1:1001"), "User")
      standing.delete(1001)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* tagOf("1:1001"), "Unauthorized")
    })
  )

  it.effect("repeated use does not keep a revoked session alive", () =>
    Effect.gen(function* () {
      const { standing, tagOf } = yield* authentication
      yield* tagOf("1:1001")
      standing.delete(1001)
      for (const _ of [1, 2]) {
        yield* TestClock.adjust("400 millis")
        assert.strictEqual(yield* tagOf("1:1001"), "User")
      }
      yield* TestClock.adjust("100 millis")
      assert.strictEqual(yield* tagOf("1:1001"), "Unauthorized")
    })
  )

  it.effect("a suspension and a removed membership take effect within a second", () =>
    Effect.gen(function* () {
      const { principal, standing } = yield* authentication
      yield* principal("1:1001")
      standing.set(1001, { user: anna.user, businesses: [owned(business(7, { status: "D" }))], drivers: [] })
      yield* TestClock.adjust("1 second")
      const seen = yield* principal("1:1001")
      assert.strictEqual(seen._tag === "User" && seen.businesses[0]?.status, "D")
    })
  )

  it.effect("a session is looked up once a second, however many requests use it", () =>
    Effect.gen(function* () {
      const { gate, looked, tagOf } = yield* authentication
      const open = yield* Deferred.make<void>()
      gate.wait = Deferred.await(open)
      const asking = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 50 }), () => tagOf("1:1001"), { concurrency: "unbounded" })
      )
      yield* TestClock.adjust(0)
      yield* Deferred.succeed(open, undefined)
      assert.deepStrictEqual([...new Set(yield* Fiber.join(asking))], ["User"])
      assert.deepStrictEqual(looked, ["session 1001"])
      yield* TestClock.adjust("899 millis")
      yield* tagOf("1:1001")
      assert.strictEqual(looked.length, 1)
      yield* TestClock.adjust("1 millis")
      yield* tagOf("1:1001")
      assert.strictEqual(looked.length, 2)
    })
  )

  it.effect("the age of a cache entry counts from the start of its look-up", () =>
    Effect.gen(function* () {
      const { gate, looked, standing, tagOf } = yield* authentication
      const open = yield* Deferred.make<void>()
      // It has read the database, and its answer takes its time.
      gate.after = Deferred.await(open)
      const first = yield* Effect.forkChild(tagOf("1:1001"))
      yield* TestClock.adjust("500 millis")
      standing.delete(1001)
      yield* TestClock.adjust("400 millis")
      const joined = yield* Effect.forkChild(tagOf("1:1001"))
      yield* TestClock.adjust(0)
      gate.after = Effect.void
      yield* Deferred.succeed(open, undefined)
      // Who asked before the revocation may get in; who asked 900 ms after that look-up began may not.
      assert.strictEqual(yield* Fiber.join(first), "User")
      assert.strictEqual(yield* Fiber.join(joined), "Unauthorized")
      assert.strictEqual(yield* tagOf("1:1001"), "Unauthorized")
      assert.isAbove(looked.length, 1)
    })
  )

  it.effect("the revoking node invalidates its cache at once, also a look-up in progress", () =>
    Effect.gen(function* () {
      const { forget, gate, standing, tagOf } = yield* authentication
      assert.strictEqual(yield* tagOf("1:1001"), "User")
      standing.delete(1001)
      yield* forget.session(anna.sessionId)
      assert.strictEqual(yield* tagOf("1:1001"), "Unauthorized")

      standing.set(1001, { user: anna.user, businesses: [owned(acme)], drivers: [] })
      const open = yield* Deferred.make<void>()
      gate.after = Deferred.await(open)
      const early = yield* Effect.forkChild(tagOf("1:1001"))
      yield* TestClock.adjust(0)
      standing.delete(1001)
      yield* forget.session(anna.sessionId)
      gate.after = Effect.void
      assert.strictEqual(yield* tagOf("1:1001"), "Unauthorized")
      yield* Deferred.succeed(open, undefined)
      yield* Fiber.join(early)
      assert.strictEqual(yield* tagOf("1:1001"), "Unauthorized")
    })
  )

  it.effect("a credential that was valid is known at once for as long as it is cached, and no longer", () =>
    Effect.gen(function* () {
      const { cachedTagOf, createKey, forget, standing, tagOf } = yield* authentication
      const { api_key } = yield* createKey
      for (const [credential, tag] of [
        ["1:1001", "User"],
        [api_key, "ApiKey"]
      ] as const) {
        assert.isUndefined(yield* cachedTagOf(credential))
        assert.strictEqual(yield* tagOf(credential), tag)
        assert.strictEqual(yield* cachedTagOf(credential), tag)
        yield* TestClock.adjust("900 millis")
        assert.isUndefined(yield* cachedTagOf(credential))
        assert.strictEqual(yield* tagOf(credential), tag)
      }
      yield* tagOf("1:1001")
      standing.delete(1001)
      yield* forget.session(anna.sessionId)
      assert.isUndefined(yield* cachedTagOf("1:1001"))
      assert.strictEqual(yield* tagOf("1:1001"), "Unauthorized")
      yield* forget.all
      assert.isUndefined(yield* cachedTagOf(api_key))
    })
  )

  it.effect("a look-up that began before a revocation leaves nothing in the cache", () =>
    Effect.gen(function* () {
      const { cachedTagOf, forget, gate, standing, tagOf } = yield* authentication
      assert.strictEqual(yield* tagOf("1:1001"), "User")
      yield* forget.session(anna.sessionId)
      const open = yield* Deferred.make<void>()
      gate.after = Deferred.await(open)
      const early = yield* Effect.forkChild(tagOf("1:1001"))
      yield* TestClock.adjust(0)
      standing.delete(1001)
      yield* forget.session(anna.sessionId)
      yield* Deferred.succeed(open, undefined)
      yield* Fiber.join(early)
      assert.isUndefined(yield* cachedTagOf("1:1001"))
    })
  )

  it.effect("an access token that has expired is not known at once, although its session is cached", () =>
    Effect.gen(function* () {
      const { cachedTagOf, tagOf } = yield* authentication
      yield* TestClock.adjust((accessTokenSeconds - 1) * 1000 + 500)
      assert.strictEqual(yield* tagOf("1:1001"), "User")
      assert.strictEqual(yield* cachedTagOf("1:1001"), "User")
      yield* TestClock.adjust("500 millis")
      assert.isUndefined(yield* cachedTagOf("1:1001"))
    })
  )

  it.effect("a change that concerns many credentials invalidates the whole cache", () =>
    Effect.gen(function* () {
      const { createKey, forget, keys, standing, tagOf } = yield* authentication
      const { api_key } = yield* createKey
      assert.deepStrictEqual([yield* tagOf("1:1001"), yield* tagOf(api_key)], ["User", "ApiKey"])
      standing.clear()
      keys.clear()
      yield* forget.all
      assert.deepStrictEqual(
        [yield* tagOf("1:1001"), yield* tagOf(api_key)],
        ["Unauthorized", "Unauthorized"]
      )
    })
  )

  it.effect("an interrupted caller does not interrupt the look-up for the others", () =>
    Effect.gen(function* () {
      const { gate, tagOf } = yield* authentication
      const open = yield* Deferred.make<void>()
      gate.wait = Deferred.await(open)
      const first = yield* Effect.forkChild(tagOf("1:1001"))
      yield* TestClock.adjust(0)
      const second = yield* Effect.forkChild(tagOf("1:1001"))
      yield* TestClock.adjust(0)
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(open, undefined)
      assert.strictEqual(yield* Fiber.join(second), "User")
    })
  )

  it.effect("a failed look-up is not cached", () =>
    Effect.gen(function* () {
      const { gate, principal, tagOf } = yield* authentication
      gate.wait = Effect.die(new Error("the database is away"))
      assert.strictEqual((yield* Effect.exit(principal("1:1001")))._tag, "Failure")
      gate.wait = Effect.void
      assert.strictEqual(yield* tagOf("1:1001"), "User")
    })
  )

  it.effect("a token of one user never opens another's session", () =>
    Effect.gen(function* () {
      const { tagOf } = yield* authentication
      assert.strictEqual(yield* tagOf("1:1001"), "User")
      assert.strictEqual(yield* tagOf("2:1001"), "Unauthorized")
      assert.strictEqual(yield* tagOf("1:1002"), "Unauthorized")
    })
  )
})

describe("API keys", () => {
  it.effect("identify their business at once, even if they were tried before they existed", () =>
    Effect.gen(function* () {
      const { createKey, keys, masks, principal, tagOf } = yield* authentication
      yield* TestClock.setTime(1_790_000_000_000)
      const { api_key, created_date } = yield* createKey
      const [[hash, owner] = ["", acme]] = keys
      assert.match(api_key, /^lvk_[\w-]{43}$/u)
      assert.strictEqual(created_date, "2026-09-21T14:13:20Z")
      assert.deepStrictEqual(masks, [`${api_key.slice(0, 8)}…${api_key.slice(-4)}`])
      keys.clear()
      assert.strictEqual(yield* tagOf(api_key), "Unauthorized")
      keys.set(hash, owner)
      assert.deepStrictEqual(yield* principal(api_key), { _tag: "ApiKey", business: acme })
    })
  )

  it.effect("a deleted key stops within a second", () =>
    Effect.gen(function* () {
      const { createKey, keys, tagOf } = yield* authentication
      const { api_key } = yield* createKey
      assert.strictEqual(yield* tagOf(api_key), "ApiKey")
      keys.clear()
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* tagOf(api_key), "Unauthorized")
    })
  )

  it.effect(
    "a deleted key is refused at once by this node; deleting it again, or from another business, is refused",
    () =>
      Effect.gen(function* () {
        const { audit, createKey, deleteKey, tagOf } = yield* authentication
        const { api_key } = yield* createKey
        assert.strictEqual(yield* tagOf(api_key), "ApiKey")
        assert.deepStrictEqual(yield* deleteKey(api_key), { deleted: true })
        assert.strictEqual(yield* tagOf(api_key), "Unauthorized")
        const refusal = yield* Effect.flip(deleteKey(api_key))
        assert.deepStrictEqual<unknown>(refusal.issues, [{ field: "api_key", issue: "not_found" }])
        assert.deepStrictEqual(
          audit.map(({ action, businessId }) => [action, businessId]),
          [
            ["api_key.created", 7],
            ["api_key.deleted", 7]
          ]
        )
        assert.notInclude(JSON.stringify(audit), api_key.slice(8, -4))
      })
  )

  it.effect("only the hash of a key is stored", () =>
    Effect.gen(function* () {
      const { createKey, keys } = yield* authentication
      const { api_key } = yield* createKey
      assert.match([...keys.keys()].join(), /^[0-9a-f]{64}$/u)
      assert.notInclude([...keys.keys()].join(), api_key.slice(4))
    })
  )
})

it.effect("a text that is not a credential is refused without a look-up", () =>
  Effect.gen(function* () {
    const { looked, tagOf } = yield* authentication
    for (const credential of ["", "x", "1", ":", "null"])
      assert.strictEqual(yield* tagOf(credential), "Unauthorized")
    assert.isEmpty(looked)
    for (const credential of ["lvk_", "lvk_x"]) assert.strictEqual(yield* tagOf(credential), "Unauthorized")
    assert.deepStrictEqual(yield* Effect.map(DateTime.now, DateTime.toEpochMillis), 0)
  })
)
