import { assert, describe, it } from "@effect/vitest"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { headerOf, headersOf, pathOf } from "../../src/http/request/IncomingRequest.ts"

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
