/** The Node server under the API, with limits against slow and broken clients. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Duration, Effect, Layer } from "effect"
import { createServer, type IncomingMessage, type Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { type ConnectionLimits, limitConnections } from "./ConnectionLimits.ts"
import { requestSeconds } from "@livery/contract"
import { bareFailure } from "../responses/FailedRequest.ts"
import { newRequestId } from "../request/RequestIds.ts"
import { Stopping, type StopState } from "./Stopping.ts"

/** Where and how to listen. Port 0 takes a free port. */
export interface NodeServerOptions {
  readonly host: string
  readonly port: number
  /** No limits by default. */
  readonly connections?: ConnectionLimits
  /** How long a request in progress may exchange no byte, in milliseconds; 5 minutes by default. */
  readonly silenceMillis?: number
}

/**
 * The default of `silenceMillis`. A client that does not read its response would otherwise keep the connection, and what the
 * response holds, for ever. No request takes longer, and streams send a byte every few seconds.
 */
const defaultSilenceMillis = 5 * 60_000

/** How long a refused client may keep its connection open, in milliseconds. */
const closeTimeoutMillis = 1000

/** Sends a last response, and destroys the socket if the client does not close it in time. */
const endWith = (socket: Duplex, text: string) => {
  const timer = setTimeout(() => socket.destroy(), closeTimeoutMillis)
  socket.once("close", () => clearTimeout(timer))
  // Unread data would keep the socket from closing.
  socket.resume()
  socket.end(text)
}

/** Refuses a request that Node could not read; 408 for one that did not arrive in time. */
const refuse = (socket: Duplex, reason: 400 | 408 = 400) => {
  const request_id = newRequestId()
  const { body, status } = bareFailure(reason, request_id)
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

/** Whether a response on this connection has begun and has not ended. Another one would be written into its body. */
const isResponding = (socket: Duplex) => {
  // The current response of a connection. Node decides by it too, if there is no listener.
  const response = "_httpMessage" in socket ? socket._httpMessage : undefined
  return response instanceof ServerResponse && response.headersSent && !response.writableEnded
}

/** Requests that Node itself refuses never reach a route. This answers them with the envelope. */
const answerBrokenRequests = (server: Server) =>
  server
    .on("clientError", (error: NodeJS.ErrnoException, socket) =>
      error.code === "ECONNRESET" || !socket.writable || isResponding(socket)
        ? socket.destroy()
        : refuse(socket, error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400)
    )
    .on("connect", (_request, socket) => refuse(socket))
    // An unknown expectation may be ignored (RFC 9110, 10.1.1); Node would refuse it without a body.
    .on("checkExpectation", (request, response) => server.emit("request", request, response))

/**
 * A response class for Node:
 *
 * - It closes its connection if the process is stopping when the headers are sent.
 * - It writes a text and its headers in one system call.
 */
const responseClass = (state: StopState) =>
  class<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    override writeHead(...args: ReadonlyArray<unknown>) {
      if (state.isStopping) this.shouldKeepAlive = false
      return super.writeHead(...(args as Parameters<ServerResponse["writeHead"]>))
    }

    override end(...args: ReadonlyArray<unknown>) {
      // Effect sets `strictContentLength`, for which Node ends each response with a second, empty write. A text needs no
      // check: its `Content-Length` was computed from it.
      if (typeof args[0] === "string") this.strictContentLength = false
      return super.end(...(args as Parameters<ServerResponse["end"]>))
    }
  }

const makeServer = (
  state: StopState,
  {
    connections,
    silenceMillis = defaultSilenceMillis
  }: Pick<NodeServerOptions, "connections" | "silenceMillis">
) => {
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: requestSeconds * 1000,
    keepAliveTimeout: 65_000,
    // The request pipeline refuses a missing host instead, with an envelope.
    requireHostHeader: false,
    // Without it, Node sends each request's empty body through a stream, which takes up to a third of a short request's time.
    optimizeEmptyRequests: true,
    // Some clients offer another protocol with every request (`Upgrade: h2c`). HTTP lets a server ignore the offer (RFC 9110, 7.8).
    // Effect would take the connection of such a request away from Node: its body would not be read and its time not limited.
    shouldUpgradeCallback: () => false,
    ServerResponse: responseClass(state)
  })
  server.timeout = silenceMillis
  return answerBrokenRequests(connections === undefined ? server : limitConnections(server, connections))
}

/** How long requests in flight may take after the server stops listening. Then their connections are destroyed. */
export const drainTime = Duration.seconds(3.5)

/**
 * Listens while its scope is open. On close, it refuses new connections, waits {@link drainTime} for requests in
 * flight, and destroys the remaining connections.
 */
export const layer = (options: NodeServerOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const server = makeServer(yield* Stopping, options)
      const destroyRest = Effect.sync(() => server.closeAllConnections())
      const { host, port } = options
      // This finalizer runs after the router has waited for the requests in flight.
      return Layer.effectDiscard(Effect.addFinalizer(() => destroyRest)).pipe(
        Layer.provideMerge(
          NodeHttpServer.layer(() => server, { host, port, gracefulShutdownTimeout: drainTime })
        )
      )
    })
  )
