/** The final response of a request: with all headers, logged once, and counted for metrics. */
import { Clock, Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { RequestState } from "@livery/contract"
import { enveloped } from "../responses/FailedRequest.ts"
import { empty } from "./FailureReplies.ts"
import { headerOf } from "../request/IncomingRequest.ts"
import { JsonReply, type Reply } from "../responses/Reply.ts"
import { compressed, encodingOf, isUnchanged } from "../responses/Representation.ts"
import { entryOf, logByEffect, RequestLog } from "../observation/RequestLog.ts"
import type { RequestMetrics } from "../observation/RequestMetrics.ts"
import { endRequestSpan } from "../observation/RequestSpan.ts"
import { completed, compressedResponse, jsonResponse } from "../responses/ResponseHeaders.ts"

const isRead = ({ method }: RequestState) => method === "GET" || method === "HEAD"

/** The 304 for a client that already has the record: its tag, and its `Cache-Control`. */
const notModified = (reply: Reply, etag = "") => {
  const caching = reply instanceof JsonReply ? undefined : reply.headers["cache-control"]
  return empty(304, { ETag: etag, ...(caching === undefined ? {} : { "Cache-Control": caching }) })
}

/** Makes the function that turns a reply into the final response. */
export const makeFinalResponse = Effect.fnUntraced(function* (metrics: RequestMetrics | undefined) {
  const log = yield* RequestLog
  const clock = yield* Clock.clockWith(Effect.succeed)

  /** Logs and counts a response that is about to be sent. */
  const logAndCount = (response: HttpServerResponse.HttpServerResponse, state: RequestState) => {
    const at = clock.currentTimeMillisUnsafe()
    const { status } = response
    metrics?.record(state, status, at - state.startedAt)
    if (state.span !== undefined) endRequestSpan(state.span, state, status, at)
    const entry = entryOf(state, status, at)
    if (log !== undefined) {
      log(entry)
      return Effect.succeed(response)
    }
    return Effect.as(logByEffect(entry), response)
  }

  /** The final response of a reply: 304 if the client has the record already, compressed if the client accepts that. */
  const responseTo = (
    reply: Reply,
    state: RequestState,
    request: HttpServerRequest.HttpServerRequest
  ): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
    const etag = reply instanceof JsonReply ? reply.etag : reply.headers["etag"]
    if (reply.status === 200 && isRead(state) && isUnchanged(headerOf(request, "if-none-match"), etag))
      return logAndCount(completed(notModified(reply, etag), state), state)
    if (reply instanceof JsonReply) {
      const encoding = encodingOf(headerOf(request, "accept-encoding"), reply.text.length)
      if (encoding === undefined)
        return logAndCount(jsonResponse(reply.status, reply.text, state, reply.etag), state)
      return Effect.flatMap(compressed(reply.text, encoding), (bytes) =>
        logAndCount(compressedResponse(reply.status, bytes, encoding, state, reply.etag), state)
      )
    }
    return logAndCount(completed(enveloped(reply, state), state), state)
  }

  return responseTo
})
