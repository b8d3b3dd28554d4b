import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { routeTable } from "../../src/RouteTable.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { business, operator } from "../support/People.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"

layer(PortsInMemory)("the envelope", (it) => {
  it.effect("has data and meta, and each response has its own request id", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const ids = new Set<string | null>()
      for (const path of ["/ping", "/business", "/trips", "/ping"]) {
        const answer = yield* server.send("GET", path, {
          credential: key,
          headers: { "x-request-id": "mine" }
        })
        assert.deepStrictEqual(Object.keys(answer.body), ["data", "meta"])
        ids.add(answer.headers.get("x-request-id"))
      }
      assert.strictEqual(ids.size, 4)
    })
  )

  it.effect("may not be cached, and a 401 names the accepted scheme", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const [known, unknown, nowhere] = [
        yield* server.send("GET", "/ping", { credential: key }),
        yield* server.send("GET", "/ping"),
        yield* server.send("GET", "/nowhere")
      ]
      for (const { headers } of [known, unknown, nowhere])
        assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.deepStrictEqual(
        [known, unknown, nowhere].map(({ headers, status }) => [status, headers.get("www-authenticate")]),
        [
          [200, null],
          [401, "Bearer"],
          [404, null]
        ]
      )
    })
  )

  it.effect("of an unknown route is 404, also without a credential", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      for (const path of ["/api", "/api/v1", "/api/v1/trip", "/api/v1/trips/1/2", "/api/v2/ping", "/%ff"])
        refusedAs(yield* server.sendTo("GET", path), 404, "not_found")
      refusedAs(yield* server.sendTo("DELETE", "/nowhere"), 404, "not_found")
    })
  )

  it.effect("of a path in another form than its route is that of an unknown path", () =>
    Effect.gen(function* () {
      const server = yield* openServer({ limits: { public: 1000 } })
      const person = yield* operator(server)
      const body = { email: person.email, password: person.password }
      for (const path of [
        "/API/V1/auth/login",
        "//api/v1/auth/login",
        "/api//v1/auth/login",
        "/api/v1/auth/login//",
        "/api/v1/Auth/login",
        "/%61pi/v1/auth/login",
        "/api/v1/%61uth/login",
        "/api/v1/auth%2Flogin",
        "/api/v1/auth/login;x=1"
      ]) {
        const answer = yield* server.sendTo("POST", path, { body })
        refusedAs(answer, 404, "not_found")
        // It counts as a request of an unknown path, not as a sign-in.
        assert.strictEqual(answer.headers.get("x-ratelimit-limit"), "1000", path)
        assert.strictEqual(answer.headers.get("access-control-allow-origin"), "*", path)
      }
      for (const path of [
        "/HEALTH/live",
        "//docs",
        "/OpenAPI.json",
        "/metric%73",
        "/Uploads/x",
        "/api/v1/Ping"
      ])
        refusedAs(yield* server.sendTo("GET", path, { credential: person.token }), 404, "not_found")
      for (const path of ["/api/v1/auth/login", "/api/v1/auth/login/", "/api/v1/auth/login?x=1"]) {
        const answer = yield* server.sendTo("POST", path, { body })
        assert.strictEqual(answer.status, 200, path)
        assert.strictEqual(answer.headers.get("cache-control"), "no-store")
      }
      assert.strictEqual((yield* server.sendTo("OPTIONS", "//api/v1/auth/login")).status, 204)
    })
  )

  it.effect("of a path with a semicolon or a number sign is that of an unknown path, also behind an id", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const carOf = (path: string, method = "GET", body?: object) =>
        server.sendTo(method, path, { credential: key, ...(body === undefined ? {} : { body }) })
      const car = String(record(yield* carOf("/api/v1/cars", "POST", { name: "Black" }))["car_id"])
      for (const end of [";", ";x", ";x=1", ";x?y", ";/"]) {
        refusedAs(yield* carOf(`/api/v1/cars/${car}${end}`), 404, "not_found")
        refusedAs(yield* carOf(`/api/v1/cars/${car}${end}`, "PATCH", { name: "White" }), 404, "not_found")
        refusedAs(yield* carOf(`/api/v1/cars/${car}${end}`, "DELETE"), 404, "not_found")
      }
      // Were it cut at the semicolon, this would be a PATCH of the trip.
      refusedAs(yield* carOf("/api/v1/trips/1;/driver-status", "PATCH", { notes: "x" }), 404, "not_found")
      // A URL does not send what follows a number sign; a client of sockets can.
      assert.isUndefined(routeTable.resolve(`/api/v1/cars/${car}#x`))
      assert.strictEqual(record(yield* carOf(`/api/v1/cars/${car}`))["name"], "Black")
    })
  )

  it.effect("of a wrong method is 405 and names the permitted ones", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      for (const [method, path, methods] of [
        ["PUT", "/trips", "GET,HEAD,OPTIONS,POST"],
        ["DELETE", "/ping", "GET,HEAD,OPTIONS"],
        ["GET", "/auth/login", "OPTIONS,POST"],
        ["PATCH", "/webhooks/7/deliveries", "GET,HEAD,OPTIONS"]
      ] as const) {
        const answer = yield* server.send(method, path)
        refusedAs(answer, 405, "invalid_request")
        assert.deepStrictEqual((answer.headers.get("allow") ?? "").split(", ").sort().join(), methods)
      }
    })
  )

  it.effect("HEAD is GET without its body", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const answer = yield* server.send("HEAD", "/ping", { credential: key })
      assert.deepStrictEqual([answer.status, answer.text], [200, ""])
    })
  )

  it.effect("of a body that is no JSON is 400, and of another content type 415", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      for (const text of ["{", "{'a':1}", '{"a":1}}', "\u0000", "undefined", "["])
        assert.isUndefined(
          refusedAs(yield* server.send("POST", "/auth/login", { text }), 400, "invalid_request")
        )
      for (const type of [
        "text/plain",
        "application/x-www-form-urlencoded",
        "text/html",
        "multipart/form-data"
      ])
        refusedAs(
          yield* server.send("POST", "/auth/login", {
            text: '{"email":"a@example.com","password":"12345678"}',
            headers: { "content-type": type }
          }),
          415,
          "invalid_request"
        )
    })
  )

  it.effect(
    "of a body that is not UTF-8 is 400, with and without a key, small and large, and stores nothing",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { key } = yield* business(server)
        for (const length of [0, 20_000])
          for (const [at, more] of [{}, { "idempotency-key": `latin-1 of ${length}` }].entries()) {
            const answer = yield* server.send("POST", "/customers", {
              credential: key,
              form: new Uint8Array(Buffer.from(`{"name":"Zürich ${"x".repeat(length)}"}`, "latin1")),
              headers: { "content-type": "application/json", ...more }
            })
            refusedAs(answer, 400, "invalid_request")
            assert.match(answer.body.error?.message ?? "", /not valid UTF-8/u, `${length} ${at}`)
          }
        assert.deepStrictEqual(records(yield* server.send("GET", "/customers", { credential: key })), [])
      })
  )

  it.effect(
    "of a body as a whole says whether an object or a list is required, and that a list is empty",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { key } = yield* business(server)
        const messageOf = Effect.fnUntraced(function* (path: string, text: string) {
          const answer = yield* server.send("POST", path, { credential: key, text })
          refusedAs(answer, 422, "invalid_request")
          return answer.body.error?.message ?? ""
        })
        for (const text of ['{"trip_id":1}', "1"])
          assert.match(yield* messageOf("/dispatch/assignments", text), /must be a JSON array$/u, text)
        for (const text of ["[]", "null"])
          assert.match(
            yield* messageOf("/dispatch/assignments", text),
            /array with at least one entry/u,
            text
          )
        const many = JSON.stringify(Array.from({ length: 601 }, () => ({ trip_id: 1, driver_ids: [] })))
        assert.match(yield* messageOf("/dispatch/assignments", many), /too many entries/u)
        for (const text of ["[]", "1", '"x"'])
          assert.match(yield* messageOf("/customers", text), /must be a JSON object/u, text)
      })
  )

  it.effect("of JSON that is no object is 422, and never a fault", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      for (const text of ["null", "1", '"x"', "[]", "[{}]", "true", "{}", '{"__proto__":{"email":"a"}}'])
        refusedAs(yield* server.send("POST", "/auth/login", { text }), 422, "invalid_request")
      // A request without a body is not decoded.
      refusedAs(yield* server.send("POST", "/auth/login"), 400, "invalid_request")
    })
  )

  it.effect("of a body 10,000 deep is no fault", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`
      for (const text of [deep, `{"email":${deep}}`])
        refusedAs(yield* server.send("POST", "/auth/login", { text }), 422, "invalid_request")
    })
  )

  it.effect("of a body beyond 1 MiB is 413; up to it, it is read", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const trip = {
        trip_date: "2026-12-24T18:00:00Z",
        pickup_address: "Here",
        dropoff_address: "There",
        customer_name: "Ada"
      }
      const filled = (length: number) => {
        const text = JSON.stringify({ ...trip, ignored: "" })
        return text.replace('""', `"${"x".repeat(length - text.length)}"`)
      }
      const book = (length: number) =>
        server.send("POST", "/trips", { credential: key, text: filled(length) })
      assert.strictEqual(record(yield* book(1024 ** 2))["customer_name"], "Ada")
      refusedAs(yield* book(1024 ** 2 + 1), 413, "invalid_request")
      refusedAs(yield* book(10 * 1024 ** 2), 413, "invalid_request")
    })
  )

  it.effect("of a path or a query with odd bytes is no fault", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      for (const path of [
        "/trips/%00",
        "/trips/%e0%80",
        "/trips/1%2f2",
        "/trips?status=%00",
        "/trips?page=%ff"
      ]) {
        const { status } = yield* server.send("GET", path, { credential: key })
        assert.include([400, 404, 422], status, path)
      }
    })
  )
})
