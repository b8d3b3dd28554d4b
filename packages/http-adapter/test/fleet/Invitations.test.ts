import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { company, wrong } from "../support/Fleet.ts"
import { expireCredentials, Ports } from "../support/TestPorts.ts"
import { CapturedLog } from "../support/CapturedLog.ts"
import { codeFor, messagesTo, login, newcomer, operator, signUp } from "../support/People.ts"
import { openServer, record, refusedAs, type TestServer } from "../support/TestServer.ts"

const password = "correct horse battery"

const accept = (server: TestServer, code: string, more: object = {}) =>
  server.send("POST", "/auth/accept-invitation", { body: { code, password, ...more } })

/** A driver of a new business who was invited at that address. */
const invited = Effect.fnUntraced(function* (server: TestServer, email: string = newcomer().email) {
  const it = yield* company(server)
  const { driver_id } = yield* it.driver({ email })
  const path = `/drivers/${String(driver_id)}`
  const invite = it.send("POST", `${path}/invite`)
  assert.deepStrictEqual(record(yield* invite), { sent: true })
  return { ...it, driverId: Number(driver_id), path, invite, email, code: yield* codeFor(email) }
})

const isWrong = (answer: Parameters<typeof refusedAs>[0]) =>
  assert.deepStrictEqual(refusedAs(answer, 422, "invalid_request"), wrong({ code: "invalid" }))

layer(Ports)("an invitation", (it) => {
  it.effect("makes a verified driver's account that signs in as the driver", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, code, driverId, email, invite, key, path, send } = yield* invited(server)
      const answer = yield* accept(server, code.toLowerCase().replaceAll("-", " "), { name: "Daniel" })
      assert.strictEqual(answer.status, 201)
      const { user_id } = record(answer)
      assert.deepStrictEqual(record(answer), { user_id, driver_id: driverId, business_id: businessId })
      assert.deepInclude(record(yield* send("GET", path)), { user_id })
      const session = record(yield* login(server, { email, password }))
      assert.deepInclude(session["user"], { id: user_id, email, account_type: "D" })
      const [user] = yield* sql<{ name: string }>`SELECT name FROM users WHERE user_id = ${Number(user_id)}`
      assert.strictEqual(user?.name, "Daniel")
      refusedAs(yield* invite, 409, "conflict")
      isWrong(yield* accept(server, code))
      const audit = yield* sql<{ action: string; actor: string }>`
        SELECT action, actor FROM audit_log WHERE business_id = ${businessId} AND action LIKE 'driver.%'
        ORDER BY audit_id`
      assert.deepStrictEqual(audit, [
        { action: "driver.invited", actor: `api_key:${key.slice(0, 8)}…${key.slice(-4)}` },
        { action: "driver.linked", actor: `user:${String(user_id)}` }
      ])
    })
  )

  it.effect("is one message to one recipient, also if the name of the business has line breaks", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, email, invite } = yield* invited(server)
      yield* sql`UPDATE businesses SET business_name = ${"A\r\nBcc: all@example.com"} WHERE business_id = ${businessId}`
      yield* expireCredentials
      record(yield* invite)
      assert.deepStrictEqual(
        (yield* messagesTo(email)).map(({ subject }) => subject),
        ["A business invites you to drive"]
      )
    })
  )

  it.effect("is refused for a driver without an email", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { driver, send } = yield* company(server)
      const { driver_id } = yield* driver()
      assert.deepStrictEqual(
        refusedAs(yield* send("POST", `/drivers/${String(driver_id)}/invite`), 422, "invalid_request"),
        wrong({ email: "required" })
      )
    })
  )

  it.effect("links an administrator's account, whose password stays; GET /me shows the driver", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const person = yield* operator(server)
      const me = server.send("GET", "/me", { credential: person.token })
      assert.deepInclude(record(yield* me), { is_driver: false, driver_id: null })
      const { code, driverId, path, send } = yield* invited(server, person.email)
      assert.deepInclude(record(yield* accept(server, code, { name: "Other" })), { user_id: person.userId })
      const reported = record(yield* me)
      assert.deepInclude(reported, {
        is_driver: true,
        driver_id: driverId,
        name: person.name,
        account_type: "A"
      })
      assert.strictEqual((yield* login(server, { email: person.email, password })).status, 401)
      record(yield* login(server, person))
      const renamed = yield* server.send("PATCH", "/me", { credential: person.token, body: { name: "New" } })
      assert.deepInclude(record(renamed), { name: "New", driver_id: driverId })
      record(yield* send("DELETE", path))
      assert.deepInclude(record(yield* me), { is_driver: false, driver_id: null })
    })
  )

  it.effect("proves the address of an account that waited for it, and sets its password anew", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const squatter = yield* signUp(server)
      yield* messagesTo(squatter.email)
      const { code } = yield* invited(server, squatter.email)
      assert.deepInclude(record(yield* accept(server, code)), { user_id: squatter.userId })
      assert.strictEqual((yield* login(server, squatter)).status, 401)
      record(yield* login(server, { email: squatter.email, password }))
    })
  )

  it.effect("that sets a password anew voids the codes for another, and the audit log has it", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const squatter = yield* signUp(server)
      yield* messagesTo(squatter.email)
      record(yield* server.send("POST", "/auth/password-reset", { body: { email: squatter.email } }))
      const reset = yield* codeFor(squatter.email)
      const { code } = yield* invited(server, squatter.email)
      record(yield* accept(server, code))
      const confirm = { body: { code: reset, password: "another horse battery" } }
      isWrong(yield* server.send("POST", "/auth/password-reset/confirm", confirm))
      record(yield* login(server, { email: squatter.email, password }))
      const subject = `user:${squatter.userId}`
      assert.deepStrictEqual(
        yield* sql`
          SELECT actor, action FROM audit_log
          WHERE subject = ${subject} AND action IN ('user.email_verified', 'password.reset') ORDER BY audit_id`,
        [
          { actor: subject, action: "user.email_verified" },
          { actor: subject, action: "password.reset" }
        ]
      )
    })
  )

  it.effect("that makes an account is in the audit log", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { code } = yield* invited(server)
      const subject = `user:${String(record(yield* accept(server, code))["user_id"])}`
      assert.deepStrictEqual(
        yield* sql`SELECT actor, after FROM audit_log WHERE subject = ${subject} AND action = 'user.created'`,
        [{ actor: subject, after: { by: "invitation" } }]
      )
    })
  )

  it.effect(
    "is good for seven days, for one use, and until the next; a new address or a deletion voids it",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const first = yield* invited(server)
        record(yield* first.invite)
        const newer = yield* codeFor(first.email)
        isWrong(yield* accept(server, first.code))
        yield* TestClock.adjust("604799 seconds")
        record(yield* accept(server, newer))
        const late = yield* invited(server)
        yield* TestClock.adjust("7 days")
        isWrong(yield* accept(server, late.code))
        const moved = yield* invited(server)
        record(yield* moved.send("PATCH", moved.path, { email: "moved@example.com" }))
        isWrong(yield* accept(server, moved.code))
        const deleted = yield* invited(server)
        record(yield* deleted.send("DELETE", deleted.path))
        isWrong(yield* accept(server, deleted.code))
        isWrong(yield* accept(server, "AAAA-AAAA-AAAA-AAAA"))
      })
  )

  it.effect("takes no body but a code and a password of 8 characters", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const refused = (body: object) =>
        Effect.map(server.send("POST", "/auth/accept-invitation", { body }), (answer) =>
          refusedAs(answer, 422, "invalid_request")
        )
      assert.deepStrictEqual(yield* refused({}), wrong({ code: "required", password: "required" }))
      assert.deepStrictEqual(
        yield* refused({ code: "x".repeat(101), password: "short", name: "n".repeat(201) }),
        wrong({ code: "too_long", password: "too_short", name: "too_long" })
      )
    })
  )

  it.effect("accepted by many at once links one account, once", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { code, email } = yield* invited(server)
      const answers = yield* Effect.replicateEffect(accept(server, code), 6, { concurrency: "unbounded" })
      assert.lengthOf(
        answers.filter(({ status }) => status === 201),
        1
      )
      for (const answer of answers.filter(({ status }) => status !== 201)) isWrong(answer)
      assert.lengthOf(yield* sql`SELECT FROM users WHERE email = ${email}`, 1)
    })
  )

  it.effect("of several businesses to one new address, accepted at once, all link the one account", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { code, email } = yield* invited(server)
      const codes = [code, (yield* invited(server, email)).code, (yield* invited(server, email)).code]
      const answers = yield* Effect.forEach(codes, (code) => accept(server, code), {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set(answers.map((answer) => record(answer)["user_id"])).size, 1)
    })
  )

  it.effect("to two drivers of one business with one address: the second is a conflict", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const first = yield* invited(server)
      const { driver_id } = yield* first.driver({ email: first.email })
      record(yield* first.send("POST", `/drivers/${String(driver_id)}/invite`))
      const second = yield* codeFor(first.email)
      const answers = yield* Effect.all([accept(server, first.code), accept(server, second)], {
        concurrency: "unbounded"
      })
      assert.sameMembers(
        answers.map(({ status }) => status),
        [201, 409]
      )
    })
  )

  it.effect("shows its code in the message alone", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { code } = yield* invited(server)
      const bare = code.replaceAll("-", "")
      const { lines } = yield* CapturedLog
      const kept = JSON.stringify([
        yield* sql`SELECT * FROM driver_invitations`,
        yield* sql`SELECT * FROM audit_log`,
        yield* sql`SELECT * FROM mail_outbox`,
        lines
      ])
      for (const secret of [code, bare]) assert.notInclude(kept, secret)
    })
  )
})
