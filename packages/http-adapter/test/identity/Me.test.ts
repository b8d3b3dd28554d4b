import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { assign, business, makeDriver, operator, setStatus } from "../support/People.ts"
import { expireCredentials, Ports } from "../support/TestPorts.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"

const keyCount = (businessId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`SELECT key_hash FROM api_keys WHERE business_id = ${businessId}`
    return rows.length
  })

layer(Ports)("GET /me", (it) => {
  it.effect("returns the signed-in user", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { email, name, token, userId } = yield* operator(server)
      assert.deepStrictEqual(record(yield* server.send("GET", "/me", { credential: token })), {
        id: userId,
        email,
        name,
        mobile_phone: null,
        account_type: "A",
        is_driver: false,
        driver_id: null
      })
    })
  )

  it.effect("refuses API keys and drivers' accounts", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key, token, userId } = yield* business(server)
      refusedAs(yield* server.send("GET", "/me", { credential: key }), 403, "forbidden")
      yield* makeDriver(userId)
      refusedAs(yield* server.send("GET", "/me", { credential: token }), 403, "forbidden")
    })
  )

  it.effect("refuses a missing credential, a wrong one, and one of another scheme", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { token } = yield* operator(server)
      refusedAs(yield* server.send("GET", "/me"), 401, "unauthorized")
      for (const credential of ["", "nonsense", `${token}x`, `lvk_${"a".repeat(43)}`])
        refusedAs(yield* server.send("GET", "/me", { credential }), 401, "unauthorized")
      const basic = { authorization: `Basic ${Buffer.from(`x:${token}`).toString("base64")}` }
      refusedAs(yield* server.send("GET", "/me", { headers: basic }), 401, "unauthorized")
    })
  )
})

layer(Ports)("POST /me/api-keys", (it) => {
  it.effect("returns a key once; the database has only its hash", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, token, userId } = yield* operator(server)
      const answer = yield* server.send("POST", "/me/api-keys", { credential: token })
      assert.strictEqual(answer.status, 201)
      const { api_key, created_date, ...others } = record(answer)
      const key = String(api_key)
      assert.match(key, /^lvk_[\w-]{43}$/u)
      assert.match(String(created_date), /^2026-11-20T09:30:\d\dZ$/u)
      assert.deepStrictEqual(others, {})
      const [stored] = yield* sql`SELECT * FROM api_keys WHERE business_id = ${businessId}`
      assert.deepInclude(stored, {
        key_hash: createHash("sha256").update(key).digest("hex"),
        masked_key: `${key.slice(0, 8)}…${key.slice(-4)}`,
        created_by: userId
      })
      assert.notInclude(JSON.stringify(stored), key.slice(8, -4))
      const ping = record(yield* server.send("GET", "/ping", { credential: key }))
      assert.strictEqual(ping["business_id"], businessId)
    })
  )

  it.effect("refuses API keys and drivers' accounts, and creates no key", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, key, token, userId } = yield* business(server)
      refusedAs(yield* server.send("POST", "/me/api-keys", { credential: key }), 403, "forbidden")
      yield* makeDriver(userId)
      refusedAs(yield* server.send("POST", "/me/api-keys", { credential: token }), 403, "forbidden")
      assert.strictEqual(yield* keyCount(businessId), 1)
    })
  )

  it.effect("a user of several businesses must choose one, and gets the list", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const person = yield* operator(server)
      const second = yield* operator(server)
      yield* assign(second.businessId, person.userId)
      const details = refusedAs(
        yield* server.send("POST", "/me/api-keys", { credential: person.token }),
        422,
        "business_required"
      )
      assert.deepStrictEqual(details, [
        { business_id: person.businessId, business_name: person.business_name },
        { business_id: second.businessId, business_name: second.business_name }
      ])
      const chosen = yield* server.send("POST", "/me/api-keys", {
        credential: person.token,
        business: second.businessId
      })
      const ping = yield* server.send("GET", "/ping", { credential: String(record(chosen)["api_key"]) })
      assert.strictEqual(record(ping)["business_id"], second.businessId)
      assert.strictEqual(yield* keyCount(person.businessId), 0)
    })
  )

  it.effect("another's business is 403, exactly as an absent one; a malformed id is 422", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { token } = yield* operator(server)
      const foreign = yield* operator(server)
      const ask = (id: number | string) =>
        server.send("POST", "/me/api-keys", { credential: token, business: id })
      const refused = yield* ask(foreign.businessId)
      refusedAs(refused, 403, "forbidden")
      assert.deepStrictEqual((yield* ask(999_999)).body.error, refused.body.error)
      for (const malformed of ["x", "0", "-1", "1.5", "1e3", "99999999999999999999"])
        assert.deepStrictEqual(refusedAs(yield* ask(malformed), 422, "invalid_request"), [
          { field: "X-Business-Id", issue: "invalid" }
        ])
      assert.strictEqual(yield* keyCount(foreign.businessId), 0)
    })
  )

  it.effect("a suspended business is 403 for tokens and keys, until it is reactivated", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, key, token } = yield* business(server)
      yield* setStatus(businessId, "D")
      for (const credential of [key, token])
        refusedAs(yield* server.send("GET", "/ping", { credential }), 403, "account_suspended")
      refusedAs(yield* server.send("POST", "/me/api-keys", { credential: token }), 403, "account_suspended")
      // The user is not the business, so the user's own routes still work.
      assert.strictEqual((yield* server.send("GET", "/me", { credential: token })).status, 200)
      yield* setStatus(businessId, "A")
      for (const credential of [key, token])
        assert.strictEqual((yield* server.send("GET", "/ping", { credential })).status, 200)
    })
  )

  it.effect("a deleted key and a revoked session are refused within a second", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, key, token, userId } = yield* business(server)
      yield* sql`DELETE FROM api_keys WHERE business_id = ${businessId}`
      yield* sql`UPDATE session_families SET revoked_at = now() WHERE user_id = ${userId}`
      yield* expireCredentials
      for (const credential of [key, token])
        refusedAs(yield* server.send("GET", "/ping", { credential }), 401, "unauthorized")
    })
  )
})
