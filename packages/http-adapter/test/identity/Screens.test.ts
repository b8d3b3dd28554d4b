import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { business, superAdmin } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"

const view = { name: "VIP today", screen: "trips", query: "status=confirmed&customer_id=3" }

layer(Ports)("the screens of a user", (it) => {
  it.effect("keep named views, each for its user alone", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [{ key, token }, other] = [yield* business(server), yield* business(server)]
      const send = (method: string, path: string, body?: unknown, credential = token) =>
        server.send(method, `/me/views${path}`, { credential, ...(body === undefined ? {} : { body }) })
      const saved = yield* send("POST", "", view)
      assert.strictEqual(saved.status, 201)
      const view_id = String(record(saved)["view_id"])
      assert.deepInclude(record(saved), { ...view, shared: false })
      assert.deepStrictEqual(records(yield* send("GET", "")), [record(saved)])
      const changed = record(yield* send("PATCH", `/${view_id}`, { name: "VIP" }))
      assert.deepInclude(changed, { ...view, name: "VIP" })
      refusedAs(yield* send("PATCH", `/${view_id}`, {}), 422, "invalid_request")
      assert.deepStrictEqual(
        refusedAs(yield* send("POST", "", { name: "", query: "x".repeat(2001) }), 422, "invalid_request"),
        [
          { field: "name", issue: "required" },
          { field: "screen", issue: "required" },
          { field: "query", issue: "too_long" }
        ]
      )
      assert.deepStrictEqual(records(yield* send("GET", "", undefined, other.token)), [])
      refusedAs(yield* send("PATCH", `/${view_id}`, { name: "mine" }, other.token), 404, "not_found")
      refusedAs(yield* send("DELETE", `/${view_id}`, undefined, other.token), 404, "not_found")
      refusedAs(yield* send("GET", "", undefined, key), 403, "forbidden")
      assert.deepStrictEqual(record(yield* send("DELETE", `/${view_id}`)), { deleted: true })
      refusedAs(yield* send("DELETE", `/${view_id}`), 404, "not_found")
    })
  )

  it.effect("keep preferences, also of a super-admin without a business", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { token } = yield* business(server)
      const admin = yield* superAdmin(server)
      const send = (
        method: string,
        body?: unknown,
        headers: Readonly<Record<string, string>> = {},
        credential = token
      ) =>
        server.send(method, "/me/preferences", {
          credential,
          headers,
          ...(body === undefined ? {} : { body })
        })
      const first = yield* send("GET")
      assert.deepStrictEqual(record(first), { language: null, theme: "system", board: {} })
      const board = { rows: "driver", z: 1, a: [true, null] }
      const changed = yield* send("PATCH", { theme: "dark", board })
      assert.deepStrictEqual(record(changed), { language: null, theme: "dark", board })
      const read = yield* send("GET")
      assert.deepStrictEqual(
        [record(read), read.headers.get("etag")],
        [record(changed), changed.headers.get("etag")]
      )
      const stale = yield* send("PATCH", { theme: "light" }, { "if-match": first.headers.get("etag") ?? "" })
      refusedAs(stale, 409, "conflict")
      refusedAs(yield* send("PATCH", { theme: "pink" }), 422, "invalid_request")
      refusedAs(yield* send("PATCH", { language: "xx" }), 422, "invalid_request")
      refusedAs(yield* send("PATCH", {}), 422, "invalid_request")
      refusedAs(yield* send("PATCH", { board: { text: "x".repeat(4000) } }), 422, "invalid_request")
      refusedAs(yield* send("PATCH", { board: [1] }), 422, "invalid_request")
      assert.strictEqual(record(yield* send("PATCH", { language: "ar" }, {}, admin.token))["language"], "ar")
      assert.isNull(record(yield* send("GET"))["language"])
    })
  )
})
