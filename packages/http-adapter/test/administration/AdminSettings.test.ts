import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { business, newcomer, superAdmin } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import {
  type Answer,
  openServer,
  record,
  records,
  refusedAs,
  type TestServer
} from "../support/TestServer.ts"

const administration = Effect.fnUntraced(function* (server: TestServer) {
  const root = yield* superAdmin(server)
  return {
    ...root,
    get: (path: string) => server.send("GET", `/admin${path}`, { credential: root.token }),
    set: (key: string, body: unknown) =>
      server.send("PATCH", `/admin/settings/${key}`, { credential: root.token, body })
  }
})

const limitOf = ({ headers }: Answer) => headers.get("x-ratelimit-limit")

/** Advances the clock in steps of the settings' interval until a node reports that limit: at most ten times. */
const awaitLimit = Effect.fnUntraced(function* (server: TestServer, credential: string, limit: string) {
  let reported: string | null = null
  for (let step = 0; step < 10 && reported !== limit; step += 1) {
    yield* TestClock.adjust("5 seconds")
    reported = limitOf(yield* server.send("GET", "/ping", { credential }))
  }
  assert.strictEqual(reported, limit)
})

layer(Ports)("/admin/settings", (it) => {
  it.effect("lists every setting by category with its type, value, default and description", () =>
    Effect.gen(function* () {
      const admin = yield* administration(yield* openServer())
      const settings = record(yield* admin.get("/settings"))
      assert.sameMembers(Object.keys(settings), ["rate_limits", "registration", "operations", "retention"])
      const [first] = Object(settings["rate_limits"])
      assert.deepInclude(first, {
        key: "rate_limit_business",
        category: "rate_limits",
        type: "integer",
        value: 600,
        default_value: 600,
        minimum: 1,
        maximum: 100_000_000,
        fixed_value: null,
        fixed_by: null,
        updated_at: null
      })
      assert.isAbove(String(first.description).length, 10)
      refusedAs(yield* admin.get("/settings?category=rate_limits"), 422, "invalid_request")
    })
  )

  it.effect("a change keeps the type and the category, and is audited once with the request's id", () =>
    Effect.gen(function* () {
      const admin = yield* administration(yield* openServer())
      const changed = yield* admin.set("rate_limit_public", { value: 130, type: "string", category: "other" })
      const expected = { key: "rate_limit_public", category: "rate_limits", type: "integer", value: 130 }
      assert.deepInclude(record(changed), expected)
      assert.deepInclude(record(yield* admin.set("rate_limit_public", { value: 130 })), expected)
      const settings = record(yield* admin.get("/settings"))
      assert.deepInclude(Object(settings["rate_limits"])[2], expected)
      const entries = records(yield* admin.get("/audit?subject=setting:rate_limit_public"))
      assert.lengthOf(entries, 1)
      assert.deepInclude(entries[0], {
        actor: `user:${admin.userId}`,
        action: "setting.changed",
        before: { value: 120 },
        after: { value: 130 },
        request_id: changed.body.meta?.request_id
      })
    })
  )

  it.effect("a value of another type or out of bounds is refused, and nothing changes", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const admin = yield* administration(server)
      const { key: apiKey, token } = yield* business(server)
      const before = (yield* admin.get("/settings")).body.data
      const wrong = [
        ["rate_limit_auth", { value: "20" }, "invalid"],
        ["rate_limit_auth", { value: 2.5 }, "invalid"],
        ["rate_limit_auth", { value: true }, "invalid"],
        ["rate_limit_auth", { value: { amount: 20 } }, "invalid"],
        ["rate_limit_auth", { value: null }, "required"],
        ["rate_limit_auth", {}, "required"],
        ["rate_limit_auth", { value: 0 }, "out_of_range"],
        ["rate_limit_auth", { value: 100_000_001 }, "out_of_range"],
        ["registration_open", { value: 1 }, "invalid"],
        ["registration_open", { value: "false" }, "invalid"],
        ["default_plan_id", { value: 99 }, "not_found"]
      ] as const
      for (const [key, body, issue] of wrong)
        assert.deepStrictEqual(
          refusedAs(yield* admin.set(key, body), 422, "invalid_request"),
          [{ field: "value", issue }],
          `${key} ${JSON.stringify(body)}`
        )
      for (const [key, expected] of [
        ["rate_limit_auth", "rate_limit_auth is a whole number from 1 to 100000000"],
        ["registration_open", "registration_open is true or false"]
      ] as const)
        assert.include((yield* admin.set(key, { value: "many" })).body.error?.message, expected)
      refusedAs(yield* admin.set("rate_limit_nothing", { value: 1 }), 404, "not_found")
      refusedAs(yield* admin.set("toString", { value: 1 }), 404, "not_found")
      for (const credential of [apiKey, token]) {
        refusedAs(yield* server.send("GET", "/admin/settings", { credential }), 403, "forbidden")
        const body = { value: 1 }
        const path = "/admin/settings/rate_limit_auth"
        refusedAs(yield* server.send("PATCH", path, { credential, body }), 403, "forbidden")
      }
      assert.deepStrictEqual((yield* admin.get("/settings")).body.data, before)
    })
  )

  it.effect("a rate limit applies at once on the node that changed it, and soon on the others", () =>
    Effect.gen(function* () {
      const admin = yield* administration(yield* openServer())
      const one = yield* openServer({ limitsOfSettings: true })
      const other = yield* openServer({ limitsOfSettings: true })
      const { key } = yield* business(one)
      assert.strictEqual(limitOf(yield* one.send("GET", "/ping", { credential: key })), "600")
      const set = (value: number) =>
        one.send("PATCH", "/admin/settings/rate_limit_business", { credential: admin.token, body: { value } })
      assert.strictEqual((yield* set(700)).status, 200)
      assert.strictEqual(limitOf(yield* one.send("GET", "/ping", { credential: key })), "700")
      yield* awaitLimit(other, key, "700")
      assert.strictEqual((yield* set(1)).status, 200)
      refusedAs(yield* one.send("GET", "/ping", { credential: key }), 429, "rate_limited")
    })
  )

  it.effect("a variable of the environment fixes a value, and the record names it", () =>
    Effect.gen(function* () {
      const server = yield* openServer({
        limitsOfSettings: true,
        fixed: { rate_limit_business: { value: 55, by: "RATE_LIMIT_BUSINESS" } }
      })
      const admin = yield* administration(yield* openServer())
      const answer = yield* server.send("PATCH", "/admin/settings/rate_limit_business", {
        credential: admin.token,
        body: { value: 66 }
      })
      assert.strictEqual(limitOf(answer), "55")
      assert.deepInclude(record(answer), { value: 66, fixed_value: 55, fixed_by: "RATE_LIMIT_BUSINESS" })
    })
  )

  it.effect("registration can be closed, and new businesses get the default plan", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const admin = yield* administration(server)
      const sql = yield* SqlClient.SqlClient
      const register = Effect.suspend(() => server.send("POST", "/auth/register", { body: newcomer() }))
      assert.strictEqual((yield* admin.set("registration_open", { value: false })).status, 200)
      const before = yield* sql`SELECT count(*) AS users FROM users`
      refusedAs(yield* register, 403, "feature_unavailable")
      assert.deepStrictEqual(yield* sql`SELECT count(*) AS users FROM users`, before)
      assert.strictEqual((yield* admin.set("registration_open", { value: true })).status, 200)
      assert.strictEqual((yield* admin.set("default_plan_id", { value: 2 })).status, 200)
      const { business_id } = record(yield* register)
      assert.deepInclude(record(yield* admin.get(`/businesses/${String(business_id)}`)), {
        subscription_plan_id: 2
      })
      assert.strictEqual((yield* admin.set("default_plan_id", { value: 1 })).status, 200)
    })
  )
})
