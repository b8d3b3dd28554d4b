import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { business, makeDriver, operator } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"

layer(Ports)("the acting business", (it) => {
  it.effect(
    "GET /ping returns the business of the credential, its role and rights, the version and the time",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { businessId, key, token } = yield* business(server)
        for (const [credential, role] of [
          [key, "api_key"],
          [token, "owner"]
        ] as const) {
          const { rights, time, ...rest } = record(yield* server.send("GET", "/ping", { credential }))
          assert.deepStrictEqual(rest, { ok: true, business_id: businessId, api_version: "1.0.0", role })
          assert.deepInclude(rights, { operations: "write", members: role === "owner" ? "write" : "none" })
          assert.match(String(time), /^2026-11-20T09:30:\d\dZ$/u)
        }
      })
  )

  it.effect("GET /business returns the record without sensitive fields", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { business_name, businessId, email, key } = yield* business(server)
      const { created_at, updated_at, ...rest } = record(
        yield* server.send("GET", "/business", { credential: key })
      )
      assert.deepStrictEqual(rest, {
        business_id: businessId,
        business_name,
        business_email: email,
        vendor_slug: business_name.toLowerCase().replaceAll(" ", "-"),
        status: "A",
        subscription_plan_id: 1,
        subscription_status: "active",
        email_credits: 0,
        currency: "USD",
        timezone: "UTC"
      })
      for (const at of [created_at, updated_at]) assert.match(String(at), /^2026-11-20T09:30:\d\dZ$/u)
    })
  )

  it.effect("a key serves its own business, whatever X-Business-Id is", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, key } = yield* business(server)
      const other = yield* operator(server)
      const ping = yield* server.send("GET", "/ping", { credential: key, business: other.businessId })
      assert.strictEqual(record(ping)["business_id"], businessId)
    })
  )

  it.effect("a driver's account is 403 on every route of a business", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { token, userId } = yield* operator(server)
      yield* makeDriver(userId)
      for (const [method, path] of [
        ["GET", "/ping"],
        ["GET", "/business"],
        ["GET", "/trips"],
        ["POST", "/trips"],
        ["GET", "/trips/1"],
        ["POST", "/webhooks"],
        ["GET", "/webhooks/1/deliveries"]
      ] as const)
        refusedAs(yield* server.send(method, path, { credential: token }), 403, "forbidden")
    })
  )

  it.effect("a user without a business is 403", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { token, userId } = yield* operator(server)
      yield* sql`DELETE FROM business_members WHERE user_id = ${userId}`
      refusedAs(yield* server.send("GET", "/ping", { credential: token }), 403, "forbidden")
    })
  )

  it.effect("an access token works for 900 seconds, and is 401 afterwards", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { token } = yield* operator(server)
      yield* TestClock.adjust("899 seconds")
      assert.strictEqual((yield* server.send("GET", "/ping", { credential: token })).status, 200)
      yield* TestClock.adjust("1 second")
      for (const path of ["/ping", "/me"])
        refusedAs(yield* server.send("GET", path, { credential: token }), 401, "unauthorized")
    })
  )
})
