import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { PortsInMemory } from "../support/TestPorts.ts"
import { business } from "../support/People.ts"
import { openServer, refusedAs } from "../support/TestServer.ts"

const origin = { origin: "https://app.example.com" }

const listed = (header: string | null) => (header ?? "").split(",").map((name) => name.trim().toLowerCase())

layer(PortsInMemory)("cross-origin requests", (it) => {
  it.effect("a pre-flight of any path is 204 with a request id, and the same for every caller", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      for (const path of ["/trips", "/trips/1", "/auth/login", "/me", "/no/such/route", "/"]) {
        const answer = yield* server.send("OPTIONS", path, {
          headers: {
            ...origin,
            "access-control-request-method": "POST",
            "access-control-request-headers": "authorization,content-type,x-business-id"
          }
        })
        assert.deepStrictEqual([answer.status, answer.text], [204, ""], path)
        assert.strictEqual(answer.headers.get("access-control-allow-origin"), "*")
        assert.includeMembers(listed(answer.headers.get("access-control-allow-methods")), [
          "get",
          "post",
          "patch",
          "delete"
        ])
        assert.includeMembers(listed(answer.headers.get("access-control-allow-headers")), [
          "authorization",
          "content-type",
          "x-business-id",
          "idempotency-key",
          "if-match",
          "if-none-match"
        ])
      }
    })
  )

  it.effect("OPTIONS without the headers of a pre-flight is 204 as well", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      assert.strictEqual((yield* server.send("OPTIONS", "/trips")).status, 204)
      assert.strictEqual((yield* server.sendTo("OPTIONS", "/health/live")).status, 204)
    })
  )

  it.effect("no other origin may read what is for monitoring, nor an unknown path beside it", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      for (const path of ["/metrics", "/health/ready", "/health/live", "/health", "/health/x", "/metrics/x"])
        for (const method of ["GET", "OPTIONS"] as const)
          assert.isNull(
            (yield* server.sendTo(method, path, { headers: origin })).headers.get(
              "access-control-allow-origin"
            ),
            `${method} ${path}`
          )
      const answer = yield* server.sendTo("GET", "/healthy", { headers: origin })
      assert.strictEqual(answer.headers.get("access-control-allow-origin"), "*")
    })
  )

  it.effect("any origin may read any answer and its headers, without credentials of the browser's", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      for (const answer of [
        yield* server.send("GET", "/ping", { credential: key, headers: origin }),
        yield* server.send("GET", "/ping", { headers: origin }),
        yield* server.send("GET", "/no/such/route", { headers: origin }),
        yield* server.send("PUT", "/ping", { headers: origin }),
        yield* server.send("POST", "/auth/login", { headers: origin, text: "{" })
      ]) {
        assert.strictEqual(answer.headers.get("access-control-allow-origin"), "*")
        assert.isNull(answer.headers.get("access-control-allow-credentials"))
        assert.sameMembers(listed(answer.headers.get("access-control-expose-headers")), [
          "x-request-id",
          "x-ratelimit-limit",
          "x-ratelimit-remaining",
          "x-ratelimit-reset",
          "etag",
          "retry-after",
          "idempotency-replayed"
        ])
      }
      refusedAs(yield* server.send("GET", "/ping", { headers: origin }), 401, "unauthorized")
    })
  )

  it.effect("probes and metrics are for no page of another origin", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      for (const path of ["/metrics", "/health/live", "/health/ready"])
        for (const method of ["GET", "HEAD", "OPTIONS", "POST"]) {
          const { headers } = yield* server.sendTo(method, path, { headers: origin })
          const allowed = [...headers.keys()].filter((name) => name.startsWith("access-control-"))
          assert.deepStrictEqual(allowed, [], `${method} ${path}`)
        }
    })
  )
})
