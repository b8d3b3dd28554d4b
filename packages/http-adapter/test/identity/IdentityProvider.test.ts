import { assert, layer } from "@effect/vitest"
import { OpenIdProviders } from "@livery/integrations"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { clientId, identityProvider } from "../../../../test/support/IdentityProvider.ts"
import { assign, business, login, makeDriver, operator, signUp } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { CapturedLog } from "../support/CapturedLog.ts"
import { openServer, record, refusedAs, type TestServer } from "../support/TestServer.ts"

let people = 0

/** A server that trusts a provider of its own, and a token of that provider for a new user. */
const trusting = Effect.gen(function* () {
  const provider = yield* identityProvider
  const issuers = [{ issuer: provider.issuer, audiences: [clientId] }]
  const server = yield* Effect.provide(openServer(), OpenIdProviders.layer({ issuers }))
  const number = (people += 1)
  const who = { sub: `subject-${number}`, email: `somebody${number}@example.com`, email_verified: true }
  const token = Effect.fnUntraced(function* (claims: Readonly<Record<string, unknown>> = {}) {
    const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    return yield* provider.token({ ...who, iat: now, nbf: now, exp: now + 600, ...claims })
  })
  const signInBy = (id_token: string) => server.send("POST", "/auth/idp", { body: { id_token } })
  return {
    provider,
    server,
    who,
    token,
    signInBy,
    signIn: (claims?: Readonly<Record<string, unknown>>) => Effect.flatMap(token(claims), signInBy)
  }
})

const userId = (answer: Readonly<Record<string, unknown>>) => (answer["user"] as { readonly id: number }).id

const found = (server: TestServer, credential: unknown, business_name: string) =>
  server.send("POST", "/me/businesses", { credential: String(credential), body: { business_name } })

layer(Ports)("POST /auth/idp", (it) => {
  it.effect("signs a new user in, who creates a business and acts for it at once", () =>
    Effect.gen(function* () {
      const { server, signIn, who } = yield* trusting
      const first = record(yield* signIn({ name: "Zoë" }))
      const credential = String(first["access_token"])
      assert.deepInclude(first, { token_type: "Bearer", expires_in: 900, businesses: [] })
      assert.strictEqual(first["needs_business_setup"], true)
      assert.deepInclude(record(yield* server.send("GET", "/me", { credential })), {
        id: userId(first),
        email: who.email,
        name: "Zoë",
        account_type: "A"
      })
      refusedAs(yield* server.send("GET", "/business", { credential }), 403, "forbidden")

      const answer = yield* found(server, credential, "Zoë's Limousines")
      assert.strictEqual(answer.status, 201)
      const made = record(answer)
      assert.deepInclude(made, { business_name: "Zoë's Limousines", business_email: who.email, status: "A" })
      assert.deepStrictEqual(record(yield* server.send("GET", "/business", { credential })), made)

      const again = record(yield* signIn())
      assert.deepInclude(again, {
        needs_business_setup: false,
        businesses: [{ business_id: made["business_id"], business_name: "Zoë's Limousines" }]
      })
      assert.strictEqual(userId(again), userId(first))
    })
  )

  it.effect("creates one account for 20 concurrent first sign-ins", () =>
    Effect.gen(function* () {
      const { signIn } = yield* trusting
      const sql = yield* SqlClient.SqlClient
      // All connections are open before the race. Otherwise the first request ends before the second gets one.
      yield* Effect.all(
        Array.from({ length: 20 }, () => sql`SELECT pg_sleep(0.02)`),
        { concurrency: "unbounded" }
      )
      for (let round = 0; round < 5; round++) {
        const sub = `racer-${people}-${round}`
        const email = `${sub}@example.com`
        const answers = yield* Effect.all(
          Array.from({ length: 20 }, () => signIn({ sub, email })),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set(answers.map((answer) => userId(record(answer)))).size, 1)
        const linked =
          yield* sql`SELECT FROM users JOIN linked_identities USING (user_id) WHERE email = ${email}`
        assert.lengthOf(linked, 1)
      }
    })
  )

  it.effect("gives one address to one of 10 concurrent identities", () =>
    Effect.gen(function* () {
      const { signIn } = yield* trusting
      const answers = yield* Effect.all(
        Array.from({ length: 10 }, (_, index) => signIn({ sub: `rival-${people}-${index}` })),
        { concurrency: "unbounded" }
      )
      const reported = Map.groupBy(answers, ({ status }) => status)
      assert.deepStrictEqual([reported.get(200)?.length, reported.get(401)?.length], [1, 9])
    })
  )

  it.effect("finds a linked account by issuer and subject, after the email has changed at the provider", () =>
    Effect.gen(function* () {
      const { server, signIn, who } = yield* trusting
      const before = record(yield* signIn())
      const after = record(yield* signIn({ email: `renamed-${who.email}` }))
      assert.deepStrictEqual(after["user"], before["user"])
      const other = yield* operator(server)
      assert.deepStrictEqual(record(yield* signIn({ email: other.email }))["user"], before["user"])
    })
  )

  it.effect("finds an account with the same verified email, with its password and businesses unchanged", () =>
    Effect.gen(function* () {
      const { server, signIn } = yield* trusting
      const owner = yield* operator(server)
      const result = record(yield* signIn({ email: owner.email.toUpperCase() }))
      assert.strictEqual(userId(result), owner.userId)
      assert.deepInclude(result, {
        needs_business_setup: false,
        businesses: [{ business_id: owner.businessId, business_name: owner.business_name }]
      })
      record(yield* login(server, owner))
    })
  )

  it.effect("returns an account to its owner if another person signed up with the address", () =>
    Effect.gen(function* () {
      const { server, signIn } = yield* trusting
      const squatter = yield* signUp(server)
      refusedAs(yield* login(server, squatter), 403, "email_unverified")
      assert.strictEqual(userId(record(yield* signIn({ email: squatter.email }))), squatter.userId)
      refusedAs(yield* login(server, squatter), 401, "invalid_credentials")
    })
  )

  it.effect("creates accounts that no password opens", () =>
    Effect.gen(function* () {
      const { server, signIn, who } = yield* trusting
      record(yield* signIn())
      for (const password of ["!", "password", " "])
        refusedAs(yield* login(server, { email: who.email, password }), 401, "invalid_credentials")
    })
  )

  it.effect("signs drivers in", () =>
    Effect.gen(function* () {
      const { server, signIn } = yield* trusting
      const driver = yield* signUp(server)
      yield* makeDriver(driver.userId)
      const result = record(yield* signIn({ email: driver.email }))
      assert.deepStrictEqual(result["user"], { id: driver.userId, email: driver.email, account_type: "D" })
      refusedAs(yield* found(server, result["access_token"], "Mine"), 403, "forbidden")
    })
  )

  it.effect("responds to every invalid token with the same 401, and writes no account", () =>
    Effect.gen(function* () {
      const { signIn, signInBy, token, who } = yield* trusting
      const sql = yield* SqlClient.SqlClient
      const stranger = yield* identityProvider
      const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const [header, payload] = (yield* token()).split(".")
      const unsigned = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url")
      const answers = [
        yield* signIn({ aud: "somebody-else" }),
        yield* signIn({ exp: now - 31 }),
        yield* signIn({ nbf: now + 31 }),
        yield* signIn({ email_verified: false }),
        yield* signIn({ email: undefined }),
        yield* signInBy(yield* stranger.token({ ...who, iat: now, nbf: now, exp: now + 600 })),
        yield* signInBy(`${header}.${payload}.AAAA`),
        yield* signInBy(`${unsigned}.${payload}.`),
        yield* signInBy("nonsense")
      ]
      for (const answer of answers) {
        refusedAs(answer, 401, "unauthorized")
        assert.deepStrictEqual(answer.body.error, answers[0]?.body.error)
      }
      assert.isEmpty(yield* sql`SELECT user_id FROM users WHERE email = ${who.email}`)
    })
  )

  it.effect("names the wrong field of a request without a token", () =>
    Effect.gen(function* () {
      const { server } = yield* trusting
      for (const [body, issue] of [
        [{}, "required"],
        [{ id_token: null }, "required"],
        [{ id_token: ["a"] }, "invalid"],
        [{ id_token: "x".repeat(16_385) }, "too_long"]
      ] as const)
        assert.deepStrictEqual(
          refusedAs(yield* server.send("POST", "/auth/idp", { body }), 422, "invalid_request"),
          [{ field: "id_token", issue }]
        )
    })
  )

  it.effect("is 500 with a log line while the provider is unreachable, and works again afterwards", () =>
    Effect.gen(function* () {
      const { provider, signInBy, token } = yield* trusting
      const { lines } = yield* CapturedLog
      provider.answerWith((_request, response) => void response.writeHead(503).end())
      const good = yield* token()
      const answer = yield* signInBy(good)
      refusedAs(answer, 500, "server_error")
      assert.strictEqual(answer.headers.get("retry-after"), "5")
      assert.match(answer.body.error?.message ?? "", /identity provider .* safe to try again/u)
      assert.include(lines.join("\n"), "The identity provider's")
      provider.answerWith(undefined)
      record(yield* signInBy(good))
      assert.isEmpty(lines.filter((line) => line.includes(good)))
    })
  )

  it.effect("is not available on a server without a provider", () =>
    Effect.gen(function* () {
      const { token } = yield* trusting
      const server = yield* openServer()
      const body = { id_token: yield* token() }
      refusedAs(yield* server.send("POST", "/auth/idp", { body }), 403, "feature_unavailable")
    })
  )
})

layer(Ports)("POST /me/businesses", (it) => {
  it.effect("creates another business for a user who has one, who must then choose the acting business", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, token } = yield* operator(server)
      const second = record(yield* found(server, token, "Second Cars"))
      assert.deepInclude(second, { vendor_slug: "second-cars", subscription_plan_id: 1 })
      const choices = refusedAs(
        yield* server.send("GET", "/business", { credential: token }),
        422,
        "business_required"
      )
      assert.sameMembers(choices?.map(({ business_id }) => business_id) ?? [], [
        businessId,
        second["business_id"]
      ])
      const named = { credential: token, business: Number(second["business_id"]) }
      assert.deepStrictEqual(record(yield* server.send("GET", "/business", named)), second)
    })
  )

  it.effect("creates none for a user who has 20, also under concurrent requests", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { token, userId } = yield* operator(server)
      yield* sql`
        WITH more AS (
          INSERT INTO businesses
            (business_name, business_email, vendor_slug, subscription_plan_id, created_at, updated_at)
          SELECT 'More', 'more@example.com', 'more-' || ${userId}::text || '-' || n, 1, now(), now()
          FROM generate_series(1, 18) AS n
          RETURNING business_id
        )
        INSERT INTO business_members (business_id, user_id, created_at) SELECT business_id, ${userId}, now() FROM more`
      const names = Array.from({ length: 6 }, (_, index) => `Last ${index}`)
      const answers = yield* Effect.forEach(names, (name) => found(server, token, name), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        answers.map(({ status }) => status).toSorted((one, other) => one - other),
        [201, 409, 409, 409, 409, 409]
      )
      refusedAs(yield* found(server, token, "One more"), 409, "conflict")
      assert.lengthOf(yield* sql`SELECT FROM business_members WHERE user_id = ${userId}`, 20)
    })
  )

  it.effect("makes no other user a member", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [founder, colleague] = [yield* operator(server), yield* operator(server)]
      yield* assign(founder.businessId, colleague.userId)
      const { business_id } = record(yield* found(server, founder.token, "Mine alone"))
      const named = { credential: colleague.token, business: Number(business_id) }
      refusedAs(yield* server.send("GET", "/business", named), 403, "forbidden")
    })
  )

  it.effect("refuses API keys, drivers and missing credentials, and creates nothing", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { key, token, userId } = yield* business(server)
      refusedAs(yield* found(server, key, "Refused Cars"), 403, "forbidden")
      yield* makeDriver(userId)
      refusedAs(yield* found(server, token, "Refused Cars"), 403, "forbidden")
      refusedAs(yield* found(server, "nonsense", "Refused Cars"), 401, "unauthorized")
      assert.isEmpty(yield* sql`SELECT business_id FROM businesses WHERE business_name = 'Refused Cars'`)
    })
  )

  it.effect("needs a name", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { token: credential } = yield* operator(server)
      for (const body of [{}, { business_name: "  " }])
        assert.deepStrictEqual(
          refusedAs(
            yield* server.send("POST", "/me/businesses", { credential, body }),
            422,
            "invalid_request"
          ),
          [{ field: "business_name", issue: "required" }]
        )
    })
  )
})
