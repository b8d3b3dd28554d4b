/**
 * The steps around every request: resolves its route, answers requests that need no handler (OPTIONS, unknown paths,
 * wrong methods, missing hosts), puts failures without a body into the envelope, completes the response's headers,
 * counts the response for metrics, and logs it once.
 *
 * It is a single middleware around Effect's router with one object per request, because each further layer would copy
 * the headers or the context of every request.
 */
import { Clock, Context, Effect, Exit, Layer, References } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { tracedContext, Tracing } from "@livery/domain"
import { makeBodyMemory } from "../decoding/BodyMemory.ts"
import { acceptsForms } from "../decoding/Forms.ts"
import { CurrentRequest, requestState } from "../request/CurrentRequest.ts"
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

            const routeReply = (
              route: Route,
              values: ReadonlyArray<string>
            ): Effect.Effect<Reply, unknown> => {
              const reply = fastPath?.({ request, state }, route, values)
              // A form is written to disk as it arrives, and such a route reads no other body, whatever type it is said to have.
              if (reply === undefined) return takesForms(route) ? app : withinMemory(request, app)
              return Exit.isExit(reply) ? reply : withinMemory(request, Effect.interruptible(reply))
            }

            const replyOf = (): Effect.Effect<Reply, unknown> => {
              if (hasNoSingleHost(request)) return Effect.as(countByAddress(request, state), empty(400))
              if (method === "OPTIONS") return Effect.succeed(preflight)
              if (match === undefined || route === undefined)
                return unknownRouteReply(request, state, known?.allow)
              if (hasEncodedBody(request)) return Effect.as(countByAddress(request, state), empty(415))
              return route.traits.yields
                ? Effect.flatMap(Effect.interruptible(yielding), () => routeReply(route, match.values))
                : routeReply(route, match.values)
            }

            return Effect.matchCauseEffectEager(effectOrDefect(replyOf), {
              onSuccess: (reply) => responseTo(reply, state, request),
              onFailure: (cause) =>
                Effect.flatMapEager(failureReply(cause, request, state), (reply) =>
                  responseTo(reply, state, request)
                )
            })
          }),
        { global: true }
      )
    })
  )
