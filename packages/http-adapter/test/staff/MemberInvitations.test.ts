import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { wrong } from "../support/Fleet.ts"
import { codeFor, login, member, newcomer } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { password, members, ownedBusiness, accept } from "./BusinessMembers.ts"

layer(Ports)("members", (it) => {
  it.effect("a person who accepts the mailed code gets an account with the invited role", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, roles, send } = yield* ownedBusiness(server)
      const { email } = newcomer()
      const invited = yield* send("POST", members, { email, role: "dispatcher", name: "Dora" })
      assert.strictEqual(invited.status, 201)
      assert.deepStrictEqual(record(invited), {
        email,
        role: "dispatcher",
        sent: true,
        expires_at: "2026-11-27T09:30:00Z"
      })
      const code = yield* codeFor(email)
      const accepted = yield* accept(server, code)
      assert.strictEqual(accepted.status, 201)
      const { user_id } = record(accepted)
      assert.deepStrictEqual(record(accepted), { user_id, business_id: businessId, role: "dispatcher" })
      assert.deepInclude(yield* roles, { [String(user_id)]: "dispatcher" })
      refusedAs(yield* accept(server, code), 422, "invalid_request")
      const credential = String(record(yield* login(server, { email, password }))["access_token"])
      assert.strictEqual((yield* server.send("GET", "/trips", { credential })).status, 200)
      assert.strictEqual(
        (yield* server.send("POST", "/cars", { credential, body: { name: "A" } })).status,
        201
      )
      refusedAs(
        yield* server.send("PATCH", "/settings/business", { credential, body: { business_name: "B" } }),
        403,
        "forbidden"
      )
      refusedAs(yield* send("POST", members, { email, role: "owner" }), 409, "conflict")
    })
  )

  it.effect("an account that exists already keeps its password; a driver's account becomes an admin's", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { roles, send } = yield* ownedBusiness(server)
      const person = yield* member(server)
      yield* sql`UPDATE users SET account_type = 'D' WHERE user_id = ${person.userId}`
      yield* send("POST", members, { email: person.email, role: "viewer" })
      record(yield* accept(server, yield* codeFor(person.email)))
      assert.deepInclude(yield* roles, { [String(person.userId)]: "viewer" })
      const session = record(yield* login(server, person))
      assert.deepInclude(session["user"], { account_type: "A" })
    })
  )

  it.effect("the newest invitation to an address counts, for a week", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { roles, send } = yield* ownedBusiness(server)
      const { email } = newcomer()
      yield* send("POST", members, { email, role: "owner" })
      const first = yield* codeFor(email)
      yield* send("POST", members, { email, role: "viewer" })
      const second = yield* codeFor(email)
      refusedAs(yield* accept(server, first), 422, "invalid_request")
      const { user_id } = record(yield* accept(server, second))
      assert.deepInclude(yield* roles, { [String(user_id)]: "viewer" })
      const late = newcomer().email
      yield* send("POST", members, { email: late, role: "viewer" })
      const code = yield* codeFor(late)
      yield* TestClock.adjust("7 days")
      refusedAs(yield* accept(server, code), 422, "invalid_request")
    })
  )

  it.effect("of concurrent acceptances of one code, one makes a member", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { roles, send } = yield* ownedBusiness(server)
      const { email } = newcomer()
      yield* send("POST", members, { email, role: "accountant" })
      const code = yield* codeFor(email)
      const answers = yield* Effect.all(
        Array.from({ length: 4 }, () => accept(server, code)),
        { concurrency: "unbounded" }
      )
      assert.sameMembers(
        answers.map(({ status }) => status),
        [201, 422, 422, 422]
      )
      assert.lengthOf(Object.keys(yield* roles), 2)
    })
  )

  it.effect("invitations are listed until they are accepted or revoked", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [{ send }, other] = [yield* ownedBusiness(server), yield* ownedBusiness(server)]
      const path = `${members}/invitations`
      const addresses = Effect.map(send("GET", path), (answer) => records(answer).map(({ email }) => email))
      assert.deepStrictEqual(yield* addresses, [])
      const [ann, bob] = [newcomer(), newcomer()]
      const invite = (email: string) => send("POST", members, { email, role: "viewer" })
      record(yield* invite(ann.email))
      const revoked = yield* codeFor(ann.email)
      record(yield* invite(bob.email))
      const accepted = yield* codeFor(bob.email)
      const both = [ann.email, bob.email].toSorted()
      assert.deepStrictEqual(yield* addresses, both)
      const [first] = records(yield* send("GET", path))
      assert.deepInclude(first, { name: null, role: "viewer" })
      assert.hasAllKeys(first ?? {}, ["email", "name", "role", "created_at", "expires_at"])
      const revoke = (who: typeof send, email: unknown) => who("DELETE", path, { email })
      refusedAs(yield* revoke(other.send, ann.email), 404, "not_found")
      assert.deepStrictEqual(
        refusedAs(yield* revoke(send, "nobody"), 422, "invalid_request"),
        wrong({ email: "invalid" })
      )
      refusedAs(yield* revoke(send, undefined), 422, "invalid_request")
      assert.deepStrictEqual(record(yield* revoke(send, ann.email.toUpperCase())), { deleted: true })
      refusedAs(yield* revoke(send, ann.email), 404, "not_found")
      assert.deepStrictEqual(
        refusedAs(yield* accept(server, revoked), 422, "invalid_request"),
        wrong({ code: "invalid" })
      )
      record(yield* accept(server, accepted))
      assert.deepStrictEqual(yield* addresses, [])
    })
  )
})
