import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { Headers } from "effect/http"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import {
  bearerCredential,
  bearerOf,
  headerOf,
  headersOf,
  pathOf
} from "../../src/http/request/IncomingRequest.ts"

describe("the path of a request", () => {
  it("is the part before the query, also if the request has a whole URL", () => {
    for (const [url, path] of [
      ["/api/v1/ping", "/api/v1/ping"],
      ["/api/v1/ping?token=private", "/api/v1/ping"],
      ["http://livery.test/api/v1/ping", "/api/v1/ping"],
      ["HTTPS://livery.test:8443/api/v1/ping?x=http://y/z", "/api/v1/ping"],
      ["http://livery.test?/api/v1/ping", ""],
      ["//livery.test/api/v1/ping", "//livery.test/api/v1/ping"],
      ["*", "*"]
    ] as const)
      assert.strictEqual(pathOf(url), path, url)
  })
})

describe("the headers of a request", () => {
  it("are read from Node's own, without the copy that Effect makes of all of them", () => {
    const source = new IncomingMessage(new Socket())
    Object.assign(source.headers, { "x-business-id": "7", "set-cookie": ["a=1", "b=2"] })
    const request = {
      source,
      get headers(): never {
        throw new Error("All headers were copied")
      }
    }
    assert.strictEqual(headerOf(request, "x-business-id"), "7")
    assert.strictEqual(headerOf(request, "set-cookie"), "a=1, b=2")
    assert.isUndefined(headerOf(request, "if-match"))
    assert.strictEqual(headersOf(request), source.headers)
  })
})

describe("the credential of a request", () => {
  it("is the same for its admission and for its handler", () => {
    for (const [authorization, credential] of [
      ["Bearer abc", "abc"],
      ["bearer   abc", "abc"],
      ["BEARER abc def", "abc def"],
      ["Bearer abc ", "abc "],
      ["Bearer", ""],
      ["Bearer ", ""],
      ["Basic abc", ""],
      ["", ""],
      [undefined, ""]
    ] as const) {
      const source = new IncomingMessage(new Socket())
      if (authorization !== undefined) source.headers.authorization = authorization
      const request = { source, headers: Headers.fromInput({ authorization }) }
      const ofHandler = bearerCredential(request)
      assert.strictEqual(bearerOf(request), credential, authorization)
      assert.strictEqual(ofHandler === undefined ? "" : Redacted.value(ofHandler), credential, authorization)
    }
  })
})
