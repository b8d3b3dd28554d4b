/**
 * The steps of every request, from its bytes to its response:
 *
 * 1. resolve its route and give it an id (`ResolvedRequest.ts`)
 * 2. answer at once: a wrong host, OPTIONS, an unknown path, a wrong method
 * 3. wait for a turn, on the routes that hash passwords (`Yielding.ts`)
 * 4. authenticate the caller, and count the request against its limit (`Admission.ts`)
 * 5. refuse a body that the route does not read (`BodyRefusal.ts`)
 * 6. wait for memory for a large body (`BodyMemory.ts`)
 * 7. repeat the response of an earlier request with the same `Idempotency-Key` (`IdempotentRequests.ts`)
 * 8. decode (`DecodedInput.ts`), call the handler, encode (`HandlerReply.ts`)
 * 9. look up a credential that was remembered, unless the handler has proved it (`VerifiedReply.ts`)
 * 10. turn a failure into its response (`FailureReplies.ts`)
 * 11. complete the headers, count and log the response (`FinalResponse.ts`)
 *
 * Steps that need no waiting (a cached credential, a counter in memory) are plain function calls, so that such a request goes
 * straight to its handler.
 */
import { Clock, Context, Effect, Exit, Layer, type Scope } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { Tracing } from "@livery/domain"
import { makeAdmissions } from "../access/Admission.ts"
import { makeIdempotentRequests } from "../access/IdempotentRequests.ts"
import { makeYield } from "../access/Yielding.ts"
import { makeBodyMemory } from "../decoding/BodyMemory.ts"
import type { RequestMetrics } from "../observation/RequestMetrics.ts"
import { hasNoSingleHost } from "../request/IncomingRequest.ts"
import type { Reply } from "../responses/Reply.ts"
import { preflight } from "../responses/ResponseHeaders.ts"
import { bodyRefusal } from "./BodyRefusal.ts"
import { asksForCsvList, csvList } from "./CsvList.ts"
import { decodedInput } from "./DecodedInput.ts"
import type { EndpointPlan } from "./EndpointPlan.ts"
import { empty, makeFailureReplies, type NotFoundPage } from "./FailureReplies.ts"
import { makeFinalResponse } from "./FinalResponse.ts"
import { replyWith } from "./HandlerReply.ts"
import { makeRequestContext } from "./RequestContext.ts"
import { type ResolvedRequest, resolvedRequest } from "./ResolvedRequest.ts"
import type { Route, Routes } from "./Routes.ts"
import { noteProof, verified } from "./VerifiedReply.ts"

/** The part of a request that a client may interrupt by leaving. An exception becomes a defect. */
const interruptible = <A, E, R>(make: () => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  try {
    const effect = make()
    return Exit.isExit(effect) ? effect : Effect.interruptible(effect)
  } catch (defect) {
    return Effect.die(defect)
  }
}

/** The response to the current request. */
export type Response = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

/**
 * A handler of a route that the contract does not declare. It gets the values of the path's parameters, and the application,
 * through which it can send requests of its own.
 */
export type PageHandler = (values: ReadonlyArray<string>, respond: Response) => Response

/** The HTTP application, for `HttpServer.serve`. */
export class Application extends Context.Service<Application, { readonly respond: Response }>()(
  "@livery/http-adapter/Application"
) {}

type ReplyTo<Args extends ReadonlyArray<unknown>> = (
  ...args: Args
) => Effect.Effect<Reply, unknown, HttpServerRequest.HttpServerRequest | Scope.Scope>

/** The application with these routes: those of the contract have a plan, the others a handler of their own. */
export const layer = ({
  metrics,
  notFoundPage,
  pages,
  plans,
  routes
}: {
  readonly routes: Routes
  readonly plans: ReadonlyMap<Route, EndpointPlan>
  readonly pages: ReadonlyMap<Route, PageHandler>
  readonly metrics?: RequestMetrics | undefined
  /** The response to a browser that asks for an unknown path; undefined for the envelope. */
  readonly notFoundPage?: NotFoundPage | undefined
}) =>
  Layer.effect(
    Application,
    Effect.gen(function* () {
      const clock = yield* Clock.clockWith(Effect.succeed)
      const tracing = yield* Tracing
      const contextOf = yield* makeRequestContext
      const turn = yield* makeYield
      const admitted = yield* makeAdmissions
      const withinMemory = yield* makeBodyMemory
      const once = yield* makeIdempotentRequests
      const { countByAddress, failureReply, unknownRouteReply } = yield* makeFailureReplies(notFoundPage)
      const finalResponse = yield* makeFinalResponse(metrics)

      /** Step 8. */
      const handled = (plan: EndpointPlan, resolved: ResolvedRequest): Effect.Effect<Reply, unknown> =>
        Effect.flatMapEager(decodedInput(plan, resolved), (input): Effect.Effect<Reply, unknown> => {
          const { success } = plan
          if (success !== undefined && asksForCsvList(plan, resolved.request))
            return csvList(plan, success, input)
          return Effect.mapEager(plan.handle(input), (value) => {
            noteProof(value, resolved.state)
            return replyWith(plan, value, resolved.state)
          })
        })

      /** Steps 4 to 9. */
      const contractReply: ReplyTo<[EndpointPlan, ResolvedRequest]> = (plan, resolved) =>
        Effect.flatMapEager(admitted(plan, resolved), (admission) => {
          const { request, state } = resolved
          const refusal = bodyRefusal(request, plan)
          const reply =
            refusal === undefined
              ? once(plan.route.endpoint, request, admission, () => verified(handled(plan, resolved), state))
              : verified(Effect.succeed(empty(refusal)), state)
          if (Exit.isExit(reply)) return reply
          const provided = Effect.updateContext(
            reply,
            (context: Context.Context<HttpServerRequest.HttpServerRequest | Scope.Scope>) =>
              admission.provide(context)
          )
          // A form is written to disk as it arrives.
          return plan.takes === "form" ? provided : withinMemory(request, provided)
        })

      const routeReply: ReplyTo<[Route, ResolvedRequest]> = (route, resolved) => {
        const plan = plans.get(route)
        if (plan !== undefined) return contractReply(plan, resolved)
        const page = pages.get(route)?.(resolved.values, respond)
        return page === undefined
          ? Effect.die(`${route.pattern} has no handler`)
          : withinMemory(resolved.request, page)
      }

      const reply: ReplyTo<[ResolvedRequest]> = (resolved) => {
        const { allow, request, route, state } = resolved
        if (hasNoSingleHost(request)) return Effect.as(countByAddress(request, state), empty(400))
        if (request.method === "OPTIONS")
          return Effect.succeed(state.traits.isPublic ? preflight : empty(204))
        if (route === undefined) return unknownRouteReply(request, state, allow)
        return route.traits.yields
          ? Effect.flatMap(turn, () => routeReply(route, resolved))
          : routeReply(route, resolved)
      }

      const respond: Response = Effect.withFiber((fiber) => {
        const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
        const resolved = resolvedRequest(routes, tracing?.start, request, clock.currentTimeMillisUnsafe())
        // The server restores the fiber's context at the end of the request.
        fiber.setContext(contextOf(resolved, fiber.context))
        return Effect.matchCauseEffectEager(
          interruptible(() => reply(resolved)),
          {
            onSuccess: (reply) => finalResponse(reply, resolved.state, request),
            onFailure: (cause) =>
              Effect.flatMapEager(failureReply(cause, request, resolved.state), (reply) =>
                finalResponse(reply, resolved.state, request)
              )
          }
        )
      })
      return Application.of({ respond })
    })
  )
