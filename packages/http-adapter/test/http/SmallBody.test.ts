import { assert, describe, it } from "@effect/vitest"
import { ByteSize, Context, Deferred, Effect, type Exit, Layer } from "effect"
import { HttpIncomingMessage, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { IncomingMessage } from "node:http"
import { connect } from "node:net"
import { eventually } from "../../../../test/support/Eventually.ts"
import { layer } from "../../src/http/server/NodeServer.ts"
import { smallBody } from "../../src/http/decoding/BodyMemory.ts"
import { bodyTextOf } from "../../src/http/decoding/SmallBody.ts"

/** Waits until Node has parsed the whole request, as it usually has after a look-up in the database. */
const untilComplete = ({ source }: HttpServerRequest.HttpServerRequest) =>
  eventually(() => !(source instanceof IncomingMessage) || source.complete)

/**
 * A server that answers with the body. Requests of `/late` are read once they have arrived, those of `/again` after Effect has read
 * them, and Effect reads no byte of those of `/limited`.
 */
const served = (read?: Deferred.Deferred<Exit.Exit<string | undefined>>) =>
  Effect.gen(function* () {
    const echo = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (request.url === "/late") yield* untilComplete(request)
      if (request.url === "/again") yield* request.text
      const body = Effect.suspend(() => bodyTextOf(request))
      const text = yield* Effect.onExit(
        request.url === "/limited"
          ? Effect.provideService(body, HttpIncomingMessage.MaxBodySize, ByteSize.bytes(0))
          : body,
        (exit) => (read === undefined ? Effect.void : Deferred.succeed(read, exit))
      )
      return HttpServerResponse.text(`<${text}>`)
    })
    const Server = HttpServer.serve(echo).pipe(Layer.provideMerge(layer({ host: "127.0.0.1", port: 0 })))
    const { address } = Context.get(yield* Layer.build(Server), HttpServer.HttpServer)
    return "port" in address ? address.port : 0
  })

const head = (path: string, length: number, more = "") =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n${more}\r\n`

/** Sends each piece after the server has had time to read the one before, and returns the bodies of `count` responses. */
const exchange = (port: number, pieces: ReadonlyArray<Buffer | string>, count = 1) =>
  Effect.promise(
    () =>
      new Promise<ReadonlyArray<string>>((resolve, reject) => {
        const socket = connect({ host: "127.0.0.1", port, noDelay: true })
        let received = ""
        socket.setEncoding("utf8").on("error", reject)
        socket.on("data", (text: string) => {
          received += text
          const bodies = received.match(/<[^>]*>/gu) ?? []
          if (bodies.length < count) return
          socket.destroy()
          resolve(bodies)
        })
        const send = ([piece, ...others]: ReadonlyArray<Buffer | string>) => {
          if (piece !== undefined) socket.write(piece, () => setImmediate(() => send(others)))
        }
        send(pieces)
      })
  )

const both = ["/", "/late"] as const

describe("A small body", () => {
  it.effect.each(both)("is read whole, in one piece: %s", (path) =>
    Effect.gen(function* () {
      const port = yield* served()
      assert.deepStrictEqual(yield* exchange(port, [`${head(path, 7)}{"a":1}`]), [`<{"a":1}>`])
    })
  )

  it.effect.each(both)("may arrive in pieces that divide a character: %s", (path) =>
    Effect.gen(function* () {
      const body = Buffer.from("Zürich €")
      const pieces = [head(path, body.length), body.subarray(0, 2), body.subarray(2, 9), body.subarray(9)]
      assert.deepStrictEqual(yield* exchange(yield* served(), pieces), ["<Zürich €>"])
    })
  )

  it.effect.each(both)("that is not UTF-8 has no text: %s", (path) =>
    Effect.gen(function* () {
      const body = Buffer.from("Zürich", "latin1")
      const port = yield* served()
      assert.deepStrictEqual(yield* exchange(port, [head(path, body.length), body]), ["<undefined>"])
    })
  )

  it.effect.each(both)("loses its byte order mark, and may be empty: %s", (path) =>
    Effect.gen(function* () {
      const port = yield* served()
      assert.deepStrictEqual(yield* exchange(port, [`${head(path, 5)}\uFEFF{}`]), ["<{}>"])
      assert.deepStrictEqual(yield* exchange(port, [head(path, 0)]), ["<>"])
    })
  )

  it.effect.each([...both, "/again"])("is empty if no header announces it: %s", (path) =>
    Effect.gen(function* () {
      const requests = [`POST ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`, `${head(path, 3)}two`]
      assert.deepStrictEqual(yield* exchange(yield* served(), requests, 2), ["<>", "<two>"])
    })
  )

  it.effect.each(both)("does not contain the next request of its connection: %s", (path) =>
    Effect.gen(function* () {
      const requests = `${head(path, 3)}one${head(path, 3)}two${head(path, 5)}three`
      assert.deepStrictEqual(yield* exchange(yield* served(), [requests], 3), ["<one>", "<two>", "<three>"])
    })
  )

  it.effect("is requested from a client that waits for a permission to send it", () =>
    Effect.gen(function* () {
      const port = yield* served()
      const body = yield* Effect.promise(
        () =>
          new Promise<string>((resolve, reject) => {
            const socket = connect({ host: "127.0.0.1", port })
            let received = ""
            socket.setEncoding("utf8").on("error", reject)
            socket.on("data", (text: string) => {
              received += text
              if (received === "HTTP/1.1 100 Continue\r\n\r\n") socket.write("five!")
              const [found] = received.match(/<[^>]*>/u) ?? []
              if (found === undefined) return
              socket.destroy()
              resolve(found)
            })
            socket.write(head("/", 5, "Expect: 100-continue\r\n"))
          })
      )
      assert.strictEqual(body, "<five!>")
    })
  )

  it.effect("that Effect has read before is its text, too", () =>
    Effect.gen(function* () {
      const port = yield* served()
      assert.deepStrictEqual(yield* exchange(port, [`${head("/again", 7)}{"a":1}`]), [`<{"a":1}>`])
    })
  )

  it.effect("has at most 16 KiB: a larger one is read by Effect, which limits its length", () =>
    Effect.gen(function* () {
      const read = yield* Deferred.make<Exit.Exit<string | undefined>>()
      const port = yield* served(read)
      const socket = connect({ host: "127.0.0.1", port })
      socket.on("error", () => undefined)
      socket.write(`${head("/limited", smallBody + 1)}${"x".repeat(smallBody + 1)}`)
      assert.strictEqual((yield* Deferred.await(read))._tag, "Failure")
      socket.destroy()
    })
  )

  it.effect("of a client that disconnects before its end is never handled", () =>
    Effect.gen(function* () {
      const read = yield* Deferred.make<Exit.Exit<string | undefined>>()
      const port = yield* served(read)
      const socket = connect({ host: "127.0.0.1", port })
      socket.on("error", () => undefined)
      socket.write(`${head("/", 100)}half`, () => setImmediate(() => socket.destroy()))
      assert.strictEqual((yield* Deferred.await(read))._tag, "Failure")
    })
  )
})
