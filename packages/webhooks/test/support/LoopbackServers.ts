import { Effect } from "effect"
import { createServer as createHttpServer } from "node:http"
import type { IncomingHttpHeaders, RequestListener } from "node:http"
import { createServer as createTcpServer } from "node:net"
import type { AddressInfo, Server, Socket } from "node:net"

const listening = (server: Server, stop: () => void) =>
  Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
    }),
    () =>
      Effect.callback<void>((resume) => {
        stop()
        server.close(() => resume(Effect.void))
      })
  )

/** Starts an HTTP server on loopback, which is closed with the scope. Returns its port. */
export const webServer = (listener: RequestListener) =>
  Effect.suspend(() => {
    const server = createHttpServer(listener)
    return listening(server, () => server.closeAllConnections())
  })

/** Starts a TCP server on loopback, which is closed with the scope. Returns its port. */
export const tcpServer = (onSocket: (socket: Socket) => void) =>
  Effect.suspend(() => {
    const sockets = new Set<Socket>()
    const server = createTcpServer((socket) => {
      sockets.add(socket)
      socket.on("error", () => undefined)
      socket.on("close", () => sockets.delete(socket))
      onSocket(socket)
    })
    return listening(server, () => {
      for (const socket of sockets) socket.destroy()
    })
  })

interface Received {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A receiver that records requests and responds with a status and headers. */
export const receiver = (status: number, headers: Record<string, string> = {}) =>
  Effect.gen(function* () {
    const received: Array<Received> = []
    const port = yield* webServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        received.push({
          method: request.method,
          url: request.url,
          headers: request.headers,
          body: Buffer.concat(chunks).toString("utf8")
        })
        response.writeHead(status, headers).end("thanks")
      })
    })
    return { received, url: `http://127.0.0.1:${port}/hook?a=1` }
  })
