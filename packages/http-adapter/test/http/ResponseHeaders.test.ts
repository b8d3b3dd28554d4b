import { assert, describe, it } from "@effect/vitest"
import { Headers, HttpServerResponse } from "effect/http"
import { requestState, defaultTraits } from "@livery/contract"
import { completed, jsonResponse } from "../../src/http/responses/ResponseHeaders.ts"

const state = () => requestState("req_0123456789abcdef01234567", "GET", "/", "/", defaultTraits, 0)

/** The same response, made by the public constructors. */
const byConstructor = (status: number, text: string, headers: Record<string, string>) =>
  HttpServerResponse.text(text, { status, headers, contentType: "application/json" })

describe("a completed response", () => {
  it("equals the response of the public constructors from the same parts", () => {
    for (const [status, etag] of [
      [200, '"tag"'],
      [404, undefined]
    ] as const) {
      const made = jsonResponse(status, '{"é":1}', state(), etag)
      const expected = byConstructor(status, '{"é":1}', made.headers)
      assert.isTrue(HttpServerResponse.isHttpServerResponse(made))
      assert.isTrue(Headers.isHeaders(made.headers))
      assert.strictEqual(Object.getPrototypeOf(made), Object.getPrototypeOf(expected))
      assert.deepStrictEqual(Object.keys(made).sort(), Object.keys(expected).sort())
      assert.deepStrictEqual({ ...made.headers }, { ...expected.headers })
      assert.deepStrictEqual(made.toJSON(), expected.toJSON())
      assert.strictEqual(made.headers["content-length"], "8")
    }
  })

  it("keeps the headers and the body that it had, and the response that it was made of is unchanged", () => {
    const given = HttpServerResponse.text("file", { headers: { "Cache-Control": "public", ETag: '"1"' } })
    const before = { ...given.headers }
    const made = completed(given, state())
    assert.deepInclude({ ...made.headers }, { ...before, "x-request-id": "req_0123456789abcdef01234567" })
    assert.strictEqual(made.body, given.body)
    assert.deepStrictEqual({ ...given.headers }, before)
  })

  it("has Retry-After only if the request is refused for now or failed", () => {
    const retryAfter = (status: number, given: Partial<ReturnType<typeof state>> = {}) =>
      jsonResponse(status, "{}", { ...state(), ...given }).headers["retry-after"]
    assert.strictEqual(retryAfter(429), "1")
    assert.strictEqual(retryAfter(429, { retryAfterSeconds: 7 }), "7")
    assert.strictEqual(retryAfter(500, { retryAfterSeconds: 7 }), "7")
    assert.isUndefined(retryAfter(500))
    assert.isUndefined(retryAfter(404, { retryAfterSeconds: 7 }))
    assert.isUndefined(retryAfter(200, { retryAfterSeconds: 7 }))
  })
})
