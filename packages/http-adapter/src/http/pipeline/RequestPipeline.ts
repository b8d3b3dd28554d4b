/**
 * The steps around every request. The pipeline resolves the route, and answers requests that need no handler: OPTIONS,
 * unknown paths, wrong methods, missing hosts. It puts failures without a body into the envelope, completes the headers of
 * the response, counts it for metrics, and logs it once.
 *
 * It is a single middleware around Effect's router with one object per request, because each further layer would copy
 * the headers or the context of every request.
 */
import { Clock, Context, Effect, Exit, Layer, References } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { tracedContext, Tracing } from "@livery/domain"
import { makeBodyMemory } from "../decoding/BodyMemory.ts"
import { acceptsForms } from "../decoding/Forms.ts"
import { CurrentRequest, requestState, type RequestState } from "../request/CurrentRequest.ts"
import { empty, makeFailureReplies } from "./FailureReplies.ts"
import type { FastPath } from "./FastPath.ts"
import { makeFinalResponse } from "./FinalResponse.ts"
import { hasEncodedBody, hasNoSingleHost, pathOf } from "../request/IncomingRequest.ts"
import type { Reply } from "../responses/Reply.ts"
import { newRequestId } from "../request/RequestIds.ts"
import type { RequestMetrics } from "../observation/RequestMetrics.ts"
import { logAnnotationsOf, startRequestSpan } from "../observation/RequestSpan.ts"
import { preflight } from "../responses/ResponseHeaders.ts"
import { type ApiRoute, type Route, type Routes, traitsOfUnknown } from "./Routes.ts"
import { makeYield } from "../access/Yielding.ts"

/** Runs a function that makes an effect; an exception becomes a defect. */
const effectOrDefect = <A, E>(make: () => Effect.Effect<A, E>): Effect.Effect<A, E> => {
  try {
    return make()
  } catch (defect) {
    return Effect.die(defect)
  }
}

/** Whether a route takes forms. */
const takesForms = (route: Route | ApiRoute): boolean => "endpoint" in route && acceptsForms(route.endpoint)

/** A request, with the route that it resolves to; `undefined` for an unknown path or a wrong method. */
interface ResolvedRequest {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly state: RequestState
  readonly route: Route | undefined
  /** The methods of the path, for an `Allow` header; `undefined` for an unknown path. */
  readonly allow: string | undefined
  /** The values of the path's parameters. */
  readonly values: ReadonlyArray<string>
}

/** Resolves the route of a request, and creates the request's state. */
const resolvedRequest = (
  routes: Routes,
  request: HttpServerRequest.HttpServerRequest,
  startedAt: number
): ResolvedRequest => {
  const path = pathOf(request.url)
  const { method } = request
  const match = routes.resolve(path)
  const known = match?.path
  const route = known?.routes.get(method) ?? (method === "HEAD" ? known?.routes.get("GET") : undefined)
  const traits = route?.traits ?? known?.traits ?? traitsOfUnknown(path)
  const state = requestState(newRequestId(), method, path, known?.pattern, traits, startedAt)
  return { request, state, route, allow: known?.allow, values: match?.values ?? [] }
}

/** The context of a request: its state, the annotations of its log lines, and the tracer if the request is traced. */
const requestContext = (
  server: Context.Context<never>,
  state: RequestState,
  tracing: typeof Tracing.Service
): Context.Context<never> => {
  const { span } = state
  const context = server.pipe(
    Context.add(CurrentRequest, state),
    Context.add(References.CurrentLogAnnotations, logAnnotationsOf(state))
  )
  return span === undefined || tracing === undefined ? context : tracedContext(context, tracing.tracer, span)
}

/** The pipeline around Effect's router. The fast path is tried first for each request that has a route. */
export const layer = (options: {
  readonly routes: Routes
  readonly metrics?: RequestMetrics | undefined
  readonly fastPath?: FastPath | undefined
}) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const clock = yield* Clock.clockWith(Effect.succeed)
      const yielding = yield* makeYield
      const withinMemory = yield* makeBodyMemory
      const tracing = yield* Tracing
      const { fastPath, metrics, routes } = options
      const { countByAddress, failureReply, unknownRouteReply } = yield* makeFailureReplies
      const responseTo = yield* makeFinalResponse(metrics)

      /** The reply of a route: by the fast path if that handles the request, otherwise by Effect's router `app`. */
      const routeReply = (
        app: Effect.Effect<Reply, unknown>,
        { request, state, values }: ResolvedRequest,
        route: Route
      ): Effect.Effect<Reply, unknown> => {
        const reply = fastPath?.({ request, state }, route, values)
        // A form is written to disk as it arrives. Its route reads no other body, whatever content type the request names.
        if (reply === undefined) return takesForms(route) ? app : withinMemory(request, app)
        return Exit.isExit(reply) ? reply : withinMemory(request, Effect.interruptible(reply))
      }

      const replyOf = (
        app: Effect.Effect<Reply, unknown>,
        resolved: ResolvedRequest
      ): Effect.Effect<Reply, unknown> => {
        const { allow, request, route, state } = resolved
        if (hasNoSingleHost(request)) return Effect.as(countByAddress(request, state), empty(400))
        if (request.method === "OPTIONS") return Effect.succeed(preflight)
        if (route === undefined) return unknownRouteReply(request, state, allow)
        if (hasEncodedBody(request)) return Effect.as(countByAddress(request, state), empty(415))
        return route.traits.yields
          ? Effect.flatMap(Effect.interruptible(yielding), () => routeReply(app, resolved, route))
          : routeReply(app, resolved, route)
      }

      return HttpRouter.middleware(
        (app): Effect.Effect<HttpServerResponse.HttpServerResponse, Effect.Error<typeof app>> =>
          Effect.withFiber((fiber) => {
            const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
            const resolved = resolvedRequest(routes, request, clock.currentTimeMillisUnsafe())
            const { state } = resolved
            if (tracing !== undefined) state.span = startRequestSpan(tracing.start, state, request)
            // The server restores the fiber's context at the end of the request.
            fiber.setContext(requestContext(fiber.context, state, tracing))
            return Effect.matchCauseEffectEager(
              effectOrDefect(() => replyOf(app, resolved)),
              {
                onSuccess: (reply) => responseTo(reply, state, request),
                onFailure: (cause) =>
                  Effect.flatMapEager(failureReply(cause, request, state), (reply) =>
                    responseTo(reply, state, request)
                  )
              }
            )
          }),
        { global: true }
      )
    })
  )
