import { assert, describe, it } from "@effect/vitest"
import { LogoutInput, RefreshInput } from "@livery/domain"
import { Duration, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { issuesOf } from "../support/Decoding.ts"
import { zoesAccount } from "../support/ZoesAccount.ts"

const day = 24 * 3600

const passSeconds = (seconds: number) => TestClock.adjust(seconds * 1000)

describe("refresh", () => {
  it.effect("returns a new pair of tokens of the same session", () =>
    Effect.gen(function* () {
      const { login, sessions } = yield* zoesAccount()
      const { refresh_token } = yield* login()
      const pair = yield* sessions.refresh(Redacted.make(refresh_token))
      assert.match(pair.refresh_token, /^lvr_[\w-]{43}$/u)
      assert.notStrictEqual(pair.refresh_token, refresh_token)
      assert.deepStrictEqual(pair, {
        token_type: "Bearer",
        access_token: "token:1:1",
        expires_in: 900,
        refresh_token: pair.refresh_token
      })
    })
  )

  it.effect("a rotated token ends its session permanently, and no other", () =>
    Effect.gen(function* () {
      const { live, login, refresh, stored, tried } = yield* zoesAccount()
      const { refresh_token: first } = yield* login()
      const { refresh_token: other } = yield* login()
      const second = yield* refresh(first)
      const third = yield* refresh(second)
      assert.strictEqual(yield* tried(first), "Unauthorized")
      assert.strictEqual(live(), 1)
      for (const token of [third, second, first]) assert.strictEqual(yield* tried(token), "Unauthorized")
      assert.deepStrictEqual(stored.forgotten, [1])
      yield* refresh(other)
      assert.deepStrictEqual(stored.audit.at(-1)?.action, "session.revoked")
    })
  )

  it.effect("reuse is detected by the token, not by times: also within the same millisecond", () =>
    Effect.gen(function* () {
      const { live, login, refresh, tried } = yield* zoesAccount()
      const { refresh_token } = yield* login()
      yield* refresh(refresh_token)
      assert.strictEqual(yield* tried(refresh_token), "Unauthorized")
      assert.strictEqual(live(), 0)
    })
  )

  it.effect("the revocation commits although the call fails", () =>
    Effect.gen(function* () {
      const { calls, login, refresh, tried, transaction } = yield* zoesAccount()
      const { refresh_token } = yield* login()
      yield* refresh(refresh_token)
      const { committed } = transaction
      calls.length = 0
      assert.strictEqual(yield* tried(refresh_token), "Unauthorized")
      assert.strictEqual(transaction.committed, committed + 1)
      assert.deepStrictEqual(calls, ["audit inside"])
    })
  )

  it.effect("a token is valid for 30 days from its issue, to the second", () =>
    Effect.gen(function* () {
      const { login, refresh, tried } = yield* zoesAccount()
      const { refresh_token: early } = yield* login()
      yield* passSeconds(30 * day - 1)
      const later = yield* refresh(early)
      yield* passSeconds(30 * day)
      assert.strictEqual(yield* tried(later), "Unauthorized")
    })
  )

  it.effect("an expired token that was never rotated is not reuse", () =>
    Effect.gen(function* () {
      const { live, login, tried } = yield* zoesAccount()
      const { refresh_token } = yield* login()
      yield* passSeconds(30 * day)
      assert.strictEqual(yield* tried(refresh_token), "Unauthorized")
      assert.strictEqual(live(), 1)
    })
  )

  it.effect("a session lasts 180 days, however often it is refreshed", () =>
    Effect.gen(function* () {
      const { login, refresh, tried } = yield* zoesAccount()
      let token = (yield* login()).refresh_token
      for (const days of [29, 29, 29, 29, 29, 29]) {
        yield* passSeconds(days * day)
        token = yield* refresh(token)
      }
      yield* passSeconds(6 * day - 1)
      token = yield* refresh(token)
      yield* passSeconds(1)
      assert.strictEqual(yield* tried(token), "Unauthorized")
    })
  )

  it.effect("an unknown token is refused, and changes nothing", () =>
    Effect.gen(function* () {
      const { live, login, stored, tried } = yield* zoesAccount()
      const { access_token } = yield* login()
      for (const token of ["lvr_", "nonsense", access_token])
        assert.strictEqual(yield* tried(token), "Unauthorized")
      assert.strictEqual(live(), 1)
      assert.isEmpty(stored.forgotten)
    })
  )

  it.effect("without a grace period no successor is stored", () =>
    Effect.gen(function* () {
      const { login, refresh, successors } = yield* zoesAccount()
      const { refresh_token } = yield* login()
      yield* refresh(refresh_token)
      assert.isEmpty(successors())
    })
  )
})

describe("the grace", () => {
  it.effect("returns the same successor for the last token again, and never a second one", () =>
    Effect.gen(function* () {
      const { live, login, refresh } = yield* zoesAccount({ grace: 10 })
      const { refresh_token } = yield* login()
      const successor = yield* refresh(refresh_token)
      yield* passSeconds(9)
      assert.strictEqual(yield* refresh(refresh_token), successor)
      assert.strictEqual(yield* refresh(refresh_token), successor)
      assert.strictEqual(live(), 1)
      yield* refresh(successor)
    })
  )

  it.effect("ends after its seconds; a later repetition is reuse", () =>
    Effect.gen(function* () {
      const { live, login, refresh, tried } = yield* zoesAccount({ grace: 10 })
      const { refresh_token } = yield* login()
      yield* refresh(refresh_token)
      yield* passSeconds(10)
      assert.strictEqual(yield* tried(refresh_token), "Unauthorized")
      assert.strictEqual(live(), 0)
    })
  )

  it.effect("applies to the last token only: an older one is reuse at once", () =>
    Effect.gen(function* () {
      const { live, login, refresh, tried } = yield* zoesAccount({ grace: 10 })
      const { refresh_token } = yield* login()
      yield* refresh(yield* refresh(refresh_token))
      assert.strictEqual(yield* tried(refresh_token), "Unauthorized")
      assert.strictEqual(live(), 0)
    })
  )

  it.effect("is at least the one that a refresh names, and the setting if that is longer", () =>
    Effect.gen(function* () {
      for (const [grace, lasting] of [
        [0, 60],
        [90, 90]
      ] as const) {
        const { login, sessions, tried } = yield* zoesAccount({ grace })
        const token = Redacted.make((yield* login()).refresh_token)
        const leastGrace = Duration.seconds(60)
        const { refresh_token } = yield* sessions.refresh(token, leastGrace)
        yield* passSeconds(lasting - 1)
        assert.strictEqual((yield* sessions.refresh(token, leastGrace)).refresh_token, refresh_token)
        yield* passSeconds(1)
        assert.strictEqual((yield* Effect.flip(sessions.refresh(token, leastGrace)))._tag, "Unauthorized")
        assert.strictEqual(yield* tried(refresh_token), "Unauthorized")
      }
    })
  )

  it.effect("does not extend the session", () =>
    Effect.gen(function* () {
      const { login, refresh, sessions, tried } = yield* zoesAccount({ grace: 10 })
      const { refresh_token } = yield* login()
      const successor = yield* refresh(refresh_token)
      yield* sessions.logout({ refreshToken: Redacted.make(successor), credential: undefined })
      assert.strictEqual(yield* tried(refresh_token), "Unauthorized")
    })
  )
})

describe("logout", () => {
  const by = (refreshToken?: string, credential?: string) => ({
    refreshToken: refreshToken === undefined ? undefined : Redacted.make(refreshToken),
    credential: credential === undefined ? undefined : Redacted.make(credential)
  })

  it.effect("by any refresh token of the session, also a rotated or an expired one, ends it once", () =>
    Effect.gen(function* () {
      const { live, login, refresh, sessions, stored, tried } = yield* zoesAccount()
      const { refresh_token: first } = yield* login()
      const second = yield* refresh(first)
      assert.deepStrictEqual(yield* sessions.logout(by(first)), { logged_out: true })
      assert.strictEqual(live(), 0)
      assert.strictEqual(yield* tried(second), "Unauthorized")
      assert.deepStrictEqual(yield* sessions.logout(by(second)), { logged_out: false })
      assert.deepStrictEqual(stored.forgotten, [1])
      const { refresh_token: late } = yield* login()
      yield* passSeconds(31 * day)
      assert.deepStrictEqual(yield* sessions.logout(by(late)), { logged_out: true })
      assert.deepStrictEqual(stored.audit.filter(({ action }) => action === "session.closed").length, 2)
    })
  )

  it.effect("by an access token ends its session, and the token is refused from then on", () =>
    Effect.gen(function* () {
      const { login, refresh, sessions, tried } = yield* zoesAccount()
      const { access_token, refresh_token } = yield* login()
      const { refresh_token: other } = yield* login()
      assert.deepStrictEqual(yield* sessions.logout(by(undefined, access_token)), { logged_out: true })
      assert.strictEqual(yield* tried(refresh_token), "Unauthorized")
      yield* refresh(other)
      const again = yield* Effect.flip(sessions.logout(by(undefined, access_token)))
      assert.strictEqual(again._tag, "Unauthorized")
    })
  )

  it.effect("by an unknown refresh token ends nothing, and returns false", () =>
    Effect.gen(function* () {
      const { live, login, sessions } = yield* zoesAccount()
      const { access_token } = yield* login()
      assert.deepStrictEqual(yield* sessions.logout(by("lvr_x", access_token)), { logged_out: false })
      assert.strictEqual(live(), 1)
    })
  )

  it.effect("needs a token of a user: an API key is Forbidden, no credential Unauthorized", () =>
    Effect.gen(function* () {
      const { sessions } = yield* zoesAccount()
      for (const [credential, tag] of [
        ["lvk_key", "Forbidden"],
        ["nonsense", "Unauthorized"],
        [undefined, "Unauthorized"]
      ] as const)
        assert.strictEqual((yield* Effect.flip(sessions.logout(by(undefined, credential))))._tag, tag)
    })
  )
})

it("the body of a refresh or a logout may lack the refresh token, which may be in a cookie", () => {
  assert.deepStrictEqual(issuesOf(RefreshInput, {}), [])
  assert.deepStrictEqual(issuesOf(RefreshInput, { refresh_token: "" }), [])
  assert.deepStrictEqual(issuesOf(RefreshInput, { refresh_token: 5 }), ["refresh_token invalid"])
  assert.deepStrictEqual(issuesOf(LogoutInput, {}), [])
})
