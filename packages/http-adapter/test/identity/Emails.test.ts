import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { business, codeFor, member, messagesTo, newcomer, signUp } from "../support/People.ts"
import { expireCredentials, PortsInMemory } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"

const phishing = "user. Your account was locked! Unlock it at https://evil.example"
const inPersian = "علی\u200cرضا \u{1F468}\u200d\u{1F469}\u200d\u{1F467}"

const codeIn = (text: string) => /^ {4}(\S+)$/mu.exec(text)?.[1] ?? "no code"

layer(PortsInMemory)("a name as it was typed", (it) => {
  it.effect("is refused with a URL or a line break, and the field is named", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      for (const name of [phishing, "Ada\nUnlock your account"]) {
        const body = { ...newcomer(), name, business_name: name }
        assert.deepStrictEqual(
          refusedAs(yield* server.send("POST", "/auth/register", { body }), 422, "invalid_request"),
          [
            { field: "name", issue: "invalid" },
            { field: "business_name", issue: "invalid" }
          ]
        )
        const acme = yield* business(server)
        const refusals = [
          [yield* server.send("PATCH", "/me", { credential: acme.token, body: { name } }), "name"],
          [
            yield* server.send("POST", "/me/businesses", {
              credential: acme.token,
              body: { business_name: name }
            }),
            "business_name"
          ],
          [
            yield* server.send("PATCH", "/settings/business", {
              credential: acme.key,
              body: { business_name: name }
            }),
            "business_name"
          ],
          [yield* server.send("POST", "/drivers", { credential: acme.key, body: { name } }), "name"]
        ] as const
        for (const [answer, field] of refusals)
          assert.deepStrictEqual(refusedAs(answer, 422, "invalid_request"), [{ field, issue: "invalid" }])
      }
    })
  )

  it.effect("is in no email to an address that is not verified, and in those to a verified one", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { email, name } = yield* signUp(server)
      const first = yield* messagesTo(email)
      yield* server.send("POST", "/auth/verify-email/resend", { body: { email } })
      yield* server.send("POST", "/auth/password-reset", { body: { email } })
      const unverified = [...first, ...(yield* messagesTo(email))]
      assert.lengthOf(unverified, 3)
      for (const { text } of unverified) {
        assert.isTrue(text.startsWith("Hello,\n"))
        assert.notInclude(text, name)
      }
      const verified = yield* member(server)
      yield* server.send("POST", "/auth/password-reset", { body: { email: verified.email } })
      const [reset] = yield* messagesTo(verified.email)
      assert.isTrue(reset?.text.startsWith(`Hello ${verified.name},\n`))
    })
  )

  it.effect("with format characters reaches the driver who is invited", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const acme = yield* business(server)
      const business_name = `Taxi ${inPersian}`
      const changed = yield* server.send("PATCH", "/settings/business", {
        credential: acme.key,
        body: { business_name }
      })
      assert.deepInclude(record(changed), { business_name })
      yield* expireCredentials
      const email = `reza${acme.businessId}@example.com`
      const body = { name: inPersian, email }
      const driver = record(yield* server.send("POST", "/drivers", { credential: acme.key, body }))
      assert.strictEqual(driver["name"], inPersian)
      yield* server.send("POST", `/drivers/${String(driver["driver_id"])}/invite`, { credential: acme.key })
      const [invitation] = yield* messagesTo(email)
      assert.strictEqual(invitation?.subject, `${business_name} invites you to drive`)
      assert.notInclude(invitation?.text.replaceAll(business_name, ""), inPersian)
    })
  )
})

layer(PortsInMemory)("emails within an hour", (it) => {
  it.effect("are five to one recipient, and the responses are the same as for an unknown address", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { email } = yield* member(server)
      const request = (to: string) =>
        Effect.map(server.send("POST", "/auth/password-reset", { body: { email: to } }), (answer) => ({
          status: answer.status,
          data: record(answer)
        }))
      const ask = (to: string) => Effect.forEach(Array.from({ length: 8 }), () => request(to))
      const answers = yield* ask(email)
      assert.deepStrictEqual(answers, yield* ask("nobody.at.all@example.com"))
      for (const answer of answers) assert.deepStrictEqual(answer, { status: 200, data: { sent: true } })
      assert.lengthOf(yield* messagesTo(email), 5)
      yield* TestClock.adjust("1 hour")
      yield* request(email)
      assert.lengthOf(yield* messagesTo(email), 1)
    })
  )

  it.effect("of one purpose do not keep those of another from a recipient", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { email } = yield* member(server)
      const acme = yield* business(server)
      const resend = server.send("POST", "/auth/verify-email/resend", { body: { email } })
      // Nothing is mailed to a verified address, but the requests count.
      for (let asked = 0; asked < 8; asked++) yield* resend
      const { driver_id } = record(
        yield* server.send("POST", "/drivers", { credential: acme.key, body: { name: "Joan", email } })
      )
      const invite = server.send("POST", `/drivers/${String(driver_id)}/invite`, { credential: acme.key })
      for (let sent = 0; sent < 5; sent++) assert.strictEqual((yield* invite).status, 200)
      refusedAs(yield* invite, 429, "rate_limited")
      assert.lengthOf(yield* messagesTo(email), 5)
      yield* server.send("POST", "/auth/password-reset", { body: { email } })
      const [reset, ...others] = yield* messagesTo(email)
      assert.isEmpty(others)
      assert.include(reset?.subject, "password")
    })
  )

  it.effect("to a driver beyond the fifth are 429, and the earlier code stays valid", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const acme = yield* business(server)
      const email = `joan${acme.businessId}@example.com`
      const driver = record(
        yield* server.send("POST", "/drivers", { credential: acme.key, body: { name: "Joan", email } })
      )
      const invite = server.send("POST", `/drivers/${String(driver["driver_id"])}/invite`, {
        credential: acme.key
      })
      for (let sent = 0; sent < 5; sent++) assert.strictEqual((yield* invite).status, 200)
      const refused = yield* invite
      refusedAs(refused, 429, "rate_limited")
      assert.strictEqual(refused.headers.get("retry-after"), "3600")
      const codes = (yield* messagesTo(email)).map(({ text }) => codeIn(text))
      assert.lengthOf(codes, 5)
      const accepted = yield* server.send("POST", "/auth/accept-invitation", {
        body: { code: codes.at(-1), password: "battery staple" }
      })
      assert.strictEqual(accepted.status, 201)
    })
  )

  it.effect("have reset codes of which an earlier one stays valid beside a later one", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { email } = yield* member(server)
      yield* server.send("POST", "/auth/password-reset", { body: { email } })
      const code = yield* codeFor(email)
      yield* server.send("POST", "/auth/password-reset", { body: { email } })
      const body = { code, password: "battery staple" }
      assert.deepStrictEqual(record(yield* server.send("POST", "/auth/password-reset/confirm", { body })), {
        reset: true
      })
    })
  )
})

layer(PortsInMemory)("an email address", (it) => {
  const forms = (number: number) => [
    `zoë${number}@exämple.de`,
    `ZOE\u0308${number}@EXA\u0308MPLE.DE`,
    `zoë${number}@xn--exmple-cua.de`,
    `zoë${number}＠ｅｘäｍｐｌｅ．ｄｅ`
  ]
  const canonical = (number: number) => `zoë${number}@xn--exmple-cua.de`

  it.effect("is the same for a user in each of its forms", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [first = "", ...others] = forms(1)
      const person = { ...newcomer(), email: first }
      yield* server.send("POST", "/auth/register", { body: person })
      for (const email of others)
        refusedAs(
          yield* server.send("POST", "/auth/register", { body: { ...newcomer(), email } }),
          409,
          "email_exists"
        )
      const code = yield* codeFor(canonical(1))
      yield* server.send("POST", "/auth/verify-email", { body: { code } })
      for (const email of forms(1)) {
        const body = { email, password: person.password }
        assert.strictEqual((yield* server.send("POST", "/auth/login", { body })).status, 200)
      }
    })
  )

  it.effect("is the same for a customer, whose trips it links, and whom it finds", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key: credential } = yield* business(server)
      const [first = "", ...others] = forms(2)
      const customer = record(
        yield* server.send("POST", "/customers", { credential, body: { name: "Zoë", email: first } })
      )
      assert.strictEqual(customer["email"], canonical(2))
      for (const email of others) {
        refusedAs(
          yield* server.send("POST", "/customers", { credential, body: { name: "Zoë", email } }),
          409,
          "email_exists"
        )
        const body = {
          trip_type: "transfer",
          trip_date: "2026-12-01T09:30:00",
          pickup_address: "Here",
          dropoff_address: "There",
          customer_name: "Zoë",
          customer_email: email
        }
        const trip = record(yield* server.send("POST", "/trips", { credential, body }))
        assert.deepInclude(trip, { customer_id: customer["customer_id"], customer_email: canonical(2) })
        const found = yield* server.send("GET", `/customers?search=${encodeURIComponent(email)}`, {
          credential
        })
        assert.lengthOf(records(found), 1)
      }
    })
  )

  it.effect("that no email can reach is 422", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key: credential } = yield* business(server)
      for (const email of [
        "a..b@example.com",
        "a@localhost",
        "a@127.0.0.1",
        "a\u200b@example.com",
        "a@b.invalid"
      ])
        for (const path of ["/auth/register", "/customers", "/drivers"]) {
          const body = path === "/auth/register" ? { ...newcomer(), email } : { name: "Ada", email }
          assert.deepStrictEqual(
            refusedAs(yield* server.send("POST", path, { credential, body }), 422, "invalid_request"),
            [{ field: "email", issue: "invalid" }]
          )
        }
    })
  )
})
