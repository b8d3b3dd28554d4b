import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { codeFor, login, member, newcomer, signUp, superAdmin } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"

/** How many rows every table that a registration writes has. */
const written = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`SELECT
    (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM businesses) AS businesses,
    (SELECT count(*) FROM business_members) AS members, (SELECT count(*) FROM verification_codes) AS codes,
    (SELECT count(*) FROM mail_outbox) AS letters`
  return row
})

layer(Ports)("signing up", (it) => {
  it.effect("creates a user and a business on the free plan, and mails a code", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const person = newcomer()
      const answer = yield* server.send("POST", "/auth/register", {
        body: { ...person, mobile_phone: " +41 79 000 00 00 ", website_url: "https://chauffeurs.example" }
      })
      assert.strictEqual(answer.status, 201)
      const { business_id, message, user_id, verification_required } = record(answer)
      assert.isTrue(verification_required)
      assert.include(String(message), person.email)
      const [stored] = yield* sql`
        SELECT u.user_id, u.account_type, u.mobile_phone, u.email_verified_at, b.subscription_plan_id,
               b.business_name, b.website_url
        FROM users u JOIN business_members USING (user_id) JOIN businesses b USING (business_id)
        WHERE business_id = ${Number(business_id)}`
      assert.deepStrictEqual(
        { ...stored },
        {
          user_id,
          account_type: "A",
          mobile_phone: "+41 79 000 00 00",
          email_verified_at: null,
          subscription_plan_id: 1,
          business_name: person.business_name,
          website_url: "https://chauffeurs.example"
        }
      )
      assert.match(yield* codeFor(person.email), /^[0-9A-Z-]{19}$/u)
    })
  )

  it.effect("is in the audit log: the user, the business, and the verified email", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { token } = yield* superAdmin(server)
      const audited = (actor: string) =>
        Effect.map(server.send("GET", `/admin/audit?actor=${actor}`, { credential: token }), (answer) =>
          records(answer).map(({ action, after, business_id, subject }) => [
            action,
            subject,
            business_id,
            after
          ])
        )
      const { businessId, business_name, email, userId } = yield* signUp(server)
      const actor = `user:${userId}`
      const vendor_slug = business_name.toLowerCase().replace(" ", "-")
      const signedUp = [
        ["business.founded", `business:${businessId}`, businessId, { business_name, vendor_slug }],
        ["user.created", actor, null, { by: "registration" }]
      ]
      assert.deepStrictEqual(yield* audited(actor), signedUp)
      const code = yield* codeFor(email)
      for (const verified of [true, false])
        assert.deepInclude(record(yield* server.send("POST", "/auth/verify-email", { body: { code } })), {
          verified
        })
      assert.deepStrictEqual(yield* audited(actor), [["user.email_verified", actor, null, null], ...signedUp])
    })
  )

  it.effect("with an email that has an account, in any case, is 409 and writes nothing", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { email } = yield* signUp(server)
      const before = yield* written
      for (const typed of [email, ` ${email.toUpperCase()} `]) {
        const answer = yield* server.send("POST", "/auth/register", { body: { ...newcomer(), email: typed } })
        refusedAs(answer, 409, "email_exists")
      }
      assert.deepStrictEqual(yield* written, before)
    })
  )

  it.effect("concurrently with one email creates one account", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const person = newcomer()
      const answers = yield* Effect.all(
        Array.from({ length: 6 }, () => server.send("POST", "/auth/register", { body: person })),
        { concurrency: "unbounded" }
      )
      const statuses = answers.map(({ status }) => status).sort((one, other) => one - other)
      assert.deepStrictEqual(statuses, [201, 409, 409, 409, 409, 409])
      yield* codeFor(person.email)
    })
  )

  it.effect("names every wrong field at once, and writes nothing", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const before = yield* written
      const details = refusedAs(
        yield* server.send("POST", "/auth/register", {
          body: {
            name: "  ",
            email: "nobody",
            password: "1234567",
            mobile_phone: "1".repeat(41),
            website_url: "ftp://example.com"
          }
        }),
        422,
        "invalid_request"
      )
      assert.deepStrictEqual(details, [
        { field: "name", issue: "required" },
        { field: "email", issue: "invalid" },
        { field: "password", issue: "too_short" },
        { field: "business_name", issue: "required" },
        { field: "mobile_phone", issue: "too_long" },
        { field: "website_url", issue: "invalid" }
      ])
      assert.deepStrictEqual(
        refusedAs(yield* server.send("POST", "/auth/register", { body: {} }), 422, "invalid_request"),
        ["name", "email", "password", "business_name"].map((field) => ({ field, issue: "required" }))
      )
      assert.deepStrictEqual(yield* written, before)
    })
  )
})

layer(Ports)("verifying an email", (it) => {
  const verify = (code: string) =>
    Effect.gen(function* () {
      const server = yield* openServer()
      return record(yield* server.send("POST", "/auth/verify-email", { body: { code } }))
    })
  const nothing = { verified: false, email: null }

  it.effect("works once, however the code is typed", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { email } = yield* signUp(server)
      const code = yield* codeFor(email)
      assert.deepStrictEqual(yield* verify("AAAA-AAAA-AAAA-AAAA"), nothing)
      const typed = ` ${code.toLowerCase().replaceAll("-", " ")} `
      assert.deepStrictEqual(yield* verify(typed), { verified: true, email })
      assert.deepStrictEqual(yield* verify(code), nothing)
    })
  )

  it.effect("works until the code's last second, and no longer", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const intime = yield* signUp(server)
      const code = yield* codeFor(intime.email)
      const late = yield* signUp(server)
      const lateCode = yield* codeFor(late.email)
      yield* TestClock.adjust("86399 seconds")
      assert.deepStrictEqual(yield* verify(code), { verified: true, email: intime.email })
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* verify(lateCode), nothing)
      refusedAs(yield* login(server, late), 403, "email_unverified")
    })
  )

  it.effect("without a code is 422", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      assert.deepStrictEqual(
        refusedAs(yield* server.send("POST", "/auth/verify-email", { body: {} }), 422, "invalid_request"),
        [{ field: "code", issue: "required" }]
      )
    })
  )
})

layer(Ports)("signing in", (it) => {
  it.effect("returns a pair of tokens, the user and the user's businesses", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const person = yield* member(server)
      const answer = yield* login(server, { ...person, email: person.email.toUpperCase() })
      assert.strictEqual(answer.status, 200)
      const { access_token, refresh_token, ...rest } = record(answer)
      assert.match(String(access_token), /^[\w-]+\.[\w-]+\.[\w-]+$/u)
      assert.match(String(refresh_token), /^lvr_[\w-]{43}$/u)
      assert.deepStrictEqual(rest, {
        token_type: "Bearer",
        expires_in: 900,
        user: { id: person.userId, email: person.email, account_type: "A" },
        businesses: [{ business_id: person.businessId, business_name: person.business_name }]
      })
    })
  )

  it.effect("an unknown email and a wrong password give the same response", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { email, password } = yield* member(server)
      const wrong = yield* login(server, { email, password: `${password}!` })
      const unknown = yield* login(server, { email: `not-${email}`, password })
      refusedAs(wrong, 401, "invalid_credentials")
      assert.deepStrictEqual([wrong.status, wrong.body.error], [unknown.status, unknown.body.error])
    })
  )

  it.effect("an unverified email is reported only with the correct password", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { email, password } = yield* signUp(server)
      refusedAs(yield* login(server, { email, password: "something else" }), 401, "invalid_credentials")
      refusedAs(yield* login(server, { email, password }), 403, "email_unverified")
    })
  )
})
