import { assert, describe, it } from "@effect/vitest"
import { accessTokenSeconds } from "@livery/domain"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { owned } from "../support/People.ts"
import { anna, acme, authentication } from "../support/Credentials.ts"

describe("access tokens", () => {
  it.effect("identify their user, the session and the user's businesses", () =>
    Effect.gen(function* () {
      const { principal } = yield* authentication
      assert.deepStrictEqual(yield* principal("1:1001"), {
        _tag: "User",
        sessionId: anna.sessionId,
        user: anna.user,
        businesses: [owned(acme)]
      })
    })
  )

  it.effect("a revoked session stops within a second", () =>
    Effect.gen(function* () {
      const { revoke, tagOf } = yield* authentication
      assert.strictEqual(yield* tagOf("1:1001"), "User")
      revoke()
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* tagOf("1:1001"), "Unauthorized")
    })
  )

  it.effect("a revoked session stops within a second also while the clock is set back", () =>
    Effect.gen(function* () {
      const { cachedTagOf, looked, revoke, tagOf } = yield* authentication
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(yield* tagOf("1:1001"), "User")
      revoke()
      yield* TestClock.setTime(60_000)
      assert.isUndefined(yield* cachedTagOf("1:1001"))
      assert.strictEqual(yield* tagOf("1:1001"), "Unauthorized")
      assert.lengthOf(looked, 2)
    })
  )

  it.effect("repeated use does not keep a revoked session alive", () =>
    Effect.gen(function* () {
      const { revoke, tagOf } = yield* authentication
      yield* tagOf("1:1001")
      revoke()
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
      const { removeMembership, principal, suspend } = yield* authentication
      yield* principal("1:1001")
      suspend()
      yield* TestClock.adjust("1 second")
      const seen = yield* principal("1:1001")
      assert.strictEqual(seen._tag === "User" && seen.businesses[0]?.status, "D")
      removeMembership()
      yield* TestClock.adjust("1 second")
      const later = yield* principal("1:1001")
      assert.isEmpty(later._tag === "User" && later.businesses)
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
      const { gate, looked, revoke, tagOf } = yield* authentication
      const open = yield* Deferred.make<void>()
      // It has read the database, and has not returned yet.
      gate.after = Deferred.await(open)
      const first = yield* Effect.forkChild(tagOf("1:1001"))
      yield* TestClock.adjust("500 millis")
      revoke()
      yield* TestClock.adjust("400 millis")
      const joined = yield* Effect.forkChild(tagOf("1:1001"))
      yield* TestClock.adjust(0)
      gate.after = Effect.void
      yield* Deferred.succeed(open, undefined)
      // A call before the revocation may succeed. A call 900 ms after the start of that look-up must not.
      assert.strictEqual(yield* Fiber.join(first), "User")
      assert.strictEqual(yield* Fiber.join(joined), "Unauthorized")
      assert.strictEqual(yield* tagOf("1:1001"), "Unauthorized")
      assert.isAbove(looked.length, 1)
    })
  )

  it.effect("the revoking node invalidates its cache at once, also a look-up in progress", () =>
    Effect.gen(function* () {
      const { forget, gate, restore, revoke, tagOf } = yield* authentication
      assert.strictEqual(yield* tagOf("1:1001"), "User")
      revoke()
      yield* forget.session(anna.sessionId)
      assert.strictEqual(yield* tagOf("1:1001"), "Unauthorized")

      restore()
      const open = yield* Deferred.make<void>()
      gate.after = Deferred.await(open)
      const early = yield* Effect.forkChild(tagOf("1:1001"))
      yield* TestClock.adjust(0)
      revoke()
      yield* forget.session(anna.sessionId)
      gate.after = Effect.void
      assert.strictEqual(yield* tagOf("1:1001"), "Unauthorized")
      yield* Deferred.succeed(open, undefined)
      yield* Fiber.join(early)
      assert.strictEqual(yield* tagOf("1:1001"), "Unauthorized")
    })
  )

  it.effect("a valid credential is returned without waiting exactly while it is cached", () =>
    Effect.gen(function* () {
      const { cachedTagOf, createKey, forget, revoke, tagOf } = yield* authentication
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
      revoke()
      yield* forget.session(anna.sessionId)
      assert.isUndefined(yield* cachedTagOf("1:1001"))
      assert.strictEqual(yield* tagOf("1:1001"), "Unauthorized")
      yield* forget.all
      assert.isUndefined(yield* cachedTagOf(api_key))
    })
  )

  it.effect("a look-up that began before a revocation leaves nothing in the cache", () =>
    Effect.gen(function* () {
      const { cachedTagOf, forget, gate, revoke, tagOf } = yield* authentication
      assert.strictEqual(yield* tagOf("1:1001"), "User")
      yield* forget.session(anna.sessionId)
      const open = yield* Deferred.make<void>()
      gate.after = Deferred.await(open)
      const early = yield* Effect.forkChild(tagOf("1:1001"))
      yield* TestClock.adjust(0)
      revoke()
      yield* forget.session(anna.sessionId)
      yield* Deferred.succeed(open, undefined)
      yield* Fiber.join(early)
      assert.isUndefined(yield* cachedTagOf("1:1001"))
    })
  )

  it.effect("an expired access token is not returned from the cache, although its session is cached", () =>
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
      const { createKey, forget, removeKeys, revoke, tagOf } = yield* authentication
      const { api_key } = yield* createKey
      assert.deepStrictEqual([yield* tagOf("1:1001"), yield* tagOf(api_key)], ["User", "ApiKey"])
      revoke()
      removeKeys()
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
  it.effect("identify their business at once, even if they were used before they were created", () =>
    Effect.gen(function* () {
      const { createKey, keys, principal, restoreKey, removeKeys, tagOf } = yield* authentication
      yield* TestClock.setTime(1_790_000_000_000)
      const { api_key, created_date } = yield* createKey
      const stored = keys()
      assert.match(api_key, /^lvk_[\w-]{43}$/u)
      assert.strictEqual(created_date, "2026-09-21T14:13:20Z")
      assert.deepStrictEqual(
        stored.map(({ masked_key }) => masked_key),
        [`${api_key.slice(0, 8)}…${api_key.slice(-4)}`]
      )
      removeKeys()
      assert.strictEqual(yield* tagOf(api_key), "Unauthorized")
      for (const key of stored) restoreKey(key)
      assert.deepStrictEqual(yield* principal(api_key), { _tag: "ApiKey", business: acme })
    })
  )

  it.effect("a deleted key stops within a second", () =>
    Effect.gen(function* () {
      const { createKey, removeKeys, tagOf } = yield* authentication
      const { api_key } = yield* createKey
      assert.strictEqual(yield* tagOf(api_key), "ApiKey")
      removeKeys()
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
          audit().map(({ action, businessId }) => [action, businessId]),
          [
            ["api_key.created", 7],
            ["api_key.deleted", 7]
          ]
        )
        assert.notInclude(JSON.stringify(audit()), api_key.slice(8, -4))
      })
  )

  it.effect("only the hash of a key is stored", () =>
    Effect.gen(function* () {
      const { createKey, keys } = yield* authentication
      const { api_key } = yield* createKey
      assert.match(
        keys()
          .map(({ keyHash }) => keyHash)
          .join(),
        /^[0-9a-f]{64}$/u
      )
      assert.notInclude(JSON.stringify(keys()), api_key.slice(8, -4))
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
