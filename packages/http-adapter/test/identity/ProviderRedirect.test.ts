import { assert, layer } from "@effect/vitest"
import { IdentityProviders, type ProvidedIdentity, Unauthorized, Unavailable } from "@livery/domain"
import { Effect, Layer, Redacted } from "effect"
import { PortsInMemory } from "../support/TestPorts.ts"
import { type Answer, openServer, record, refusedAs, type TestServer } from "../support/TestServer.ts"

const issuer = "https://id.example"
const asked = { "livery-session": "cookie" }

const person: ProvidedIdentity = {
  issuer,
  subject: "ada-1",
  email: "ada@example.com",
  emailVerified: true,
  name: "Ada"
}

let begun = 0
let failures = 0

/** A provider that accepts its code `good` together with the secret of the browser. */
const Provider = Layer.mock(IdentityProviders)({
  offered: Effect.succeed([{ issuer, name: "Example" }]),
  begin: () =>
    Effect.sync(() => ({
      address: `${issuer}/authorize?state=state-${(begun += 1)}`,
      secret: Redacted.make(`secret-${begun}`)
    })),
  finish: ({ code, secret, state }) => {
    if (Redacted.value(secret).replace("secret", "state") !== state) return Effect.fail(new Unauthorized())
    if (Redacted.value(code) === "unreachable" && (failures += 1) === 1)
      return Effect.die(
        new Unavailable({ reason: "The identity provider cannot be reached", retryAfterSeconds: 5 })
      )
    const email = Redacted.value(code) === "unverified"
    return Redacted.value(code) === "forged"
      ? Effect.fail(new Unauthorized())
      : Effect.succeed({ ...person, emailVerified: !email })
  }
})

const opened = Effect.provide(openServer(), Provider)

const cookiesOf = ({ headers }: Answer) => headers.getSetCookie()

const begin = Effect.fnUntraced(function* (server: TestServer) {
  const answer = yield* server.send("POST", "/auth/idp/begin", { body: { issuer }, headers: asked })
  const [cookie = ""] = cookiesOf(answer)
  const address = new URL(String(record(answer)["authorization_url"]))
  return {
    address: address.href,
    set: cookie,
    cookie: cookie.split(";")[0] ?? "",
    state: address.searchParams.get("state") ?? ""
  }
})

const finish = (
  server: TestServer,
  body: Readonly<Record<string, unknown>>,
  cookie: string,
  headers: Readonly<Record<string, string>> = asked
) => server.send("POST", "/auth/idp/finish", { body, headers: { cookie, ...headers } })

layer(PortsInMemory)("signing in with an identity provider in a browser", (it) => {
  it.effect("lists the providers by name, and nothing else of them", () =>
    Effect.gen(function* () {
      const answer = yield* (yield* opened).send("GET", "/auth/idp")
      assert.deepStrictEqual(answer.body.data, [{ issuer, name: "Example" }])
    })
  )

  it.effect("keeps a secret in a cookie of the sign-in, and replaces it by the session at the return", () =>
    Effect.gen(function* () {
      const server = yield* opened
      const { address, cookie, set, state } = yield* begin(server)
      assert.match(address, /^https:\/\/id\.example\/authorize\?state=state-\d+$/u)
      assert.match(
        set,
        /^livery_idp=secret-\d+; Max-Age=900; Path=\/api\/v1\/auth; HttpOnly; Secure; SameSite=Strict$/u
      )
      const answer = yield* finish(server, { code: "good", state }, cookie)
      assert.strictEqual(answer.status, 200)
      assert.notProperty(record(answer), "refresh_token")
      assert.strictEqual(record(answer)["needs_business_setup"], true)
      const [ended = "", session = "", ...more] = cookiesOf(answer)
      assert.match(ended, /^livery_idp=; Max-Age=0; /u)
      assert.match(session, /^livery_refresh=[\w.-]{20,}; Max-Age=2592000; /u)
      assert.isEmpty(more)
      const me = yield* server.send("GET", "/me", { credential: String(record(answer)["access_token"]) })
      assert.strictEqual(record(me)["email"], person.email)
    })
  )

  it.effect("is refused without the cookie, with the cookie of another browser, and from another site", () =>
    Effect.gen(function* () {
      const server = yield* opened
      const [mine, theirs] = [yield* begin(server), yield* begin(server)]
      const body = { code: "good", state: mine.state }
      const answers = [
        yield* finish(server, body, ""),
        yield* finish(server, body, theirs.cookie),
        yield* finish(server, body, mine.cookie, {}),
        yield* finish(server, body, mine.cookie, { ...asked, "sec-fetch-site": "cross-site" }),
        yield* finish(server, body, mine.cookie, { ...asked, "sec-fetch-site": "same-site" })
      ]
      for (const answer of answers) {
        refusedAs(answer, 401, "unauthorized")
        assert.isEmpty(cookiesOf(answer).filter((cookie) => cookie.startsWith("livery_refresh")))
      }
      assert.strictEqual((yield* finish(server, body, mine.cookie)).status, 200)
    })
  )

  it.effect("ends the cookie with the first return, also if it is refused", () =>
    Effect.gen(function* () {
      const server = yield* opened
      for (const [code, status, type] of [
        ["forged", 401, "unauthorized"],
        ["unverified", 403, "email_unverified"]
      ] as const) {
        const { cookie, state } = yield* begin(server)
        const answer = yield* finish(server, { code, state }, cookie)
        refusedAs(answer, status, type)
        assert.match(cookiesOf(answer).join(), /^livery_idp=; Max-Age=0; [^,]*$/u)
      }
    })
  )

  it.effect("keeps the cookie while the provider is unavailable, so that the return can be sent again", () =>
    Effect.gen(function* () {
      const server = yield* opened
      const { cookie, state } = yield* begin(server)
      const body = { code: "unreachable", state }
      const answer = yield* finish(server, body, cookie)
      assert.deepStrictEqual([answer.status, answer.headers.get("retry-after")], [500, "5"])
      assert.isEmpty(cookiesOf(answer))
      const again = yield* finish(server, body, cookie)
      assert.strictEqual(again.status, 200)
      assert.match(cookiesOf(again).join(), /^livery_idp=; Max-Age=0; /u)
    })
  )

  it.effect("is not begun by a page of another site, which cannot send the header", () =>
    Effect.gen(function* () {
      const server = yield* opened
      const answer = yield* server.send("POST", "/auth/idp/begin", { body: { issuer } })
      refusedAs(answer, 401, "unauthorized")
      assert.isEmpty(cookiesOf(answer))
    })
  )

  it.effect("does not repeat a sign-in under an idempotency key", () =>
    Effect.gen(function* () {
      const server = yield* opened
      const { cookie, state } = yield* begin(server)
      const headers = { ...asked, "idempotency-key": "return-1" }
      yield* finish(server, { code: "good", state }, cookie, headers)
      const again = yield* finish(server, { code: "good", state }, "", headers)
      refusedAs(again, 401, "unauthorized")
    })
  )

  it.effect("names the wrong fields of a request", () =>
    Effect.gen(function* () {
      const server = yield* opened
      const fields = (answer: Answer) =>
        refusedAs(answer, 422, "invalid_request")?.map(
          ({ field, issue }) => `${String(field)} ${String(issue)}`
        )
      assert.deepStrictEqual(
        fields(yield* server.send("POST", "/auth/idp/begin", { body: {}, headers: asked })),
        ["issuer required"]
      )
      assert.deepStrictEqual(fields(yield* finish(server, { iss: "x".repeat(2001) }, "")), [
        "code required",
        "state required",
        "iss too_long"
      ])
    })
  )
})
