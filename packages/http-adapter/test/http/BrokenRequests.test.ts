import { assert, it } from "@effect/vitest"
import { Context, Deferred, Effect, Layer, Stream } from "effect"
import { HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { IncomingMessage, Server } from "node:http"
import { connect } from "node:net"
import { layer } from "../../src/http/server/NodeServer.ts"

/** All bytes of a connection until the server closes it. `onFirst` is called with the first of them. */
const received = (port: number, bytes: string, onFirst: (write: (more: string) => void) => void) =>
  Effect.callback<string>((resume) => {
    let all = ""
    const socket = connect({ host: "127.0.0.1", port })
      .setEncoding("utf8")
      .on("error", () => undefined)
      .once("data", () => onFirst((more) => socket.write(more)))
      .on("data", (text: string) => (all += text))
      .on("close", () => resume(Effect.succeed(all)))
    socket.write(bytes)
    return Effect.sync(() => socket.destroy())
  })

const serve = Effect.fnUntraced(function* (
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>
) {
  const Served = HttpServer.serve(app).pipe(Layer.provideMerge(layer({ host: "127.0.0.1", port: 0 })))
  const { address } = Context.get(yield* Layer.build(Served), HttpServer.HttpServer)
  return "port" in address ? address.port : 0
})

it.live(
  "nothing is written into a response that has begun when the client sends bytes that are not HTTP",
  () =>
    Effect.gen(function* () {
      const body = Stream.concat(Stream.make("begin"), Stream.never)
      const port = yield* serve(Effect.succeed(HttpServerResponse.stream(Stream.encodeText(body))))
      const all = yield* received(port, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", (write) =>
        write("GARBAGE\r\n\r\n")
      )
      assert.match(all, /^HTTP\/1\.1 200 [^]*begin\r\n$/u)
    })
)

it.live("a response that was written before those bytes came is sent in full", () =>
  Effect.gen(function* () {
    const port = yield* serve(Effect.succeed(HttpServerResponse.text("here")))
    const all = yield* received(port, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", (write) =>
      write("GARBAGE\r\n\r\n")
    )
    assert.match(all, /^HTTP\/1\.1 200 [^]*\r\n\r\nhereHTTP\/1\.1 400 [^]*could not be read/u)
  })
)

it.live("the refusal of a request that did not arrive in time says so", () =>
  Effect.gen(function* () {
    const asked = yield* Deferred.make<IncomingMessage>()
    const port = yield* serve(
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { source } = request
        if (source instanceof IncomingMessage) yield* Deferred.succeed(asked, source)
        yield* Effect.ignore(request.text)
        return HttpServerResponse.text("late")
      })
    )
    // Node looks for such requests every 30 seconds.
    yield* Effect.forkScoped(
      Effect.map(Deferred.await(asked), ({ socket }) => {
        const server = "server" in socket ? socket.server : undefined
        const error = Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" })
        if (server instanceof Server) server.emit("clientError", error, socket)
      })
    )
    const head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nslow"
    const all = yield* received(port, head, () => {})
    assert.match(all, /^HTTP\/1\.1 400 [^]*"type":"invalid_request","message":"[^"]*within 30 seconds/u)
  })
)
