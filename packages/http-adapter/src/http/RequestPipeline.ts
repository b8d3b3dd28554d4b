/**
 * The steps around every request: resolves its route, answers requests that need no handler (OPTIONS, unknown paths,
 * wrong methods, missing hosts), puts failures without a body into the envelope, completes the response's headers,
 * counts the response for metrics, and logs it once.
 *
 * It is a single middleware around Effect's router with one object per request, because each further layer would copy
 * the headers or the context of every request.
 */
import { Cause, Clock, Context, Effect, Exit, Layer, References } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { addressOf, TrustedProxies } from "./ClientAddress.ts"
import { makeBodyMemory } from "./BodyMemory.ts"
import { CurrentRequest, requestState, type RequestState } from "./CurrentRequest.ts"
import { faultOf, tracedContext, Tracing } from "@livery/domain"
import { described, faultResponse, isUnknownRoute, refusalOf, reportOf } from "./FailedRequest.ts"
import type { FastPath } from "./FastPath.ts"
import { lacksHost, pathOf } from "./IncomingRequest.ts"
import { count, RateLimits } from "./RateLimits.ts"
import { JsonReply, type Reply } from "./Reply.ts"
import { newRequestId } from "./RequestIds.ts"
import { entryOf, loggedPath, RequestLog } from "./RequestLog.ts"
import type { RequestMetrics } from "./RequestMetrics.ts"
import { endRequestSpan, logAnnotationsOf, startRequestSpan } from "./RequestSpan.ts"
import { completed, compressedResponse, jsonResponse, preflight } from "./ResponseHeaders.ts"
import { compressed, encodingOf, isUnchanged } from "./Representation.ts"
import { type Route, type Routes, traitsOfUnknown } from "./Routes.ts"
import { makeYield } from "./Yielding.ts"

/** Runs a function that makes an effect; an exception becomes a defect. */
const orDie = <A, E>(make: () => Effect.Effect<A, E>): Effect.Effect<A, E> => {
  try {
    return make()
  } catch (defect) {
    return Effect.die(defect)
  }
}

const empty = (status: number, headers: Record<string, string> = {}) =>
  HttpServerResponse.empty({ status, headers })

const isRead = ({ method }: RequestState) => method === "GET" || method === "HEAD"

/** The 304 for a client that already has the record: its tag, and its `Cache-Control`. */
const notModified = (reply: Reply, etag = "") => {
  const caching = reply instanceof JsonReply ? undefined : reply.headers["cache-control"]
  return empty(304, { ETag: etag, ...(caching === undefined ? {} : { "Cache-Control": caching }) })
}

/** The pipeline around Effect's router. The fast path is tried first for each request that has a route. */
export const layer = (options: {
  readonly routes: Routes
  readonly metrics?: RequestMetrics | undefined
  readonly fastPath?: FastPath | undefined
}) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const limits = yield* RateLimits
      const trusted = yield* TrustedProxies
      const log = yield* RequestLog
      const clock = yield* Clock.clockWith(Effect.succeed)
      const yielded = yield* makeYield
      const withinMemory = yield* makeBodyMemory
      const tracing = yield* Tracing
      const { fastPath, metrics, routes } = options

      /** Logs and counts a response that is about to be sent. */
      const ended = (response: HttpServerResponse.HttpServerResponse, state: RequestState) => {
        const at = clock.currentTimeMillisUnsafe()
        const { status } = response
        metrics?.record(state, status, at - state.startedAt)
        if (state.span !== undefined) endRequestSpan(state.span, state, status, at)
        const entry = entryOf(state, status, at)
        if (log !== undefined) {
          log(entry)
          return Effect.succeed(response)
        }
        const { businessId, durationMillis, level, method, path, traceId, userId } = entry
        return Effect.as(
          (level === "debug" ? Effect.logDebug : Effect.logInfo)("request", {
            method,
            path,
            status,
            duration_ms: durationMillis,
            ...(userId === undefined ? {} : { user_id: userId }),
            ...(businessId === undefined ? {} : { business_id: businessId }),
            ...(traceId === undefined ? {} : { trace_id: traceId })
          }),
          response
        )
      }

      const finish = (
        reply: Reply,
        state: RequestState,
        { headers }: HttpServerRequest.HttpServerRequest
      ): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
        const etag = reply instanceof JsonReply ? reply.etag : reply.headers["etag"]
        if (reply.status === 200 && isRead(state) && isUnchanged(headers["if-none-match"], etag))
          return ended(completed(notModified(reply, etag), state), state)
        if (reply instanceof JsonReply) {
          const encoding = encodingOf(headers["accept-encoding"], reply.text.length)
          if (encoding === undefined)
            return ended(jsonResponse(reply.status, reply.text, state, reply.etag), state)
          return Effect.flatMap(compressed(reply.text, encoding), (bytes) =>
            ended(compressedResponse(reply.status, bytes, encoding, state, reply.etag), state)
          )
        }
        return ended(completed(described(reply, state), state), state)
      }

      /**
       * Counts a request against its address if it was not counted before: a fault, or a request that reached no route.
       */
      const counted = (request: HttpServerRequest.HttpServerRequest, state: RequestState) =>
        state.rateLimit !== undefined || state.method === "OPTIONS" || !state.traits.counted
          ? Effect.void
          : Effect.asVoid(count(limits, state, "public", addressOf(request, trusted)))

      /** The response to an unknown path or a wrong method; 429 if the address exceeds its rate limit. */
      const unknown = (request: HttpServerRequest.HttpServerRequest, state: RequestState, allow?: string) =>
        Effect.mapEager(counted(request, state), () => {
          if (state.rateLimit?.allowed === false) return empty(429)
          return allow === undefined ? empty(404) : empty(405, { Allow: allow })
        })

      const failed = (
        cause: Cause.Cause<unknown>,
        request: HttpServerRequest.HttpServerRequest,
        state: RequestState
      ): Effect.Effect<Reply> => {
        const refusal = refusalOf(cause)
        if (refusal !== undefined) {
          const body = refusal.form.body(refusal.error, state)
          return Effect.succeed(new JsonReply(refusal.form.status, JSON.stringify(body)))
        }
        // Effect's router found a route but could not decode the path, so no record has it.
        if (isUnknownRoute(cause)) return unknown(request, state)
        const fault = faultOf(cause)
        const response =
          fault === undefined
            ? Effect.map(HttpServerError.causeResponse(cause), ([response]) => response)
            : Effect.sync(() => faultResponse(fault, state))
        return Effect.flatMap(response, (response) => {
          const reported =
            response.status < 500 || Cause.hasInterruptsOnly(cause)
              ? Effect.void
              : reportOf(cause, fault, { method: state.method, path: loggedPath(state) })
          return Effect.as(Effect.andThen(reported, counted(request, state)), response)
        })
      }

      return HttpRouter.middleware(
        (app): Effect.Effect<HttpServerResponse.HttpServerResponse, Effect.Error<typeof app>> =>
          Effect.withFiber((fiber) => {
            const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
            const path = pathOf(request.url)
            const { method } = request
            const match = routes.resolve(path)
            const known = match?.path
            const route =
              known?.routes.get(method) ?? (method === "HEAD" ? known?.routes.get("GET") : undefined)
            const state = requestState(
              newRequestId(),
              method,
              path,
              known?.pattern,
              route?.traits ?? known?.traits ?? traitsOfUnknown(path),
              clock.currentTimeMillisUnsafe()
            )
            const span = tracing === undefined ? undefined : startRequestSpan(tracing.start, state, request)
            state.span = span
            const context = fiber.context.pipe(
              Context.add(CurrentRequest, state),
              Context.add(References.CurrentLogAnnotations, logAnnotationsOf(state))
            )
            // The server restores the fiber's context at the end of the request.
            fiber.setContext(
              span === undefined || tracing === undefined
                ? context
                : tracedContext(context, tracing.tracer, span)
            )

            const routed = (route: Route, values: ReadonlyArray<string>): Effect.Effect<Reply, unknown> => {
              const reply = fastPath?.({ request, state }, route, values)
              if (reply === undefined) return withinMemory(request, app)
              return Exit.isExit(reply) ? reply : withinMemory(request, Effect.interruptible(reply))
            }

            const handled = (): Effect.Effect<Reply, unknown> => {
              if (lacksHost(request)) return Effect.as(counted(request, state), empty(400))
              if (method === "OPTIONS") return Effect.succeed(preflight)
              if (match === undefined || route === undefined) return unknown(request, state, known?.allow)
              return route.traits.yields
                ? Effect.flatMap(Effect.interruptible(yielded), () => routed(route, match.values))
                : routed(route, match.values)
            }

            return Effect.matchCauseEffectEager(orDie(handled), {
              onSuccess: (reply) => finish(reply, state, request),
              onFailure: (cause) =>
                Effect.flatMapEager(failed(cause, request, state), (reply) => finish(reply, state, request))
            })
          }),
        { global: true }
      )
    })
  )
