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
  const memory = memoryAccounts()
  const cryptography = Cryptography.layerWebCrypto
  const services = Layer.merge(
    Sessions.layer.pipe(
      Layer.provide(Authentication.layer),
      Layer.provide(Layer.merge(memory.layer, cryptography))
    ),
    cryptography
  )
  const context = yield* Layer.build(services)
  memory.addAccount({
    passwordHash: hash,
    user: { ...user(1).user, email: "zoe@example.com", email_verified: verified }
  })
  for (const businessId of [1, 2]) memory.addMember(businessId, 1)
  return {
    ...memory,
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
      const memory = yield* login()
      const result = yield* memory.login(right)
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
      const memory = yield* login()
      const { refresh_token } = yield* memory.login(right)
      const now = yield* DateTime.now
      assert.deepStrictEqual<unknown>(memory.stored.sessions, [
        {
          userId: 1,
          deviceName: "Phone",
          refreshTokenHash: yield* memory.digest(refresh_token),
          refreshTokenExpiresAt: DateTime.add(now, { days: 30 }),
          now,
          expiresAt: DateTime.add(now, { days: 180 })
        }
      ])
      assert.notInclude(JSON.stringify(memory.stored), refresh_token)
    })
  )

  it.effect("no two logins share a token", () =>
    Effect.gen(function* () {
      const memory = yield* login()
      const [first, second] = [yield* memory.login(right), yield* memory.login(right)]
      assert.notStrictEqual(first.refresh_token, second.refresh_token)
      assert.notStrictEqual(first.access_token, second.access_token)
    })
  )

  it.effect("an unknown email takes the same time as a wrong password, and gives the same error", () =>
    Effect.gen(function* () {
      const memory = yield* login()
      const unknown = yield* Effect.flip(memory.login(right, "nobody@example.com"))
      assert.deepStrictEqual(memory.calls, ["compareDummy outside", "audit outside"])
      memory.calls.length = 0
      const wrong = yield* Effect.flip(memory.login("wrong"))
      assert.deepStrictEqual(memory.calls, ["compare outside", "audit outside"])
      assert.deepStrictEqual([unknown._tag, unknown.message], ["InvalidCredentials", wrong.message])
      assert.strictEqual(wrong._tag, "InvalidCredentials")
    })
  )

  it.effect("an unverified email is reported only with the correct password", () =>
    Effect.gen(function* () {
      const memory = yield* login(false)
      assert.strictEqual((yield* Effect.flip(memory.login("wrong")))._tag, "InvalidCredentials")
      assert.strictEqual((yield* Effect.flip(memory.login(right)))._tag, "EmailUnverified")
      assert.deepStrictEqual(memory.calls, [
        "compare outside",
        "audit outside",
        "compare outside",
        "audit outside"
      ])
      assert.isEmpty(memory.stored.sessions)
    })
  )

  it.effect("an outdated hash is replaced, and computed outside the transaction", () =>
    Effect.gen(function* () {
      const memory = yield* login()
      memory.hasher.outdated = true
      yield* memory.login(right)
      assert.deepStrictEqual(memory.calls, [
        "compare outside",
        "hash outside",
        "lock inside",
        "rehash inside",
        "session inside",
        "audit inside"
      ])
      assert.strictEqual(memory.stored.accounts[0]?.passwordHash, "hash 1 of 13:e")
    })
  )

  it.effect("a current hash stays, and so does that of a refused login", () =>
    Effect.gen(function* () {
      const memory = yield* login()
      yield* memory.login(right)
      assert.deepStrictEqual(memory.calls, [
        "compare outside",
        "lock inside",
        "session inside",
        "audit inside"
      ])
      memory.hasher.outdated = true
      yield* Effect.flip(memory.login("wrong"))
      assert.strictEqual(memory.stored.accounts[0]?.passwordHash, hash)
    })
  )

  it.effect("a password that changes between its comparison and the session opens no session", () =>
    Effect.gen(function* () {
      const memory = yield* login()
      memory.hasher.onCompare = () => {
        memory.setPasswordHash(1, "hash 0 of 9:x")
      }
      assert.strictEqual((yield* Effect.flip(memory.login(right)))._tag, "InvalidCredentials")
      assert.isEmpty(memory.stored.sessions)
    })
  )

  it.effect("a hash that a concurrent login has replaced still opens a session", () =>
    Effect.gen(function* () {
      const memory = yield* login()
      let renewed = false
      memory.hasher.onCompare = () => {
        if (!renewed) memory.setPasswordHash(1, "hash 5 of 13:e")
        renewed = true
      }
      yield* memory.login(right)
      assert.lengthOf(memory.stored.sessions, 1)
    })
  )

  it.effect("every attempt is in the audit log, with neither password, email nor token", () =>
    Effect.gen(function* () {
      const memory = yield* login()
      const { access_token, refresh_token } = yield* memory.login(right)
      yield* Effect.flip(memory.login("wrong"))
      yield* Effect.flip(memory.login(right, "nobody@example.com"))
      assert.deepStrictEqual(
        memory.stored.audit.map(({ action, actor, after }) => [actor, action, after]),
        [
          ["user:1", "session.opened", { session_id: 1, by: "password" }],
          ["anonymous", "session.refused", { user_id: 1 }],
          ["anonymous", "session.refused", { user_id: null }]
        ]
      )
      for (const secret of [right, "wrong password!", "@example.com", access_token, refresh_token])
        assert.notInclude(JSON.stringify(memory.stored.audit), secret)
    })
  )
})
