/** The first step of a request: what its line says, before anything is done for it. */
import type { HttpServerRequest } from "effect/http"
import type { StartSpan } from "@livery/domain"
import { startRequestSpan } from "../observation/RequestSpan.ts"
import { requestState, type RequestState } from "@livery/contract"
import { pathOf } from "../request/IncomingRequest.ts"
import { type Query, queryOf } from "../request/Query.ts"
import { newRequestId } from "../request/RequestIds.ts"
import { decodedValues, type Route, type Routes, traitsOfUnknown } from "./Routes.ts"

/** A request with its state, and the route that it asks for. */
export interface ResolvedRequest {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly state: RequestState
  /** `undefined` for an unknown path, a wrong method, or a parameter that no record can have. */
  readonly route: Route | undefined
  /** The methods of the path, for an `Allow` header; `undefined` if no method would help. */
  readonly allow: string | undefined
  /** The decoded values of the path's parameters, in order. */
  readonly values: ReadonlyArray<string>
  readonly query: Query
}

/** Resolves the route of a request, gives it an id, and starts its span if it is traced. */
export const resolvedRequest = (
  routes: Routes,
  startSpan: StartSpan | undefined,
  request: HttpServerRequest.HttpServerRequest,
  startedAt: number
): ResolvedRequest => {
  const path = pathOf(request.url)
  const { method } = request
  const match = routes.resolve(path)
  const known = match?.path
  const route = known?.routes.get(method) ?? (method === "HEAD" ? known?.routes.get("GET") : undefined)
  const values = match === undefined ? [] : decodedValues(match.values)
  const traits = route?.traits ?? known?.traits ?? traitsOfUnknown(path)
  const state = requestState(newRequestId(), method, path, known?.pattern, traits, startedAt)
  if (startSpan !== undefined) state.span = startRequestSpan(startSpan, state, request)
  return {
    request,
    state,
    route: values === undefined ? undefined : route,
    allow: route === undefined ? known?.allow : undefined,
    values: values ?? [],
    query: queryOf(request.url)
  }
}
