import { assert, describe, it } from "@effect/vitest"
import { pathOf } from "../../src/http/IncomingRequest.ts"

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
