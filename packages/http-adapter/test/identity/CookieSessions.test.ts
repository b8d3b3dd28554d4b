import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { PortsInMemory } from "../support/TestPorts.ts"
import { member } from "../support/People.ts"
import { type Answer, openServer, record, refusedAs, type TestServer } from "../support/TestServer.ts"

const asked = { "livery-session": "cookie" }

const cookieOf = ({ headers }: Answer) =>
  /^livery_refresh=([^;]*)/u.exec(headers.get("set-cookie") ?? "")?.[1]

const signIn = Effect.fnUntraced(function* (
  server: TestServer,
  person: { readonly email: string; readonly password: string },
  headers: Readonly<Record<string, string>> = {}
) {
  const { email, password } = person
  return yield* server.send("POST", "/auth/login", {
    body: { email, password },
    headers: { ...asked, ...headers }
  })
})

/** Sends a request with the cookie, as a page of the server's own origin does. */
const withCookie = (
  server: TestServer,
  path: "refresh" | "logout",
  token: string | undefined,
  headers: Readonly<Record<string, string>> = asked
) =>
  server.send("POST", `/auth/${path}`, {
    headers: { cookie: `theme=dark; livery_refresh=${token ?? ""}`, ...headers }
  })

const opened = Effect.gen(function* () {
  const server = yield* openServer()
  const person = yield* member(server)
  const answer = yield* signIn(server, person)
  return { server, person, token: cookieOf(answer), access: String(record(answer)["access_token"]) }
})

const statusOf = (server: TestServer, credential: string) =>
  Effect.map(server.send("GET", "/me", { credential }), ({ status }) => status)

layer(PortsInMemory)("a session in a cookie", (it) => {
  it.effect("begins with a sign-in that asks for it; the token is in the cookie alone", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const answer = yield* signIn(server, yield* member(server))
      assert.strictEqual(answer.status, 200)
      assert.notProperty(record(answer), "refresh_token")
      assert.match(
        answer.headers.get("set-cookie") ?? "",
        /^livery_refresh=[\w.-]{20,}; Max-Age=2592000; Path=\/api\/v1\/auth; HttpOnly; Secure; SameSite=Strict$/u
      )
      const plain = yield* server.send("POST", "/auth/login", { body: yield* member(server) })
      assert.isNull(plain.headers.get("set-cookie"))
      assert.isString(record(plain)["refresh_token"])
    })
  )

  it.effect("needs no encryption on the machine itself, and nowhere else", () =>
    Effect.gen(function* () {
      const secure = (publicUrl: string, host: string) =>
        Effect.gen(function* () {
          const server = yield* openServer({ publicUrl })
          const answer = yield* signIn(server, yield* member(server), { host })
          return answer.headers.get("set-cookie") ?? ""
        })
      assert.notInclude(yield* secure("http://127.0.0.1:3000", "127.0.0.1:3000"), "Secure")
      assert.notInclude(yield* secure("http://localhost:3000", "localhost:3000"), "Secure")
      assert.include(yield* secure("http://127.0.0.1:3000", "cars.example.com"), "Secure")
      assert.include(yield* secure("http://127.0.0.1:3000", "127.0.0.1.example.com"), "Secure")
      assert.include(yield* secure("https://cars.example.com/app", "127.0.0.1"), "Secure")
      assert.include(yield* secure("https://cars.example.com/app", "127.0.0.1"), "Path=/app/api/v1/auth;")
    })
  )

  it.effect("is refreshed and ended by the cookie", () =>
    Effect.gen(function* () {
      const { access, server, token } = yield* opened
      const refreshed = yield* withCookie(server, "refresh", token)
      assert.strictEqual(refreshed.status, 200)
      assert.notProperty(record(refreshed), "refresh_token")
      const next = cookieOf(refreshed)
      assert.notStrictEqual(next, token)
      assert.strictEqual(yield* statusOf(server, String(record(refreshed)["access_token"])), 200)
      const ended = yield* withCookie(server, "logout", next)
      assert.deepStrictEqual(record(ended), { logged_out: true })
      assert.match(ended.headers.get("set-cookie") ?? "", /^livery_refresh=; .*Max-Age=0;/u)
      assert.strictEqual(yield* statusOf(server, access), 401)
    })
  )

  it.effect("is not used by a request without the header, nor by a page of another site", () =>
    Effect.gen(function* () {
      const { access, server, token } = yield* opened
      const foreign = [
        {},
        { ...asked, "sec-fetch-site": "cross-site" },
        { ...asked, "sec-fetch-site": "same-site" }
      ]
      for (const headers of foreign) {
        assert.deepStrictEqual(
          refusedAs(yield* withCookie(server, "refresh", token, headers), 422, "invalid_request"),
          [{ field: "refresh_token", issue: "required" }]
        )
        refusedAs(yield* withCookie(server, "logout", token, headers), 401, "unauthorized")
      }
      const preflight = yield* server.sendTo("OPTIONS", "/api/v1/auth/refresh", {
        headers: { origin: "https://evil.example", "access-control-request-headers": "livery-session" }
      })
      assert.notMatch(preflight.headers.get("access-control-allow-headers") ?? "", /livery-session|\*/iu)
      assert.isNull(preflight.headers.get("access-control-allow-credentials"))
      assert.strictEqual(yield* statusOf(server, access), 200)
      const own = yield* withCookie(server, "refresh", token, { ...asked, "sec-fetch-site": "same-origin" })
      assert.strictEqual(own.status, 200)
    })
  )

  it.effect("that was stolen is worth nothing after the logout", () =>
    Effect.gen(function* () {
      const { server, token } = yield* opened
      yield* withCookie(server, "logout", token)
      refusedAs(yield* withCookie(server, "refresh", token), 401, "unauthorized")
    })
  )

  it.effect(
    "goes on if the response to a refresh is lost: the cookie gets the same successor for two minutes",
    () =>
      Effect.gen(function* () {
        const { access, server, token } = yield* opened
        const lost = yield* withCookie(server, "refresh", token)
        yield* TestClock.adjust("119 seconds")
        const repeated = yield* withCookie(server, "refresh", token)
        assert.strictEqual(repeated.status, 200)
        assert.isString(cookieOf(repeated))
        assert.strictEqual(cookieOf(repeated), cookieOf(lost))
        assert.strictEqual(yield* statusOf(server, access), 200)
      })
  )

  it.effect("ends if a rotated token comes in a body, where no such time is given", () =>
    Effect.gen(function* () {
      const { access, server, token } = yield* opened
      yield* withCookie(server, "refresh", token)
      const stolen = yield* server.send("POST", "/auth/refresh", { body: { refresh_token: token } })
      refusedAs(stolen, 401, "unauthorized")
      assert.strictEqual(yield* statusOf(server, access), 401)
    })
  )

  it.effect("that is refreshed later with a rotated token ends, for the thief and for the owner", () =>
    Effect.gen(function* () {
      const { server, token } = yield* opened
      const owner = yield* withCookie(server, "refresh", token)
      yield* TestClock.adjust("2 minutes")
      refusedAs(yield* withCookie(server, "refresh", token), 401, "unauthorized")
      refusedAs(yield* withCookie(server, "refresh", cookieOf(owner)), 401, "unauthorized")
      assert.strictEqual(yield* statusOf(server, String(record(owner)["access_token"])), 401)
    })
  )

  it.effect("serves two tabs that refresh one after the other", () =>
    Effect.gen(function* () {
      const { server, token } = yield* opened
      const first = yield* withCookie(server, "refresh", token)
      const second = yield* withCookie(server, "refresh", cookieOf(first))
      for (const answer of [first, second])
        assert.strictEqual(yield* statusOf(server, String(record(answer)["access_token"])), 200)
    })
  )

  it.effect("is not replayed under an idempotency key, because the cookie is not stored", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const person = yield* member(server)
      const key = { "idempotency-key": "sign-in-1" }
      const [first, second] = [yield* signIn(server, person, key), yield* signIn(server, person, key)]
      assert.isNull(second.headers.get("idempotency-replayed"))
      assert.notStrictEqual(cookieOf(first), cookieOf(second))
    })
  )

  it.effect("moves a token of the body into the cookie, which the body has precedence over", () =>
    Effect.gen(function* () {
      const { person, server, token } = yield* opened
      const other = record(yield* server.send("POST", "/auth/login", { body: person }))
      const moved = yield* server.send("POST", "/auth/refresh", {
        body: { refresh_token: other["refresh_token"] },
        headers: { ...asked, cookie: `livery_refresh=${token ?? ""}` }
      })
      assert.strictEqual(moved.status, 200)
      assert.notProperty(record(moved), "refresh_token")
      assert.strictEqual((yield* withCookie(server, "refresh", token)).status, 200)
    })
  )
})
