/** The Node server under the API, with the bounds that keep slow and broken clients from holding it. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Duration, Effect, Layer } from "effect"
import { createServer, type IncomingMessage, type Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { type ConnectionLimits, limitConnections } from "./ConnectionLimits.ts"
import { bareFailure } from "./FailedRequest.ts"
import { newRequestId } from "./RequestIds.ts"
import { Stopping, type StopState } from "./Stopping.ts"

/** Where to listen, and how. Port 0 takes a free one. */
export interface NodeServerOptions {
  readonly host: string
  readonly port: number
  /** None by default. */
  readonly connections?: ConnectionLimits
}

/** A refused client that does not close its connection loses it after this time, in milliseconds. */
const lingering = 1000

/** Sends a last response, and destroys the socket of a client that keeps its side open all the same. */
const endWith = (socket: Duplex, text: string) => {
  const timer = setTimeout(() => socket.destroy(), lingering)
  socket.once("close", () => clearTimeout(timer))
  // What was not read would keep the socket from closing.
  socket.resume()
  socket.end(text)
}

const refuse = (socket: Duplex) => {
  const request_id = newRequestId()
  const { body, status } = bareFailure(400, request_id)
  const text = JSON.stringify(body)
  return endWith(
    socket,
    [
      `HTTP/1.1 ${status} Bad Request`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(text)}`,
      `X-Request-Id: ${request_id}`,
      "X-Content-Type-Options: nosniff",
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

/** A response that closes its connection if the process is about to stop when its headers are sent. */
const responseClass = (state: StopState) =>
  class<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    override writeHead(...args: ReadonlyArray<unknown>) {
      if (state.isStopping) this.shouldKeepAlive = false
      return super.writeHead(...(args as Parameters<ServerResponse["writeHead"]>))
    }
  }

const makeServer = (state: StopState, connections: ConnectionLimits | undefined) => {
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    // Refused with an envelope instead, where the other refusals are.
    requireHostHeader: false,
    ServerResponse: responseClass(state)
  })
  return answerBrokenRequests(connections === undefined ? server : limitConnections(server, connections))
}

/** Requests in flight when the server stops listening may take this long; then their connections are destroyed. */
export const finishingTime = Duration.seconds(3.5)

/**
 * Listens while its scope lives. Then it refuses new connections, lets requests in flight finish for
 * {@link finishingTime}, and destroys what is left.
 */
export const layer = (options: NodeServerOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const server = makeServer(yield* Stopping, options.connections)
      const destroyRest = Effect.sync(() => server.closeAllConnections())
      const { host, port } = options
      // It runs after the router has waited for the requests in flight.
      return Layer.effectDiscard(Effect.addFinalizer(() => destroyRest)).pipe(
        Layer.provideMerge(
          NodeHttpServer.layer(() => server, { host, port, gracefulShutdownTimeout: finishingTime })
        )
      )
    })
  )
