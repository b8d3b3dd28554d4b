/** The Node server under the API, with the bounds that keep slow and broken clients from holding it. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { createServer, type Server } from "node:http"
import type { Duplex } from "node:stream"
import { newRequestId } from "./RequestIds.ts"
import { bareFailure } from "./RequestPipeline.ts"

/** Where to listen. Port 0 takes a free one. */
export interface NodeServerOptions {
  readonly host: string
  readonly port: number
}

const refuse = (socket: Duplex) => {
  const request_id = newRequestId()
  const { body, status } = bareFailure(400, request_id)
  const text = JSON.stringify(body)
  return socket.end(
    [
      `HTTP/1.1 ${status} Bad Request`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(text)}`,
      `X-Request-Id: ${request_id}`,
      "Connection: close",
      "",
      text
    ].join("\r\n")
  )
}

/** What Node itself refuses never reaches a route; it gets the envelope all the same. */
const answerBrokenRequests = (server: Server) =>
  server
    .on("clientError", (error: NodeJS.ErrnoException, socket) =>
      error.code === "ECONNRESET" || !socket.writable ? socket.destroy() : refuse(socket)
    )
    .on("connect", (_request, socket) => refuse(socket))
    // An expectation that nobody knows may be ignored (RFC 9110, 10.1.1); Node would answer it without a body.
    .on("checkExpectation", (request, response) => server.emit("request", request, response))

const makeServer = () =>
  answerBrokenRequests(
    createServer({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 65_000,
      // Refused with an envelope instead, where the other refusals are.
      requireHostHeader: false
    })
  )

/** Listens while its scope lives; then refuses new connections and lets requests in flight finish for 10 seconds. */
export const layer = (options: NodeServerOptions) =>
  NodeHttpServer.layer(makeServer, { ...options, gracefulShutdownTimeout: "10 seconds" })
