import { assert, describe, it } from "@effect/vitest"
import { Authentication, Cryptography, LoginInput, Sessions } from "@livery/domain"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { memoryAccounts } from "../support/MemoryAccounts.ts"
import { decoded } from "../support/Decoding.ts"
import { user } from "../support/People.ts"

const right = "correct horse"
/** The fake hasher's hash of `right`. */
const hash = "hash 0 of 13:e"

const login = Effect.fnUntraced(function* (verified = true) {
  const world = memoryAccounts()
  const cryptography = Cryptography.layerWebCrypto
  const services = Layer.merge(
    Sessions.layer.pipe(
      Layer.provide(Authentication.layer),
      Layer.provide(Layer.merge(world.layer, cryptography))
    ),
    cryptography
  )
  const context = yield* Layer.build(services)
  world.addAccount({
    passwordHash: hash,
    user: { ...user(1).user, email: "zoe@example.com", email_verified: verified }
  })
  for (const businessId of [1, 2]) world.addMember(businessId, 1)
  return {
    ...world,
    login: (password: string, email = "zoe@example.com") =>
      Effect.provide(
        Sessions.use((it) => it.login(decoded(LoginInput, { email, password, device_name: "Phone" }))),
        context
      ),
    digest: (text: string) =>
      Effect.provide(
        Cryptography.use((it) => it.sha256(text)),
        context
      )
  }
})

describe("login", () => {
  it.effect("returns a pair of tokens, the user and the user's businesses", () =>
    Effect.gen(function* () {
      const world = yield* login()
      const result = yield* world.login(right)
      assert.match(result.refresh_token, /^lvr_[\w-]{43}$/u)
      assert.deepStrictEqual(result, {
        token_type: "Bearer",
        access_token: "token:1:1",
        expires_in: 900,
        refresh_token: result.refresh_token,
        user: { id: 1, email: "zoe@example.com", account_type: "A" },
        businesses: [
          { business_id: 1, business_name: "Business 1" },
          { business_id: 2, business_name: "Business 2" }
        ]
      })
    })
  )

  it.effect("stores only the hash of the refresh token, for 30 of the session's 180 days", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_790_000_000_000)
      const world = yield* login()
      const { refresh_token } = yield* world.login(right)
      const now = yield* DateTime.now
      assert.deepStrictEqual<unknown>(world.stored.sessions, [
        {
          userId: 1,
          deviceName: "Phone",
          refreshTokenHash: yield* world.digest(refresh_token),
          refreshTokenExpiresAt: DateTime.add(now, { days: 30 }),
          now,
          expiresAt: DateTime.add(now, { days: 180 })
        }
      ])
      assert.notInclude(JSON.stringify(world.stored), refresh_token)
    })
  )

  it.effect("no two logins share a token", () =>
    Effect.gen(function* () {
      const world = yield* login()
      const [first, second] = [yield* world.login(right), yield* world.login(right)]
      assert.notStrictEqual(first.refresh_token, second.refresh_token)
      assert.notStrictEqual(first.access_token, second.access_token)
    })
  )

  it.effect("an unknown email takes the same time as a wrong password, and gives the same error", () =>
    Effect.gen(function* () {
      const world = yield* login()
      const unknown = yield* Effect.flip(world.login(right, "nobody@example.com"))
      assert.deepStrictEqual(world.calls, ["compareDummy outside", "audit outside"])
      world.calls.length = 0
      const wrong = yield* Effect.flip(world.login("wrong"))
      assert.deepStrictEqual(world.calls, ["compare outside", "audit outside"])
      assert.deepStrictEqual([unknown._tag, unknown.message], ["InvalidCredentials", wrong.message])
      assert.strictEqual(wrong._tag, "InvalidCredentials")
    })
  )

  it.effect("an unverified email is reported only with the correct password", () =>
    Effect.gen(function* () {
      const world = yield* login(false)
      assert.strictEqual((yield* Effect.flip(world.login("wrong")))._tag, "InvalidCredentials")
      assert.strictEqual((yield* Effect.flip(world.login(right)))._tag, "EmailUnverified")
      assert.deepStrictEqual(world.calls, [
        "compare outside",
        "audit outside",
        "compare outside",
        "audit outside"
      ])
      assert.isEmpty(world.stored.sessions)
    })
  )

  it.effect("an outdated hash is replaced, and computed outside the transaction", () =>
    Effect.gen(function* () {
      const world = yield* login()
      world.hasher.outdated = true
      yield* world.login(right)
      assert.deepStrictEqual(world.calls, [
        "compare outside",
        "hash outside",
        "lock inside",
        "rehash inside",
        "session inside",
        "audit inside"
      ])
      assert.strictEqual(world.stored.accounts[0]?.passwordHash, "hash 1 of 13:e")
    })
  )

  it.effect("a current hash stays, and so does that of a refused login", () =>
    Effect.gen(function* () {
      const world = yield* login()
      yield* world.login(right)
      assert.deepStrictEqual(world.calls, [
        "compare outside",
        "lock inside",
        "session inside",
        "audit inside"
      ])
      world.hasher.outdated = true
      yield* Effect.flip(world.login("wrong"))
      assert.strictEqual(world.stored.accounts[0]?.passwordHash, hash)
    })
  )

  it.effect("a password that changes between its comparison and the session opens no session", () =>
    Effect.gen(function* () {
      const world = yield* login()
      world.hasher.onCompare = () => {
        world.setPasswordHash(1, "hash 0 of 9:x")
      }
      assert.strictEqual((yield* Effect.flip(world.login(right)))._tag, "InvalidCredentials")
      assert.isEmpty(world.stored.sessions)
    })
  )

  it.effect("a hash that a concurrent login has replaced still opens a session", () =>
    Effect.gen(function* () {
      const world = yield* login()
      let renewed = false
      world.hasher.onCompare = () => {
        if (!renewed) world.setPasswordHash(1, "hash 5 of 13:e")
        renewed = true
      }
      yield* world.login(right)
      assert.lengthOf(world.stored.sessions, 1)
    })
  )

  it.effect("every attempt is in the audit log, with neither password, email nor token", () =>
    Effect.gen(function* () {
      const world = yield* login()
      const { access_token, refresh_token } = yield* world.login(right)
      yield* Effect.flip(world.login("wrong"))
      yield* Effect.flip(world.login(right, "nobody@example.com"))
      assert.deepStrictEqual(
        world.stored.audit.map(({ action, actor, after }) => [actor, action, after]),
        [
          ["user:1", "session.opened", { session_id: 1, by: "password" }],
          ["anonymous", "session.refused", { user_id: 1 }],
          ["anonymous", "session.refused", { user_id: null }]
        ]
      )
      for (const secret of [right, "wrong password!", "@example.com", access_token, refresh_token])
        assert.notInclude(JSON.stringify(world.stored.audit), secret)
    })
  )
})
