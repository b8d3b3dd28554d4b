import { assert, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { once } from "node:events"
import { IncomingMessage } from "node:http"
import { connect, Socket } from "node:net"
import { vi } from "vitest"
import { layer } from "../../src/http/server/NodeServer.ts"

/** Sends a request by a connection of its own. */
const open = (port: number, path: string) =>
  Effect.sync(() => {
    const socket = connect({ host: "127.0.0.1", port })
    let received = ""
    const answered = new Promise<void>((resolve) => {
      socket.setEncoding("utf8").on("data", (chunk: string) => {
        received += chunk
        resolve()
      })
    })
    const closed = new Promise<string>((resolve) => {
      socket.on("close", () => resolve(received))
    })
    socket.on("error", () => undefined).write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    return { answered: Effect.promise(() => answered), closed: Effect.promise(() => closed) }
  })

it.effect("a server that closes does not wait for connections without a request", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const Served = HttpServer.serve(Effect.succeed(HttpServerResponse.text("here"))).pipe(
      Layer.provideMerge(layer({ host: "127.0.0.1", port: 0 }))
    )
    const { address } = Context.get(yield* Layer.buildWithScope(Served, scope), HttpServer.HttpServer)
    const port = "port" in address ? address.port : 0
    const idle = yield* open(port, "/")
    yield* idle.answered
    // The clock stands still: no time passes.
    yield* Scope.close(scope, Exit.void)
    assert.match(yield* idle.closed, /^HTTP\/1\.1 200 /u)
  })
)

it.effect("a client that does not read its response loses its connection", () =>
  Effect.gen(function* () {
    // More than the buffers of a connection hold.
    const length = 30_000_000
    const { promise: lost, resolve: lose } = Promise.withResolvers<void>()
    const handled = Effect.map(HttpServerRequest.HttpServerRequest, ({ source }) => {
      if (source instanceof IncomingMessage) source.socket.once("close", () => lose())
      return HttpServerResponse.text("x".repeat(length))
    })
    const Served = HttpServer.serve(handled).pipe(
      Layer.provideMerge(layer({ host: "127.0.0.1", port: 0, silenceMillis: 200 }))
    )
    const { address } = Context.get(yield* Layer.build(Served), HttpServer.HttpServer)
    const received = yield* Effect.promise(async () => {
      const socket = connect({ host: "127.0.0.1", port: "port" in address ? address.port : 0 })
      let bytes = 0
      socket.on("data", (chunk: Buffer) => (bytes += chunk.length)).on("error", () => undefined)
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      const closed = once(socket, "close")
      await once(socket, "data")
      socket.pause()
      await lost
      socket.resume()
      await closed
      return bytes
    })
    assert.isBelow(received, length)
  })
)

it.effect("a text is written with its headers at once", () =>
  Effect.gen(function* () {
    const write = vi.spyOn(Socket.prototype, "_write")
    const writeMany = vi.spyOn(Socket.prototype as Required<Socket>, "_writev")
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        write.mockRestore()
        writeMany.mockRestore()
      })
    )
    const Served = HttpServer.serve(Effect.succeed(HttpServerResponse.text("Zürich"))).pipe(
      Layer.provideMerge(layer({ host: "127.0.0.1", port: 0 }))
    )
    const { address } = Context.get(yield* Layer.build(Served), HttpServer.HttpServer)
    const { answered } = yield* open("port" in address ? address.port : 0, "/")
    yield* answered
    const responses = write.mock.calls.map(([text]) => String(text)).filter((text) => text.startsWith("HTTP"))
    assert.match(responses.join("\n\n"), /^HTTP\/1\.1 200 [^]*content-length: 7\r\n[^]*\r\n\r\nZürich$/iu)
    assert.strictEqual(writeMany.mock.calls.length, 0)
  })
)

it.effect("a request without a body is no open stream, which Node would have to end", () =>
  Effect.gen(function* () {
    const handled = Effect.map(HttpServerRequest.HttpServerRequest, ({ source }) =>
      HttpServerResponse.text(String(source instanceof IncomingMessage && source.closed))
    )
    const Served = HttpServer.serve(handled).pipe(Layer.provideMerge(layer({ host: "127.0.0.1", port: 0 })))
    const { address } = Context.get(yield* Layer.build(Served), HttpServer.HttpServer)
    const url = `http://127.0.0.1:${"port" in address ? address.port : 0}`
    const closed = (init?: RequestInit) => Effect.promise(async () => (await fetch(url, init)).text())
    assert.strictEqual(yield* closed(), "true")
    assert.strictEqual(yield* closed({ method: "POST", body: "text" }), "false")
  })
)
