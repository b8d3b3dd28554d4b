import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { encodingOf, isUnchanged } from "../../src/http/responses/Representation.ts"
import { business } from "../support/People.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { openServer, record } from "../support/TestServer.ts"

const documents = ["/openapi.json"]

const accept = (encoding: string) => ({ "accept-encoding": encoding })

layer(PortsInMemory)("the form of responses", (it) => {
  it("the best encoding that the client accepts is chosen", () => {
    const chosen = {
      br: [
        "gzip, deflate, br",
        "gzip;q=0.1, br;q=0.9",
        "*",
        "identity;q=0.5, *;q=0.8",
        "gzip;q=0, *",
        "br;q=0.5"
      ],
      gzip: ["br;q=0, GZIP;q=0.5", "gzip, br;q=0.9", "gzip;q=1.0, *;q=0", "br;q=0, *", "deflate, gzip;q=0.2"],
      none: [
        "",
        "identity",
        "gzip;q=0",
        "br;q=0.000",
        "deflate",
        "*;q=0",
        "identity;q=0",
        "identity, gzip;q=0.5",
        "identity;q=0.6, br;q=0.5"
      ]
    }
    for (const [encoding, headers] of Object.entries(chosen))
      for (const header of headers) assert.strictEqual(encodingOf(header, 5000) ?? "none", encoding, header)
    assert.isUndefined(encodingOf(undefined, 5000))
  })

  it("a short response is compressed only for a client that refuses it otherwise", () => {
    for (const header of ["br", "*", "gzip, identity", "identity;q=0"])
      assert.isUndefined(encodingOf(header, 100), header)
    for (const header of ["identity;q=0, gzip", "Identity;q=0, gzip", "gzip, *;q=0"])
      assert.strictEqual(encodingOf(header, 100), "gzip", header)
    assert.deepStrictEqual([encodingOf("br", 2047), encodingOf("br", 2048)], [undefined, "br"])
  })

  it("a tag matches itself in a list, and weak", () => {
    for (const header of ['"a"', 'W/"a"', '"x", W/"a"', "*", " * "])
      for (const tag of ['"a"', 'W/"a"']) assert.isTrue(isUnchanged(header, tag), `${header} ${tag}`)
    for (const header of ['"b"', "a", ""]) assert.isFalse(isUnchanged(header, '"a"'), header)
    assert.isFalse(isUnchanged("*", undefined))
  })

  it.effect("the documents are compressed, and sent again only if they have changed", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      for (const path of documents) {
        const plain = yield* server.sendTo("GET", path)
        const etag = plain.headers.get("etag") ?? ""
        assert.match(etag, /^"[\w+/]+"$/u)
        assert.match(plain.headers.get("cache-control") ?? "", /^public, max-age=\d+$/u)
        assert.isNull(plain.headers.get("content-encoding"))
        for (const [encoding, decompress] of [
          ["br", brotliDecompressSync],
          ["gzip", gunzipSync]
        ] as const) {
          const packed = yield* server.sendTo("GET", path, { headers: accept(encoding) })
          assert.strictEqual(packed.headers.get("content-encoding"), encoding)
          assert.include(packed.headers.get("vary"), "Accept-Encoding")
          assert.isBelow(packed.bytes.length, plain.bytes.length / 3)
          assert.strictEqual(decompress(packed.bytes).toString(), plain.text)
          assert.strictEqual(packed.headers.get("etag"), `W/${etag}`)
        }
        for (const tag of [etag, `W/${etag}`]) {
          const same = yield* server.sendTo("GET", path, { headers: { "If-None-Match": tag } })
          assert.deepStrictEqual([same.status, same.text], [304, ""])
          assert.strictEqual(same.headers.get("cache-control"), plain.headers.get("cache-control"))
        }
      }
    })
  )

  it.effect("`/` leads to the document, where there are no pages", () =>
    Effect.gen(function* () {
      const answer = yield* (yield* openServer()).sendTo("GET", "/")
      assert.deepStrictEqual([answer.status, answer.headers.get("location")], [302, "openapi.json"])
    })
  )

  it.effect("no response may be interpreted as another type than its Content-Type", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key: credential } = yield* business(server)
      const paths = ["/", "/openapi.json", "/metrics", "/health/live", "/nowhere", "/api/v1/ping"]
      for (const path of paths)
        for (const method of ["GET", "POST", "OPTIONS"])
          for (const ask of [{}, { credential }]) {
            const { headers } = yield* server.sendTo(method, path, ask)
            assert.strictEqual(headers.get("x-content-type-options"), "nosniff", `${method} ${path}`)
          }
    })
  )

  it.effect("a record is sent again only if it has changed", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key: credential } = yield* business(server)
      const { car_id } = record(yield* server.send("POST", "/cars", { credential, body: { name: "Car" } }))
      const path = `/cars/${String(car_id)}`
      const first = yield* server.send("GET", path, { credential })
      const etag = first.headers.get("etag") ?? ""
      const ask = (tags: string, method = "GET") =>
        server.send(method, path, { credential, headers: { "If-None-Match": tags } })
      for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
        const same = yield* ask(tags)
        assert.deepStrictEqual([same.status, same.text], [304, ""], tags)
        assert.strictEqual(same.headers.get("etag"), etag)
      }
      assert.strictEqual((yield* ask(etag, "HEAD")).status, 304)
      assert.strictEqual((yield* ask('"x"')).status, 200)
      yield* server.send("PATCH", path, { credential, body: { name: "Other" } })
      assert.strictEqual(record(yield* ask(etag))["name"], "Other")
    })
  )

  it.effect("If-Match takes weak tags and lists: a proxy that compresses a response makes its tag weak", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key: credential } = yield* business(server)
      const { car_id } = record(yield* server.send("POST", "/cars", { credential, body: { name: "Car" } }))
      const path = `/cars/${String(car_id)}`
      let etag = (yield* server.send("GET", path, { credential })).headers.get("etag") ?? ""
      for (const written of [(tag: string) => `W/${tag}`, (tag: string) => `"x", W/"y",${tag}`]) {
        const headers = { "If-Match": written(etag) }
        const body = { name: `Car ${headers["If-Match"]}`.slice(0, 40) }
        const changed = yield* server.send("PATCH", path, { credential, body, headers })
        assert.strictEqual(changed.status, 200, changed.text)
        etag = changed.headers.get("etag") ?? ""
      }
    })
  )

  it.effect("a long response is compressed for a client that accepts it, a short one is not", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key: credential } = yield* business(server)
      const send = (name: string) => server.send("POST", "/customers", { credential, body: { name } })
      record(yield* send("Customer 0"))
      const short = yield* server.send("GET", "/customers", { credential, headers: accept("br") })
      assert.isNull(short.headers.get("content-encoding"))
      const only = yield* server.send("GET", "/customers", {
        credential,
        headers: accept("gzip, identity;q=0")
      })
      assert.strictEqual(only.headers.get("content-encoding"), "gzip")
      for (let number = 1; number < 30; number += 1) record(yield* send(`Customer ${number}`))
      const plain = yield* server.send("GET", "/customers", { credential })
      const packed = yield* server.send("GET", "/customers", { credential, headers: accept("br") })
      assert.strictEqual(packed.headers.get("content-encoding"), "br")
      assert.strictEqual(packed.headers.get("content-length"), String(packed.bytes.length))
      const { data } = JSON.parse(brotliDecompressSync(packed.bytes).toString()) as { data: unknown }
      assert.deepStrictEqual(data, plain.body.data)
    })
  )

  it.effect("a path that also matches a record's pattern lists its own methods", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key: credential } = yield* business(server)
      for (const method of ["PATCH", "DELETE", "POST", "PUT"]) {
        const answer = yield* server.send(method, "/drivers/locations", { credential })
        assert.strictEqual(answer.status, 405)
        assert.strictEqual(answer.headers.get("allow"), "GET, HEAD, OPTIONS")
      }
    })
  )
})
