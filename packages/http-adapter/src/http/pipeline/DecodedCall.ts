/** Decodes a request and calls its handler, as `HttpApiBuilder` does: parameters, headers, query and body, in this order. */
import { Effect, Exit } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { isWithinBounds, structureRefusal } from "../decoding/BodyStructure.ts"
import { notUtf8 } from "../decoding/BodyText.ts"
import { refusedBody, refusedFields, refusedParams, unreadableBody } from "../decoding/RequestDecodingLive.ts"
import { bodyTextOf } from "../decoding/SmallBody.ts"
import { headerOf, headersOf } from "../request/IncomingRequest.ts"
import type { Query } from "../request/Query.ts"
import { refused, Undecodable } from "../responses/Reply.ts"
import type { EndpointPlan, HandlerInput } from "./EndpointPlan.ts"

/** A request to a route, with the parameters of its path and its query. */
export interface RouteRequest {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly pathParams: Readonly<Record<string, string>>
  readonly queryParams: Query
}

const isJsonType = (contentType: string | undefined) =>
  contentType === undefined || /^\s*application\/json\s*(?:;|$)/iu.test(contentType)

/** The decoded text of a body; `undefined` for text that is not JSON. */
const decodedBody = ({ decode, nullOnEmpty }: NonNullable<EndpointPlan["payload"]>, text: string) => {
  if (text === "") return decode(nullOnEmpty ? null : undefined)
  try {
    return decode(JSON.parse(text))
  } catch {
    return undefined
  }
}

const decodeBodyAndCall = <A>(
  plan: EndpointPlan,
  payload: NonNullable<EndpointPlan["payload"]>,
  request: HttpServerRequest.HttpServerRequest,
  input: HandlerInput,
  resultOf: (value: unknown) => A
): Effect.Effect<A, unknown> => {
  if (!isJsonType(headerOf(request, "content-type")))
    return Effect.succeed(resultOf(HttpServerResponse.empty({ status: 415 })))
  return Effect.flatMapEager(bodyTextOf(request), (text) => {
    if (text === undefined) return Effect.fail(new Undecodable(notUtf8()))
    if (!isWithinBounds(text)) return Effect.fail(new Undecodable(structureRefusal()))
    const decoded = decodedBody(payload, text)
    if (decoded === undefined) return Effect.fail(new Undecodable(unreadableBody()))
    return Exit.isSuccess(decoded)
      ? Effect.mapEager(plan.handler({ ...input, payload: decoded.value }), resultOf)
      : refused(decoded, (error) => refusedBody(error, text))
  })
}

/** Decodes a request, calls the handler, and makes the result of its value. Fails with {@link Undecodable} for a wrong request. */
export const decodeAndCall = <A>(
  plan: EndpointPlan,
  { pathParams, queryParams, request }: RouteRequest,
  resultOf: (value: unknown) => A
): Effect.Effect<A, unknown> => {
  const { endpoint, group } = plan.route
  const params = plan.params?.(pathParams)
  if (params !== undefined && Exit.isFailure(params)) return refused(params, refusedParams)
  const headers = plan.headers?.(headersOf(request))
  if (headers !== undefined && Exit.isFailure(headers)) return refused(headers, refusedFields)
  const query = plan.query?.(queryParams)
  if (query !== undefined && Exit.isFailure(query)) return refused(query, refusedFields)
  const input = {
    // A list that callers share may not depend on one of their requests.
    request: plan.isListOfBusiness ? undefined : request,
    endpoint,
    group,
    params: params?.value,
    headers: headers?.value,
    query: query?.value
  }
  return plan.payload === undefined
    ? Effect.mapEager(plan.handler(input), resultOf)
    : decodeBodyAndCall(plan, plan.payload, request, input, resultOf)
}
