import { assert, describe, it } from "@effect/vitest"
import { PasswordChange, UserChanges, ResetConfirmation, type SessionId } from "@livery/domain"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { decoded, issuesOf } from "../support/Decoding.ts"
import { codeIn, firstPassword, zoesAccount } from "../support/ZoesAccount.ts"

const newPassword = "battery staple"

const changeOf = (current_password: string, new_password = newPassword) =>
  decoded(PasswordChange, { current_password, new_password })

describe("changing the password", () => {
  it.effect("ends every other session of the user and keeps the calling one", () =>
    Effect.gen(function* () {
      const { login, passwords, refresh, stored, tried, zoe } = yield* zoesAccount()
      const tokens = [yield* login(), yield* login(), yield* login()].map((it) => it.refresh_token)
      const by = { user: zoe, sessionId: 2 as SessionId }
      assert.deepStrictEqual(yield* passwords.change(by, changeOf(firstPassword)), {
        updated: true,
        other_sessions_revoked: true
      })
      assert.strictEqual(yield* tried(tokens[0] ?? ""), "Unauthorized")
      assert.strictEqual(yield* tried(tokens[2] ?? ""), "Unauthorized")
      yield* refresh(tokens[1] ?? "")
      assert.deepStrictEqual(stored.forgotten, [1, 3])
      assert.strictEqual((yield* Effect.flip(login()))._tag, "InvalidCredentials")
      yield* login(newPassword)
    })
  )

  it.effect("with a wrong current password changes nothing, and writes an audit entry", () =>
    Effect.gen(function* () {
      const { login, passwords, refresh, stored, zoe } = yield* zoesAccount()
      const { refresh_token } = yield* login()
      const by = { user: zoe, sessionId: 9 as SessionId }
      const refusal = yield* Effect.flip(passwords.change(by, changeOf("wrong")))
      assert.deepStrictEqual<unknown>(Reflect.get(refusal, "issues"), [
        { field: "current_password", issue: "invalid" }
      ])
      yield* refresh(refresh_token)
      yield* login()
      assert.include(
        stored.audit.map(({ action }) => action),
        "password.change_refused"
      )
    })
  )

  it.effect("by a session that ended meanwhile is Unauthorized", () =>
    Effect.gen(function* () {
      const { passwords, zoe } = yield* zoesAccount()
      const by = { user: zoe, sessionId: 9 as SessionId }
      const refusal = yield* Effect.flip(passwords.change(by, changeOf(firstPassword)))
      assert.strictEqual(refusal._tag, "Unauthorized")
    })
  )

  it.effect("hashes outside the transaction, and locks the user before the sessions", () =>
    Effect.gen(function* () {
      const { calls, login, passwords, zoe } = yield* zoesAccount()
      yield* login()
      calls.length = 0
      yield* passwords.change({ user: zoe, sessionId: 1 as SessionId }, changeOf(firstPassword))
      assert.deepStrictEqual(calls, [
        "compare outside",
        "hash outside",
        "lock inside",
        "rehash inside",
        "audit inside"
      ])
    })
  )

  it("names every wrong field", () => {
    assert.deepStrictEqual(issuesOf(PasswordChange, { new_password: "short" }), [
      "current_password required",
      "new_password too_short"
    ])
    assert.deepStrictEqual(issuesOf(ResetConfirmation, {}), ["code required", "password required"])
  })
})

describe("a forgotten password", () => {
  const confirmation = (code: string, password = newPassword) =>
    decoded(ResetConfirmation, { code, password })

  it.effect("is replaced with the mailed code, which ends every session and verifies the email", () =>
    Effect.gen(function* () {
      const { login, passwords, stored, tried, zoe } = yield* zoesAccount()
      const { refresh_token } = yield* login()
      assert.deepStrictEqual(yield* passwords.requestReset(zoe.email), { sent: true })
      const [message] = stored.messages
      assert.strictEqual(message?.to, zoe.email)
      assert.include(message?.text, `https://app.example/#${codeIn(message)}`)
      assert.deepStrictEqual(yield* passwords.confirmReset(confirmation(codeIn(message).toLowerCase())), {
        reset: true
      })
      assert.strictEqual(yield* tried(refresh_token), "Unauthorized")
      assert.deepStrictEqual(stored.forgotten, [1])
      yield* login(newPassword)
    })
  )

  it.effect("verifies an unverified email, which the audit log has once", () =>
    Effect.gen(function* () {
      const { login, passwords, stored, zoe } = yield* zoesAccount({ verified: false })
      for (const message of [0, 1]) {
        yield* passwords.requestReset(zoe.email)
        yield* passwords.confirmReset(confirmation(codeIn(stored.messages[message])))
      }
      yield* login(newPassword)
      assert.deepStrictEqual(
        stored.audit.map(({ action, actor, subject }) => [action, actor, subject]).slice(0, 3),
        ["user.email_verified", "password.reset", "password.reset"].map((action) => [
          action,
          "user:1",
          "user:1"
        ])
      )
    })
  )

  it.effect("a code is valid once, for an hour, beside newer ones, and only for its purpose", () =>
    Effect.gen(function* () {
      const { login, passwords, stored, zoe } = yield* zoesAccount()
      const refused = Effect.fnUntraced(function* (code: string) {
        const refusal = yield* Effect.flip(passwords.confirmReset(confirmation(code, "another one")))
        assert.deepStrictEqual<unknown>(Reflect.get(refusal, "issues"), [{ field: "code", issue: "invalid" }])
      })
      yield* passwords.requestReset(zoe.email)
      yield* passwords.requestReset(zoe.email)
      const [first, second] = stored.messages.map(codeIn)
      yield* refused("AAAA-AAAA-AAAA-AAAA")
      yield* TestClock.adjust("3599 seconds")
      yield* passwords.confirmReset(confirmation(first ?? ""))
      yield* refused(first ?? "")
      // A new password voids every code.
      yield* refused(second ?? "")
      yield* passwords.requestReset(zoe.email)
      yield* TestClock.adjust("3600 seconds")
      yield* refused(codeIn(stored.messages[2]))
      yield* login(newPassword)
    })
  )

  it.effect("a wrong code causes no hashing", () =>
    Effect.gen(function* () {
      const { calls, passwords } = yield* zoesAccount()
      yield* Effect.flip(passwords.confirmReset(confirmation("AAAA")))
      assert.isEmpty(calls)
    })
  )

  it.effect("a changed password invalidates the code that was mailed before", () =>
    Effect.gen(function* () {
      const { login, passwords, stored, zoe } = yield* zoesAccount()
      yield* login()
      yield* passwords.requestReset(zoe.email)
      yield* passwords.change({ user: zoe, sessionId: 1 as SessionId }, changeOf(firstPassword))
      const refusal = yield* Effect.flip(passwords.confirmReset(confirmation(codeIn(stored.messages[0]))))
      assert.strictEqual(refusal._tag, "InvalidInput")
    })
  )

  it.effect("a request for an unknown email has the same result and the same work, and sends no code", () =>
    Effect.gen(function* () {
      const { calls, passwords, stored, zoe } = yield* zoesAccount()
      yield* passwords.requestReset(zoe.email)
      const known = calls.splice(0)
      assert.deepStrictEqual(yield* passwords.requestReset("nobody@example.com"), { sent: true })
      assert.deepStrictEqual(calls, known)
      assert.strictEqual(stored.messages[1]?.to, "")
      const refusal = yield* Effect.flip(passwords.confirmReset(confirmation(codeIn(stored.messages[1]))))
      assert.strictEqual(refusal._tag, "InvalidInput")
    })
  )
})

describe("UserChanges", () => {
  it("has at least one field, and distinguishes an absent field from a cleared one", () => {
    for (const nothing of [{}, { email: "new@example.com" }])
      assert.deepStrictEqual(issuesOf(UserChanges, nothing), [" required"])
    assert.deepStrictEqual(decoded(UserChanges, { mobile_phone: " " }), { mobile_phone: null })
    assert.deepStrictEqual(decoded(UserChanges, { mobile_phone: null }), { mobile_phone: null })
    assert.deepStrictEqual(decoded(UserChanges, { name: " Zoë " }), { name: "Zoë" })
    assert.deepStrictEqual(issuesOf(UserChanges, { name: " ", mobile_phone: "1".repeat(41) }), [
      "name required",
      "mobile_phone too_long"
    ])
    assert.deepStrictEqual(issuesOf(UserChanges, { name: null }), ["name required"])
  })
})
