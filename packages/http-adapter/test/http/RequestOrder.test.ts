import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { once } from "node:events"
import { request as httpRequest } from "node:http"
import { Application, NodeServer } from "@livery/http-adapter"
import { maxDepth } from "../../src/http/decoding/BodyStructure.ts"
import { maximumForm } from "../../src/http/decoding/Forms.ts"
import { business } from "../support/People.ts"
import { type CommonPorts, PortsInMemory } from "../support/TestPorts.ts"
import { applicationOn, openServer, refusedAs } from "../support/TestServer.ts"

const tooDeep = `{"notes":"${"x".repeat(20_000)}","other":${"[".repeat(maxDepth)}${"]".repeat(maxDepth)}}`

/** Bodies that no route reads. */
const wrong = [
  { text: tooDeep },
  { text: "{" },
  { text: '{"reason":1,"reason":2}' },
  { text: "{}", headers: { "content-type": "application/json; charset=utf-16" } },
  { text: "{}", headers: { "content-type": "text/plain" } },
  { text: "{}", headers: { "content-encoding": "gzip" } },
  { text: "{}", headers: { "content-length": String(2 ** 20 + 1) } }
]

/** The same route in several spellings. */
const spellings = ["/trips/1/reopen", "/trips/%31/reopen", "/trips/1/reopen/", "/trips/%zz/reopen?x=%"]

layer(PortsInMemory)("the order of a request's checks", (it) => {
  it.effect("a wrong credential is refused and counted before the body, whatever the path's spelling", () =>
    Effect.gen(function* () {
      const server = yield* openServer({ limits: { public: 1000 } })
      let remaining = 1000
      for (const path of spellings.slice(0, 3))
        for (const body of wrong)
          for (const credential of [undefined, "nonsense"]) {
            const answer = yield* server.send("POST", path, { credential, ...body })
            refusedAs(answer, 401, "unauthorized")
            remaining -= 1
            assert.strictEqual(answer.headers.get("x-ratelimit-remaining"), String(remaining), path)
          }
    })
  )

  it.effect("a caller beyond its limit is refused before the body, whatever the path's spelling", () =>
    Effect.gen(function* () {
      const server = yield* openServer({ limits: { business: 1 } })
      const { key: credential } = yield* business(yield* openServer())
      yield* server.send("GET", "/ping", { credential })
      for (const path of spellings.slice(0, 3))
        for (const body of wrong)
          refusedAs(yield* server.send("POST", path, { credential, ...body }), 429, "rate_limited")
    })
  )

  it.effect("a body that no route reads is refused and counted for a known caller, in any spelling", () =>
    Effect.gen(function* () {
      const server = yield* openServer({ limits: { business: 1000 } })
      const { key: credential } = yield* business(server)
      for (const path of spellings.slice(0, 3)) {
        const statuses: Array<number> = []
        for (const body of wrong) {
          const answer = yield* server.send("POST", path, { credential, ...body })
          statuses.push(answer.status)
          assert.strictEqual(answer.headers.get("x-ratelimit-limit"), "1000", path)
        }
        assert.deepStrictEqual(statuses, [400, 400, 422, 415, 415, 415, 413], path)
      }
      refusedAs(yield* server.send("POST", spellings[3] ?? "", { credential, body: {} }), 404, "not_found")
    })
  )

  it.effect("JSON in another encoding than UTF-8 is 415, however the parameter is written", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key: credential } = yield* business(server)
      const statusOf = (type: string) =>
        Effect.map(
          server.send("POST", "/customers", {
            credential,
            text: '{"name":"A"}',
            headers: { "content-type": type }
          }),
          ({ status }) => status
        )
      for (const charset of ["utf-16", "UTF-16LE", '"utf-16"', "iso-8859-1", "utf-8; charset=utf-16", ""])
        assert.strictEqual(yield* statusOf(`application/json; charset=${charset}`), 415, charset)
      for (const charset of ["utf-8", "UTF-8", '"utf-8"', "utf8"])
        assert.strictEqual(yield* statusOf(`application/json;charset=${charset}`), 201, charset)
      for (const parameter of ["charset*=utf-8''utf-16", "charset*0=utf-16", "charset*0*=utf-8''utf-16"])
        assert.strictEqual(yield* statusOf(`application/json; ${parameter}`), 415, parameter)
      assert.strictEqual(yield* statusOf("application/json; profile=x"), 201)
    })
  )

  it.effect("a field that an object has twice is refused by its path, with the other wrong fields", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key: credential } = yield* business(server)
      const detailsOf = Effect.fnUntraced(function* (path: string, text: string) {
        return refusedAs(yield* server.send("POST", path, { credential, text }), 422, "invalid_request")
      })
      assert.deepStrictEqual(yield* detailsOf("/cars", '{"name":"A","n\\u0061me":"B"}'), [
        { field: "name", issue: "invalid" }
      ])
      assert.deepStrictEqual(
        yield* detailsOf(
          "/customers",
          '{"name":"A","metadata":{"a":"{\\"a\\":1,","b":"1","a":"2"},"unknown":[1,{"c":1,"c":2}],"email":5}'
        ),
        [
          { field: "metadata.a", issue: "invalid" },
          { field: "unknown.1.c", issue: "invalid" },
          { field: "email", issue: "invalid" }
        ]
      )
      const same = '{"name":"A","metadata":{"name":"A","list":"[,{"}}'
      assert.strictEqual((yield* server.send("POST", "/customers", { credential, text: same })).status, 201)
    })
  )
})

layer(PortsInMemory)("a body that waits for permission to be sent", (it) => {
  /** The response to the headers of a POST, and whether the server asked for its body. */
  const announced = Effect.fnUntraced(function* (
    path: string,
    length: number,
    headers: Readonly<Record<string, string>>
  ) {
    const ports = yield* Effect.context<CommonPorts>()
    const Served = Layer.unwrap(Effect.map(Application, ({ respond }) => HttpServer.serve(respond))).pipe(
      Layer.provide(applicationOn(ports)),
      Layer.provideMerge(NodeServer.layer({ host: "127.0.0.1", port: 0 }))
    )
    const { address } = Context.get(yield* Layer.build(Served), HttpServer.HttpServer)
    return yield* Effect.promise(async () => {
      const request = httpRequest({
        host: "127.0.0.1",
        port: "port" in address ? address.port : 0,
        method: "POST",
        path: path === "/mcp" ? path : `/api/v1${path}`,
        headers: { "content-length": length, expect: "100-continue", ...headers }
      })
      const asked: Array<true> = []
      request.on("continue", () => {
        asked.push(true)
        request.end("{}")
      })
      request.flushHeaders()
      const [response] = (await once(request, "response")) as [{ statusCode: number; resume: () => void }]
      response.resume()
      request.destroy()
      return [response.statusCode, asked.length > 0] as const
    })
  })

  it.effect("is not asked for if its length is refused, or the caller is", () =>
    Effect.gen(function* () {
      const { key } = yield* business(yield* openServer())
      const authorization = `Bearer ${key}`
      const json = { "content-type": "application/json" }
      const form = { "content-type": "multipart/form-data; boundary=x" }
      assert.deepStrictEqual(yield* announced("/cars", 2, { authorization, ...json }), [422, true])
      // Rotating a secret takes no body, but its idempotency key would be compared with one.
      assert.deepStrictEqual(
        yield* announced("/webhooks/1/rotate-secret", 2 ** 20 + 1, {
          authorization,
          ...json,
          "idempotency-key": "once"
        }),
        [413, false]
      )
      assert.deepStrictEqual(yield* announced("/cars", 2 ** 20 + 1, { authorization, ...json }), [413, false])
      assert.deepStrictEqual(
        yield* announced("/cars", 2 ** 20 + 1, { authorization, ...json, "idempotency-key": "one" }),
        [413, false]
      )
      assert.deepStrictEqual(yield* announced("/uploads", maximumForm + 1, { authorization, ...form }), [
        413,
        false
      ])
      assert.deepStrictEqual(yield* announced("/cars", 2, json), [401, false])
      assert.deepStrictEqual(yield* announced("/mcp", 2 ** 20 + 1, { authorization, ...json }), [413, false])
      assert.deepStrictEqual(yield* announced("/mcp", 2 ** 20 + 1, json), [401, false])
      assert.deepStrictEqual(yield* announced("/mcp", 2, { authorization, ...json }), [400, true])
    })
  )
})
