import { assert, layer } from "@effect/vitest"
import { PasswordHasher } from "@livery/domain"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Ports } from "../support/TestPorts.ts"
import { CapturedLog } from "../support/CapturedLog.ts"
import {
  business,
  codeFor,
  messagesTo,
  login,
  makeDriver,
  member,
  operator,
  signUp
} from "../support/People.ts"
import { openServer, record, refusedAs, type TestServer } from "../support/TestServer.ts"

const signIn = Effect.fnUntraced(function* (
  server: TestServer,
  person: { readonly email: string; readonly password: string }
) {
  const { access_token, refresh_token } = record(yield* login(server, person))
  return { access: String(access_token), refresh: String(refresh_token) }
})

const refresh = (server: TestServer, refresh_token: string, headers: Record<string, string> = {}) =>
  server.send("POST", "/auth/refresh", { body: { refresh_token }, headers })

const statusOf = (server: TestServer, credential: string) =>
  Effect.map(server.send("GET", "/me", { credential }), ({ status }) => status)

layer(Ports)("POST /auth/login", (it) => {
  const composed = "caf\u00e9 au lait"
  const decomposed = "cafe\u0301\u00a0au lait"

  it.effect("accepts a password with other marks and spaces than the ones with which it was set", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { email, ...owner } = yield* business(server)
      const body = { current_password: owner.password, new_password: decomposed }
      record(yield* server.send("POST", "/me/password", { credential: owner.token, body }))
      for (const password of [composed, decomposed]) record(yield* login(server, { email, password }))
      refusedAs(yield* login(server, { email, password: "cafe au lait" }), 401, "invalid_credentials")
    })
  )

  it.effect("accepts a password whose hash is from before the canonical form, and replaces the hash", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { email, userId } = yield* member(server)
      const hasher = yield* PasswordHasher
      const sql = yield* SqlClient.SqlClient
      const old = yield* hasher.hash(Redacted.make(decomposed))
      yield* sql`UPDATE users SET password_hash = ${old} WHERE user_id = ${userId}`
      refusedAs(yield* login(server, { email, password: composed }), 401, "invalid_credentials")
      for (const password of [decomposed, composed]) record(yield* login(server, { email, password }))
    })
  )
})

layer(Ports)("POST /auth/refresh", (it) => {
  it.effect("returns a new pair, whose access token works", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const tokens = yield* signIn(server, yield* member(server))
      const pair = record(yield* refresh(server, tokens.refresh))
      assert.deepStrictEqual(Object.keys(pair).sort(), [
        "access_token",
        "expires_in",
        "refresh_token",
        "token_type"
      ])
      assert.deepInclude(pair, { token_type: "Bearer", expires_in: 900 })
      assert.strictEqual(yield* statusOf(server, String(pair["access_token"])), 200)
      assert.strictEqual(yield* statusOf(server, tokens.access), 200)
    })
  )

  it.effect(
    "a rotated token is 401 and ends the session, at once on this node, within a second on others",
    () =>
      Effect.gen(function* () {
        const here = yield* openServer()
        const there = yield* openServer()
        const tokens = yield* signIn(here, yield* member(here))
        const pair = record(yield* refresh(here, tokens.refresh))
        const access = String(pair["access_token"])
        assert.deepStrictEqual([yield* statusOf(here, access), yield* statusOf(there, access)], [200, 200])
        refusedAs(yield* refresh(here, tokens.refresh), 401, "unauthorized")
        assert.strictEqual(yield* statusOf(here, access), 401)
        yield* TestClock.adjust("900 millis")
        assert.strictEqual(yield* statusOf(there, access), 401)
        refusedAs(yield* refresh(there, String(pair["refresh_token"])), 401, "unauthorized")
      })
  )

  it.effect("the revocation commits also if the replay has an Idempotency-Key", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const tokens = yield* signIn(server, yield* member(server))
      const pair = record(yield* refresh(server, tokens.refresh))
      refusedAs(yield* refresh(server, tokens.refresh, { "idempotency-key": "once" }), 401, "unauthorized")
      refusedAs(yield* refresh(server, String(pair["refresh_token"])), 401, "unauthorized")
    })
  )

  it.effect("an access token, an API key and any other text do not refresh; a missing token is 422", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key, token } = yield* business(server)
      for (const wrong of [token, key, "nonsense", "lvr_", "x".repeat(512)])
        refusedAs(yield* refresh(server, wrong), 401, "unauthorized")
      assert.deepStrictEqual(
        refusedAs(yield* server.send("POST", "/auth/refresh", { body: {} }), 422, "invalid_request"),
        [{ field: "refresh_token", issue: "required" }]
      )
    })
  )

  it.effect("a refresh token is not accepted as bearer", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const tokens = yield* signIn(server, yield* member(server))
      assert.strictEqual(yield* statusOf(server, tokens.refresh), 401)
    })
  )
})

layer(Ports)("POST /auth/logout", (it) => {
  it.effect("by refresh token ends the session, and returns whether it did", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { access, refresh: refresh_token } = yield* signIn(server, yield* member(server))
      assert.strictEqual(yield* statusOf(server, access), 200)
      const out = server.send("POST", "/auth/logout", { body: { refresh_token } })
      assert.deepStrictEqual(record(yield* out), { logged_out: true })
      assert.strictEqual(yield* statusOf(server, access), 401)
      assert.deepStrictEqual(record(yield* out), { logged_out: false })
      refusedAs(yield* refresh(server, refresh_token), 401, "unauthorized")
    })
  )

  it.effect("by access token needs no body; a driver's account signs out too", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      for (const ask of [{}, { body: {} }, { text: "" }]) {
        const person = yield* operator(server)
        if ("body" in ask) yield* makeDriver(person.userId)
        assert.deepStrictEqual(
          record(yield* server.send("POST", "/auth/logout", { ...ask, credential: person.token })),
          { logged_out: true }
        )
        assert.strictEqual(yield* statusOf(server, person.token), 401)
      }
    })
  )

  it.effect(
    "without a token is 401, with an API key 403, and with an unknown refresh token has no effect",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { key } = yield* business(server)
        const out = (ask: object) => server.send("POST", "/auth/logout", ask)
        refusedAs(yield* out({}), 401, "unauthorized")
        refusedAs(yield* out({ body: {} }), 401, "unauthorized")
        refusedAs(yield* out({ credential: "nonsense" }), 401, "unauthorized")
        refusedAs(yield* out({ credential: key }), 403, "forbidden")
        assert.deepStrictEqual(record(yield* out({ body: { refresh_token: "lvr_x" } })), {
          logged_out: false
        })
        assert.deepStrictEqual(
          refusedAs(yield* out({ body: { refresh_token: 7 } }), 422, "invalid_request"),
          [{ field: "refresh_token", issue: "invalid" }]
        )
      })
  )
})

layer(Ports)("a new password", (it) => {
  it.effect("with the current one ends every other session, and keeps this one", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const person = yield* member(server)
      const [mine, other] = [yield* signIn(server, person), yield* signIn(server, person)]
      assert.strictEqual(yield* statusOf(server, other.access), 200)
      const change = (current_password: string, new_password: string) =>
        server.send("POST", "/me/password", {
          credential: mine.access,
          body: { current_password, new_password }
        })
      assert.deepStrictEqual(refusedAs(yield* change("wrong", "battery staple"), 422, "invalid_request"), [
        { field: "current_password", issue: "invalid" }
      ])
      assert.deepStrictEqual(refusedAs(yield* change(person.password, "short"), 422, "invalid_request"), [
        { field: "new_password", issue: "too_short" }
      ])
      assert.deepStrictEqual(record(yield* change(person.password, "battery staple")), {
        updated: true,
        other_sessions_revoked: true
      })
      assert.strictEqual(yield* statusOf(server, other.access), 401)
      refusedAs(yield* refresh(server, other.refresh), 401, "unauthorized")
      assert.strictEqual(yield* statusOf(server, mine.access), 200)
      record(yield* refresh(server, mine.refresh))
      refusedAs(yield* login(server, person), 401, "invalid_credentials")
      record(yield* login(server, { email: person.email, password: "battery staple" }))
    })
  )

  it.effect("by a mailed code ends every session", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const person = yield* member(server)
      const { access } = yield* signIn(server, person)
      const sent = record(
        yield* server.send("POST", "/auth/password-reset", { body: { email: person.email } })
      )
      assert.deepStrictEqual(sent, { sent: true })
      const code = yield* codeFor(person.email)
      const confirm = (given: string, password = "battery staple") =>
        server.send("POST", "/auth/password-reset/confirm", { body: { code: given, password } })
      assert.deepStrictEqual(refusedAs(yield* confirm("AAAA-AAAA-AAAA-AAAA"), 422, "invalid_request"), [
        { field: "code", issue: "invalid" }
      ])
      refusedAs(yield* confirm(code, "short"), 422, "invalid_request")
      assert.deepStrictEqual(record(yield* confirm(code)), { reset: true })
      assert.strictEqual(yield* statusOf(server, access), 401)
      refusedAs(yield* confirm(code), 422, "invalid_request")
      record(yield* login(server, { email: person.email, password: "battery staple" }))
    })
  )

  it.effect("neither a verification code resets a password, nor a reset code verifies an email", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const person = yield* signUp(server)
      const verification = yield* codeFor(person.email)
      const confirm = server.send("POST", "/auth/password-reset/confirm", {
        body: { code: verification, password: "battery staple" }
      })
      refusedAs(yield* confirm, 422, "invalid_request")
      yield* server.send("POST", "/auth/password-reset", { body: { email: person.email } })
      const code = yield* codeFor(person.email)
      assert.deepInclude(record(yield* server.send("POST", "/auth/verify-email", { body: { code } })), {
        verified: false
      })
    })
  )
})

layer(Ports)("the existence of an account", (it) => {
  it.effect(
    "is revealed by no response: unknown email, wrong password and unverified account are the same",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const known = yield* member(server)
        const unverified = yield* signUp(server)
        const answers = yield* Effect.forEach(
          [known.email, unverified.email, "nobody@example.com"],
          (email) => login(server, { email, password: "not the password" })
        )
        const [first, ...others] = answers.map(({ body, status }) => ({ status, error: body.error }))
        assert.deepInclude(first, { status: 401 })
        for (const other of others) assert.deepStrictEqual(other, first)
        for (const path of ["/auth/password-reset", "/auth/verify-email/resend"])
          for (const email of [known.email, unverified.email, "nobody@example.com"])
            assert.deepStrictEqual(record(yield* server.send("POST", path, { body: { email } })), {
              sent: true
            })
        for (const path of ["/auth/password-reset", "/auth/verify-email/resend"])
          assert.deepStrictEqual(
            refusedAs(yield* server.send("POST", path, { body: { email: "x" } }), 422, "invalid_request"),
            [{ field: "email", issue: "invalid" }]
          )
      })
  )

  it.effect("a new verification code is mailed on request, and the old one is invalid", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { email } = yield* signUp(server)
      const first = yield* codeFor(email)
      yield* server.send("POST", "/auth/verify-email/resend", { body: { email } })
      const second = yield* codeFor(email)
      const verify = (code: string) => server.send("POST", "/auth/verify-email", { body: { code } })
      assert.deepStrictEqual(record(yield* verify(first)), { verified: false, email: null })
      assert.deepStrictEqual(record(yield* verify(second)), { verified: true, email })
      yield* server.send("POST", "/auth/verify-email/resend", { body: { email } })
      assert.lengthOf(yield* messagesTo(email), 0)
    })
  )

  it.effect("changes of an account are in the audit log and in the program's log, without a secret", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { lines } = yield* CapturedLog
      const { email, key, password, token, userId } = yield* business(server)
      yield* login(server, { email, password: "a wrong guess" })
      yield* server.send("DELETE", "/me/api-keys", { credential: token, body: { api_key: key } })
      yield* server.send("POST", "/auth/logout", { credential: token })
      const rows = yield* sql<{ action: string; entry: string }>`
        SELECT action, row_to_json(audit_log)::text AS entry FROM audit_log
        WHERE actor = ${`user:${userId}`} OR after->>'user_id' = ${String(userId)} ORDER BY audit_id`
      assert.deepStrictEqual(
        rows.map(({ action }) => action),
        [
          "user.created",
          "business.founded",
          "user.email_verified",
          "session.opened",
          "api_key.created",
          "session.refused",
          "api_key.deleted",
          "session.closed"
        ]
      )
      const reported = lines.filter((line) => line.includes("audit"))
      for (const { action } of rows)
        assert.isTrue(
          reported.some((line) => line.includes(action)),
          action
        )
      for (const secret of [password, "a wrong guess", token, key, key.slice(8, -4)])
        assert.notInclude(`${JSON.stringify(rows)} ${lines.join("\n")}`, secret)
    })
  )
})
