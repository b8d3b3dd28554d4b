/** The span of a request: its name, its attributes and its end. No attribute has the path, a header or a credential. */
import type { Tracer } from "effect"
import type { HttpServerRequest } from "effect/http"
import { endSpan, spanOfTraceParent, type StartSpan } from "@livery/domain"
import type { RequestState } from "@livery/contract"
import { headerOf } from "../request/IncomingRequest.ts"

/** Starts the span of a request of a route, below the caller's span if it sent a `traceparent`, if it is sampled. */
export const startRequestSpan = (
  start: StartSpan,
  { method, pattern, startedAt, traits }: RequestState,
  request: Pick<HttpServerRequest.HttpServerRequest, "headers" | "source">
): Tracer.Span | undefined =>
  // Probes are not traced: load balancers send them every few seconds.
  pattern === undefined || traits.logLevel === "debug"
    ? undefined
    : start({
        name: `${method} ${pattern}`,
        kind: "server",
        parent: spanOfTraceParent(headerOf(request, "traceparent")),
        startedAt
      })

/** Ends the span of a request that ended with that status at that time. Only a 5xx is a failure of the server. */
export const endRequestSpan = (span: Tracer.Span, state: RequestState, status: number, at: number): void => {
  span.attribute("http.request.method", state.method)
  span.attribute("http.route", state.pattern)
  span.attribute("http.response.status_code", status)
  span.attribute("livery.request.id", state.id)
  if (state.businessId !== undefined) span.attribute("livery.business.id", state.businessId)
  endSpan(span, at, status >= 500 ? String(status) : undefined)
}

/** The annotations of every log line of a request. */
export const logAnnotationsOf = ({ id, span }: RequestState): Readonly<Record<string, unknown>> =>
  span === undefined ? { request_id: id } : { request_id: id, trace_id: span.traceId }
