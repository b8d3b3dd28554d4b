import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Ports } from "../support/TestPorts.ts"
import { assign, business, operator, setStatus } from "../support/People.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"

layer(Ports)("PATCH /me", (it) => {
  it.effect("changes the given fields only; every node returns them at once", () =>
    Effect.gen(function* () {
      const [here, there] = [yield* openServer(), yield* openServer()]
      const { email, token } = yield* operator(here)
      const change = (body: object) => here.send("PATCH", "/me", { credential: token, body })
      yield* there.send("GET", "/me", { credential: token })
      assert.deepInclude(record(yield* change({ mobile_phone: " +41 79 000 00 00 " })), {
        mobile_phone: "+41 79 000 00 00"
      })
      const changed = record(yield* change({ name: " Zoë ", email: "other@example.com" }))
      assert.deepInclude(changed, { name: "Zoë", email, mobile_phone: "+41 79 000 00 00" })
      assert.deepStrictEqual(record(yield* there.send("GET", "/me", { credential: token })), changed)
      assert.deepInclude(record(yield* change({ mobile_phone: null })), { name: "Zoë", mobile_phone: null })
    })
  )

  it.effect("without a known field, with an empty name or a long number is 422, and changes nothing", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { token } = yield* operator(server)
      const before = record(yield* server.send("GET", "/me", { credential: token }))
      const refused = Effect.fnUntraced(function* (body: object) {
        return refusedAs(
          yield* server.send("PATCH", "/me", { credential: token, body }),
          422,
          "invalid_request"
        )
      })
      for (const nothing of [{}, { nickname: "Z" }, { email: "other@example.com" }]) yield* refused(nothing)
      assert.deepStrictEqual(yield* refused({ name: " ", mobile_phone: "1".repeat(41) }), [
        { field: "name", issue: "required" },
        { field: "mobile_phone", issue: "too_long" }
      ])
      assert.deepStrictEqual(record(yield* server.send("GET", "/me", { credential: token })), before)
    })
  )
})

layer(Ports)("GET /me/businesses", (it) => {
  it.effect("lists the user's businesses, suspended ones too, and no others", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [person, other, stranger] = [
        yield* operator(server),
        yield* operator(server),
        yield* operator(server)
      ]
      yield* assign(other.businessId, person.userId)
      yield* setStatus(other.businessId, "D")
      assert.deepStrictEqual(
        records(yield* server.send("GET", "/me/businesses", { credential: person.token })),
        [
          { business_id: person.businessId, business_name: person.business_name },
          { business_id: other.businessId, business_name: other.business_name }
        ]
      )
      assert.lengthOf(records(yield* server.send("GET", "/me/businesses", { credential: stranger.token })), 1)
    })
  )
})

layer(Ports)("the API keys of a business", (it) => {
  it.effect("are listed masked, newest first, with their last use; another business's are not", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key, token } = yield* business(server)
      yield* business(server)
      yield* server.send("GET", "/ping", { credential: key })
      // The use is recorded soon after the response.
      const [listed = {}, ...others] = yield* Effect.repeat(
        Effect.map(server.send("GET", "/me/api-keys", { credential: token }), records),
        { until: ([key]) => key?.["last_used_at"] !== null, times: 1_000 }
      )
      assert.isEmpty(others)
      assert.strictEqual(listed["api_key"], `${key.slice(0, 8)}…${key.slice(-4)}`)
      assert.match(String(listed["created_date"]), /^2026-11-20T/u)
      assert.match(String(listed["last_used_at"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/u)
      assert.deepStrictEqual(Object.keys(listed).sort(), ["api_key", "created_date", "last_used_at"])
      const made = record(yield* server.send("POST", "/me/api-keys", { credential: token }))
      const [, second] = records(yield* server.send("GET", "/me/api-keys", { credential: token }))
      assert.isDefined(second)
      assert.notInclude(JSON.stringify(second), String(made["api_key"]))
    })
  )

  it.effect("a key is deleted by the full key in the body, and is refused from then on", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key, token } = yield* business(server)
      const remove = (body?: object) => server.send("DELETE", "/me/api-keys", { credential: token, body })
      assert.strictEqual((yield* server.send("GET", "/ping", { credential: key })).status, 200)
      assert.deepStrictEqual(record(yield* remove({ api_key: key })), { deleted: true })
      refusedAs(yield* server.send("GET", "/ping", { credential: key }), 401, "unauthorized")
      assert.deepStrictEqual(refusedAs(yield* remove({ api_key: key }), 422, "invalid_request"), [
        { field: "api_key", issue: "not_found" }
      ])
      assert.deepStrictEqual(refusedAs(yield* remove({}), 422, "invalid_request"), [
        { field: "api_key", issue: "required" }
      ])
      refusedAs(yield* remove(), 400, "invalid_request")
    })
  )

  it.effect(
    "another business's key is not found, exactly as an unknown one, and keeps working; a masked key is not found",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { key, token } = yield* business(server)
        const foreign = yield* business(server)
        const remove = (api_key: string) =>
          server.send("DELETE", "/me/api-keys", { credential: token, body: { api_key } })
        const refused = yield* remove(foreign.key)
        refusedAs(refused, 422, "invalid_request")
        assert.deepStrictEqual((yield* remove(`lvk_${"x".repeat(43)}`)).body.error, refused.body.error)
        refusedAs(yield* remove(`${key.slice(0, 8)}…${key.slice(-4)}`), 422, "invalid_request")
        assert.strictEqual((yield* server.send("GET", "/ping", { credential: foreign.key })).status, 200)
        refusedAs(
          yield* server.send("DELETE", "/me/api-keys", { credential: key, body: { api_key: key } }),
          403,
          "forbidden"
        )
      })
  )
})

layer(Ports)("devices", (it) => {
  const phone = { platform: "ios", device_token: "abc:DEF-123", device_name: "Zoë's phone" }

  it.effect("are registered once, however often, and updated by registering again", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { token } = yield* operator(server)
      const put = (body: object) => server.send("POST", "/me/devices", { credential: token, body })
      assert.deepStrictEqual(record(yield* put(phone)), phone)
      yield* put(phone)
      const renamed = { ...phone, platform: "android", device_name: null }
      yield* put({ platform: "android", device_token: phone.device_token })
      assert.deepStrictEqual(records(yield* server.send("GET", "/me/devices", { credential: token })), [
        renamed
      ])
    })
  )

  it.effect("are named by their token without the spaces around it", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { token } = yield* operator(server)
      const ask = (method: string, body: object) =>
        server.send(method, "/me/devices", { credential: token, body })
      const typed = { ...phone, device_token: ` spaced-${token.slice(-8)}\n` }
      const trimmed = { ...phone, device_token: typed.device_token.trim() }
      assert.deepStrictEqual(record(yield* ask("POST", typed)), trimmed)
      assert.deepStrictEqual(record(yield* ask("DELETE", { device_token: typed.device_token })), {
        deleted: true
      })
      for (const method of ["POST", "DELETE"])
        assert.deepStrictEqual(
          refusedAs(yield* ask(method, { ...phone, device_token: " \n" }), 422, "invalid_request"),
          [{ field: "device_token", issue: "required" }]
        )
    })
  )

  it.effect("are a hundred at most: the one that was registered longest ago is replaced", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { token, userId } = yield* operator(server)
      yield* sql`
        INSERT INTO devices (device_token, user_id, platform, created_at, updated_at)
        SELECT 'old-' || n, ${userId}, 'ios', now(), '2026-01-01'::timestamptz + n * interval '1 hour'
        FROM generate_series(1, 100) AS n`
      const body = { ...phone, device_token: "newest" }
      for (let again = 0; again < 2; again++)
        record(yield* server.send("POST", "/me/devices", { credential: token, body }))
      const stored = yield* sql<{ device_token: string }>`
        SELECT device_token FROM devices WHERE user_id = ${userId} ORDER BY updated_at`
      assert.lengthOf(stored, 100)
      assert.deepStrictEqual([stored.at(0)?.device_token, stored.at(-1)?.device_token], ["old-2", "newest"])
    })
  )

  it.effect("belong to the user who registered them last, and only that user removes them", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [first, second] = [yield* operator(server), yield* operator(server)]
      const shared = { ...phone, device_token: "shared" }
      const ask = (method: string, credential: string, body?: object) =>
        server.send(method, "/me/devices", { credential, body })
      yield* ask("POST", first.token, shared)
      yield* ask("POST", second.token, shared)
      assert.isEmpty(records(yield* ask("GET", first.token)))
      assert.deepStrictEqual(record(yield* ask("DELETE", first.token, { device_token: "shared" })), {
        deleted: false
      })
      assert.deepStrictEqual(records(yield* ask("GET", second.token)), [shared])
      assert.deepStrictEqual(record(yield* ask("DELETE", second.token, { device_token: "shared" })), {
        deleted: true
      })
      assert.isEmpty(records(yield* ask("GET", second.token)))
    })
  )

  it.effect("with a wrong field are 422, and are not stored", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { token, userId } = yield* operator(server)
      const refused = Effect.fnUntraced(function* (body: object) {
        return refusedAs(
          yield* server.send("POST", "/me/devices", { credential: token, body }),
          422,
          "invalid_request"
        )
      })
      assert.deepStrictEqual(yield* refused({}), [
        { field: "platform", issue: "required" },
        { field: "device_token", issue: "required" }
      ])
      assert.deepStrictEqual(yield* refused({ platform: "windows", device_token: "a b" }), [
        { field: "platform", issue: "unknown_value" },
        { field: "device_token", issue: "invalid" }
      ])
      assert.deepStrictEqual(yield* refused({ ...phone, device_token: "é".repeat(3) }), [
        { field: "device_token", issue: "invalid" }
      ])
      assert.deepStrictEqual(yield* refused({ ...phone, device_token: "x".repeat(2001) }), [
        { field: "device_token", issue: "too_long" }
      ])
      assert.isEmpty(yield* sql`SELECT FROM devices WHERE user_id = ${userId}`)
      const longest = { ...phone, device_token: "x".repeat(2000) }
      record(yield* server.send("POST", "/me/devices", { credential: token, body: longest }))
    })
  )
})
