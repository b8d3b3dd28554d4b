import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { connect } from "node:net"
import { bodyTextOf } from "../../src/http/decoding/SmallBody.ts"
import { layer } from "../../src/http/server/NodeServer.ts"

const echo = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  return HttpServerResponse.text(`${request.url} ${yield* bodyTextOf(request)}`)
})

/** Sends requests by one connection, each after the response to the one before. Returns the bodies of the responses. */
const bodiesOf = (port: number, requests: ReadonlyArray<string>) =>
  Effect.callback<ReadonlyArray<string>>((resume) => {
    const bodies: Array<string> = []
    const end = () => resume(Effect.succeed(bodies))
    const socket = connect({ host: "127.0.0.1", port })
      .setEncoding("utf8")
      .setTimeout(5000, end)
      .on("error", end)
      .on("close", end)
      .on("data", (text: string) => {
        bodies.push(text.slice(text.indexOf("\r\n\r\n") + 4))
        const next = requests[bodies.length]
        if (next === undefined) end()
        else socket.write(next)
      })
    socket.write(requests[0] ?? "")
    return Effect.sync(() => socket.destroy())
  })

it.live.each([
  ["h2c", "Content-Length: 4\r\n\r\n{}{}"],
  ["websocket", "Content-Length: 4\r\n\r\n{}{}"],
  ["h2c", "Transfer-Encoding: chunked\r\n\r\n4\r\n{}{}\r\n0\r\n\r\n"],
  ["websocket", "Transfer-Encoding: chunked\r\n\r\n4\r\n{}{}\r\n0\r\n\r\n"]
] as const)(
  "an offer to upgrade to %s is ignored: body and connection are used as usual",
  ([protocol, body]) =>
    Effect.gen(function* () {
      const Served = HttpServer.serve(echo).pipe(Layer.provideMerge(layer({ host: "127.0.0.1", port: 0 })))
      const { address } = Context.get(yield* Layer.build(Served), HttpServer.HttpServer)
      const offer = `Host: localhost\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n`
      const bodies = yield* bodiesOf("port" in address ? address.port : 0, [
        `POST /first HTTP/1.1\r\n${offer}${body}`,
        `GET /second HTTP/1.1\r\n${offer}\r\n`
      ])
      assert.deepStrictEqual(bodies, ["/first {}{}", "/second "])
    })
)
