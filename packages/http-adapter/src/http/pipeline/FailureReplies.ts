/** The replies to requests that failed or reached no route. */
import { Cause, Effect } from "effect"
import { HttpServerError, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { faultOf } from "@livery/domain"
import { addressOf, TrustedProxies } from "../request/ClientAddress.ts"
import type { RequestState } from "@livery/contract"
import {
  faultResponse,
  perhapsCarriedOut,
  refusalOf,
  reportOf,
  stoppedResponse
} from "../responses/FailedRequest.ts"
import { count, RateLimits } from "../access/RateLimits.ts"
import { makeMovedReplies } from "../responses/MovedReplies.ts"
import { JsonReply, type Reply } from "../responses/Reply.ts"
import { loggedPath } from "../observation/RequestLog.ts"

/** A response without a body. The final response has the envelope as its body. */
export const empty = (status: number, headers: Record<string, string> = {}) =>
  HttpServerResponse.empty({ status, headers })

/** The page of an unknown path, for a browser; undefined for other clients. */
export type NotFoundPage = (
  request: HttpServerRequest.HttpServerRequest
) => HttpServerResponse.HttpServerResponse | undefined

/** Makes the functions that reply to failed requests and count them. */
export const makeFailureReplies = Effect.fnUntraced(function* (notFoundPage?: NotFoundPage) {
  const limits = yield* RateLimits
  const trusted = yield* TrustedProxies
  const elsewhere = yield* makeMovedReplies

  /**
   * Counts a request against its address if it was not counted before: a fault, or a request that reached no route.
   */
  const countByAddress = (request: HttpServerRequest.HttpServerRequest, state: RequestState) =>
    state.rateLimit !== undefined || state.method === "OPTIONS" || !state.traits.counted
      ? Effect.void
      : Effect.asVoid(count(limits, state, "public", addressOf(request, trusted)))

  /** The response to an unknown path or a wrong method; 429 if the address exceeds its rate limit. */
  const unknownRouteReply = (
    request: HttpServerRequest.HttpServerRequest,
    state: RequestState,
    allow?: string
  ) =>
    Effect.mapEager(countByAddress(request, state), () => {
      if (state.rateLimit?.allowed === false) return empty(429)
      if (allow !== undefined) return empty(405, { Allow: allow })
      return notFoundPage?.(request) ?? empty(404)
    })

  const failureReply = (
    cause: Cause.Cause<unknown>,
    request: HttpServerRequest.HttpServerRequest,
    state: RequestState
  ): Effect.Effect<Reply> => {
    const refusal = refusalOf(cause)
    if (refusal !== undefined) {
      const body = refusal.form.body(refusal.error, state)
      return elsewhere(
        refusal.error,
        request,
        state,
        () => new JsonReply(refusal.form.status, JSON.stringify(body))
      )
    }
    const fault = faultOf(cause)
    const known = fault === undefined ? perhapsCarriedOut(cause, state) : faultResponse(fault, state)
    const response =
      known === undefined
        ? Effect.map(HttpServerError.causeResponse(cause), ([response]) =>
            // A client that has disconnected is also an interruption, with another status.
            response.status === 503 && Cause.hasInterruptsOnly(cause) ? stoppedResponse(state) : response
          )
        : Effect.succeed(known)
    return Effect.flatMap(response, (response) => {
      const reported =
        response.status < 500 || Cause.hasInterruptsOnly(cause)
          ? Effect.void
          : reportOf(cause, fault, { method: state.method, path: loggedPath(state) })
      return Effect.as(Effect.andThen(reported, countByAddress(request, state)), response)
    })
  }

  return { countByAddress, failureReply, unknownRouteReply }
})
