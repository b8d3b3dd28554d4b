/** The services of a request: those of the server, and the request's own. */
import { Context, Effect, References, Scope } from "effect"
import { HttpServerRequest } from "effect/http"
import { CurrentRequestId, tracedContext, Tracing } from "@livery/domain"
import { logAnnotationsOf } from "../observation/RequestSpan.ts"
import { CurrentRequest } from "@livery/contract"
import type { ResolvedRequest } from "./ResolvedRequest.ts"

/** The number of services that one request adds to the context before Effect copies all of it. */
const contextDepth = 64

/**
 * Makes the function that makes the context of a request: its state, its scope, the annotations of its log lines, and the tracer
 * if it is traced. `server` is the context in which the HTTP server runs it.
 */
export const makeRequestContext = Effect.gen(function* () {
  const services = yield* Effect.context()
  const base = Context.makeUnsafe(new Map(services.mapUnsafe), { maxDepth: contextDepth })
  const annotations = yield* References.CurrentLogAnnotations
  const tracing = yield* Tracing
  return ({ request, state }: ResolvedRequest, server: Context.Context<never>): Context.Context<never> => {
    const context = base.pipe(
      Context.add(Scope.Scope, Context.getUnsafe(server, Scope.Scope)),
      Context.add(HttpServerRequest.HttpServerRequest, request),
      Context.add(CurrentRequest, state),
      Context.add(CurrentRequestId, state.id),
      Context.add(References.CurrentLogAnnotations, { ...annotations, ...logAnnotationsOf(state) })
    )
    const { span } = state
    return span === undefined || tracing === undefined
      ? context
      : tracedContext(context, tracing.tracer, span)
  }
})
