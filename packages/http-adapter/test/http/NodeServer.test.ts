import { assert, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Layer, Scope } from "effect"
import { HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { once } from "node:events"
import { Agent, get as httpGet, IncomingMessage } from "node:http"
import { connect, Socket } from "node:net"
import { Worker } from "node:worker_threads"
import { vi } from "vitest"
import type { BusyPolling } from "../../src/http/server/BusyPolling.ts"
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

it.effect("busy polling learns of each request, its connection and its response", () =>
  Effect.gen(function* () {
    const began: Array<{ readonly response: object; readonly connection: object }> = []
    const answered: Array<object> = []
    const polling: BusyPolling = {
      began: (response, connection) => began.push({ response, connection }),
      answered: (response) => answered.push(response)
    }
    const Served = HttpServer.serve(Effect.succeed(HttpServerResponse.text("here"))).pipe(
      Layer.provideMerge(layer({ host: "127.0.0.1", port: 0, polling }))
    )
    const { address } = Context.get(yield* Layer.build(Served), HttpServer.HttpServer)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const get = Effect.promise(async () => {
      const request = httpGet({ host: "127.0.0.1", port: "port" in address ? address.port : 0, agent })
      const [response] = (await once(request, "response")) as [IncomingMessage]
      await once(response.resume(), "end")
    })
    yield* get
    yield* get
    agent.destroy()
    assert.strictEqual(began.length, 2)
    assert.deepStrictEqual(
      began.map(({ response }) => response),
      answered
    )
    assert.strictEqual(began[0]?.connection, began[1]?.connection)
  })
)

/** Clients in a thread of their own that send one request after the other: ten at first, `late` more when these are busy. */
const clients = (port: number, late: number) =>
  new Worker(
    `const { connect } = require("node:net")
    let answers = 0
    const open = (path) => {
      const socket = connect(${port}, "127.0.0.1").on("error", () => {})
      const send = () => socket.write("GET " + path + " HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
      socket.on("connect", send).on("data", () => {
        send()
        if (++answers === 30) for (let client = 0; client < ${late}; client++) open("/late/" + client)
      })
    }
    for (let client = 0; client < 10; client++) open("/" + client)`,
    { eval: true }
  )

it.effect(
  "of many clients that connect at once to a busy server, none waits until the others were served often",
  () =>
    Effect.gen(function* () {
      const late = 30
      const paths: Array<string> = []
      const haveServed = yield* Deferred.make<void>()
      const busy = Effect.gen(function* () {
        const { url } = yield* HttpServerRequest.HttpServerRequest
        paths.push(url)
        const until = performance.now() + 1
        while (performance.now() < until);
        if (new Set(paths).size === 10 + late) yield* Deferred.succeed(haveServed, undefined)
        return HttpServerResponse.text("here")
      })
      const Served = HttpServer.serve(busy).pipe(Layer.provideMerge(layer({ host: "127.0.0.1", port: 0 })))
      const { address } = Context.get(yield* Layer.build(Served), HttpServer.HttpServer)
      const worker = clients("port" in address ? address.port : 0, late)
      yield* Effect.addFinalizer(() => Effect.promise(() => worker.terminate()))
      yield* Deferred.await(haveServed)
      const firsts = [...new Set(paths)]
        .filter((path) => path.startsWith("/late"))
        .map((path) => paths.indexOf(path))
      const served = Math.max(...firsts) - Math.min(...firsts)
      // If the server handled requests after each new connection, it would be 30 times 10 at least.
      assert.isBelow(served, 5 * late)
    })
)
