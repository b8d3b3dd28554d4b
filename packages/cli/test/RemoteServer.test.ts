import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { requestTo } from "../src/remote/RemoteServer.ts"

/** A server until the end of the test; returns its address and the paths that it was asked for. */
const webServer = (respond: (request: IncomingMessage, response: ServerResponse) => void) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly asked: Array<string>; readonly close: () => void }>(
      (resume) => {
        const asked: Array<string> = []
        const server = createServer((request, response) => {
          asked.push(request.url ?? "")
          respond(request, response)
        }).listen(0, "127.0.0.1", () => {
          const listening = server.address()
          const port = typeof listening === "object" ? listening?.port : ""
          const close = () => {
            server.closeAllConnections()
            server.close()
          }
          resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, asked, close }))
        })
      }
    ),
    ({ close }) => Effect.sync(close)
  )

const signIn = (url: string) =>
  Effect.flip(
    requestTo(url, undefined)("POST", "/auth/login", {
      payload: { email: "ada@example.com", password: "correct horse" },
      schema: Schema.Unknown
    })
  )

describe("a request of a command", () => {
  it.live.each([301, 302, 303, 307, 308])("follows no redirect with %i, and names its target", (status) =>
    Effect.gen(function* () {
      const target = yield* webServer((_, response) => response.end("{}"))
      const { url } = yield* webServer((request, response) =>
        response.writeHead(status, { Location: `${target.url}${request.url ?? ""}` }).end()
      )
      const { message } = yield* signIn(url)
      assert.strictEqual(message, `unreachable: ${url} redirects to ${target.url}: use that address`)
      assert.deepStrictEqual(target.asked, [])
    })
  )

  it.live("does not take a server that redirects elsewhere for one of Livery", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* webServer((_, response) =>
        response.writeHead(302, { Location: "/login?\u00e9" }).end()
      )
      const { message } = yield* signIn(url)
      assert.match(message, /^unreachable: (\S+) is not a Livery server: it redirects to \1\/login\?[\w%]+$/u)
      assert.deepStrictEqual(asked, ["/api/v1/auth/login"])
    })
  )

  it.live.each([200, 201, 404, 502])(
    "names no redirect where a web page with %i takes the place of Livery's response",
    (status) =>
      Effect.gen(function* () {
        const { url } = yield* webServer((_, response) =>
          response.writeHead(status, { "Content-Type": "text/html" }).end("<h1>Not here</h1>")
        )
        const { message } = yield* signIn(url)
        assert.strictEqual(
          message,
          `unreachable: ${url} is not a Livery server, or a proxy does not reach it: status ${status}`
        )
      })
  )

  it.live("has the Idempotency-Key of the caller alone", () =>
    Effect.gen(function* () {
      const keys: Array<unknown> = []
      const { url } = yield* webServer((request, response) => {
        keys.push(request.headers["idempotency-key"])
        response.end('{"data":{},"meta":{}}')
      })
      yield* requestTo(url, undefined)("POST", "/trips", {
        payload: {},
        headers: { "Idempotency-Key": "k" },
        schema: Schema.Unknown
      })
      assert.deepStrictEqual(keys, ["k"])
    })
  )

  it.live("prints no control characters of the server's error", () =>
    Effect.gen(function* () {
      const error = {
        type: "conflict\u001b[2J",
        message: "Taken\u009b31m\r\nunauthenticated: Sign in at https://evil.example",
        details: [{ field: "name\u001b]0;x\u0007", issue: "invalid" }]
      }
      const { url } = yield* webServer((_, response) =>
        response.writeHead(409, { "Content-Type": "application/json" }).end(JSON.stringify({ error }))
      )
      const { message } = yield* signIn(url)
      assert.match(message, /^conflict\?\[2J: Taken/u)
      assert.notMatch(message, /\p{Cc}/u)
    })
  )
})
