import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { Server } from "node:http"
import { connect, Socket } from "node:net"
import { connectionLimits, limitConnections } from "../../src/http/server/ConnectionLimits.ts"
import * as NodeServer from "../../src/http/server/NodeServer.ts"

const portOf = (options: Omit<NodeServer.NodeServerOptions, "host" | "port">) =>
  Effect.map(
    Layer.build(
      NodeServer.layer({ host: "127.0.0.1", port: 0, ...options }).pipe(
        Layer.provideMerge(NodeHttpServer.layerHttpServices)
      )
    ),
    (context) => {
      const { address } = Context.get(context, HttpServer.HttpServer)
      return "port" in address ? address.port : 0
    }
  )

/** A connection that the client never closes, with whether the server has closed it. */
const opened = (port: number, text: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly socket: Socket; readonly closed: Promise<string> }>((resume) => {
      let received = ""
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
      const closed = new Promise<string>((resolve) => {
        socket
          .on("data", (chunk) => {
            received += chunk.toString()
          })
          .on("error", () => undefined)
          .on("end", () => resolve(received))
          .on("close", () => resolve(received))
      })
      socket.once("connect", () => {
        socket.write(text)
        resume(Effect.succeed({ socket, closed }))
      })
    }),
    ({ socket }) => Effect.sync(() => socket.destroy())
  )

const partial = "GET / HTTP/1.1\r\nHost: livery.test\r\n"

describe("open connections", () => {
  it("stay below the limit of descriptors, with a reserve and the database's pool", () => {
    const limits = connectionLimits({ databasePool: 20, trustedProxies: 0, descriptors: 1024 })
    assert.deepStrictEqual(limits, { total: 748, perAddress: 93 })
    assert.isUndefined(connectionLimits({ databasePool: 20, trustedProxies: 1 }).perAddress)
    assert.isAtMost(connectionLimits({ databasePool: 20, trustedProxies: 0, descriptors: 1e6 }).total, 20_000)
    assert.isAbove(connectionLimits({ databasePool: 10, trustedProxies: 0 }).total, 0)
  })

  it.effect("one address has at most its share, and gets a place back when one of its connections ends", () =>
    Effect.gen(function* () {
      const port = yield* portOf({ connections: { total: 10, perAddress: 2 } })
      const first = yield* opened(port, partial)
      yield* opened(port, partial)
      const third = yield* opened(port, "GET /")
      assert.strictEqual(yield* Effect.promise(() => third.closed), "")
      const refused = yield* opened(port, "GET /")
      assert.strictEqual(yield* Effect.promise(() => refused.closed), "")
      first.socket.write("not a header\r\n\r\n")
      assert.match(yield* Effect.promise(() => first.closed), /^HTTP\/1\.1 400 /u)
      first.socket.destroy()
    }).pipe(Effect.scoped)
  )

  it("of one IPv6 subscriber share a limit: all addresses of a /64 network, or an IPv4 address in either notation", () => {
    const isRefused = (server: Server, remoteAddress: string) => {
      const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: remoteAddress })
      server.emit("connection", socket)
      return socket.destroyed
    }
    for (const [first, second, other] of [
      ["2001:db8:0:7::1", "2001:db8:0:7:ffff::2", "2001:db8:0:8::1"],
      ["192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"]
    ] as const) {
      const server = limitConnections(new Server(), { total: 10, perAddress: 1 })
      assert.isFalse(isRefused(server, first), first)
      assert.isTrue(isRefused(server, second), second)
      assert.isFalse(isRefused(server, other), other)
    }
  })

  it.effect("all addresses together have at most the total", () =>
    Effect.gen(function* () {
      const port = yield* portOf({ connections: { total: 1, perAddress: undefined } })
      yield* opened(port, partial)
      const second = yield* opened(port, "GET /")
      assert.strictEqual(yield* Effect.promise(() => second.closed), "")
    }).pipe(Effect.scoped)
  )

  it.live("the socket of a refused client that keeps its side open is destroyed", () =>
    Effect.gen(function* () {
      const port = yield* portOf({ connections: { total: 1, perAddress: undefined } })
      const { closed, socket } = yield* opened(port, "no request\r\n\r\n")
      assert.match(yield* Effect.promise(() => closed), /^HTTP\/1\.1 400 /u)
      assert.isTrue(socket.writable)
      // The only place is free again once the server has destroyed the socket.
      const again = Effect.flatMap(opened(port, "no request\r\n\r\n"), (next) =>
        Effect.promise(() => next.closed)
      )
      const answer = yield* Effect.repeat(Effect.delay(again, "50 millis"), {
        until: (text) => text !== "",
        times: 400
      })
      assert.match(answer, /^HTTP\/1\.1 400 /u)
    }).pipe(Effect.scoped)
  )
})
