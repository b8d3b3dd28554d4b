/** Decodes a request for its handler: parameters, headers, query and body, in this order. */
import { Effect, Exit } from "effect"
import type { HttpServerRequest } from "effect/http"
import { isWithinBounds, structureRefusal } from "../decoding/BodyStructure.ts"
import { notUtf8 } from "../decoding/BodyText.ts"
import { duplicateFields } from "../decoding/DuplicateFields.ts"
import {
  duplicatedFields,
  refusedBody,
  refusedFields,
  refusedParams,
  unreadableBody
} from "../decoding/Refusals.ts"
import { bodyTextOf } from "../decoding/SmallBody.ts"
import { headersOf } from "../request/IncomingRequest.ts"
import type { Query } from "../request/Query.ts"
import { refused, Undecodable } from "../responses/Reply.ts"
import type { EndpointPlan, PayloadPlan } from "./EndpointPlan.ts"
import type { HandlerInput } from "./Handlers.ts"

/** A request to a route of the contract, with the values of its path's parameters in order, and its query. */
export interface RouteRequest {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly values: ReadonlyArray<string>
  readonly query: Query
}

/** The decoded text of a body; `undefined` for text that is not JSON. */
const decodedText = ({ decode, nullOnEmpty }: PayloadPlan, text: string) => {
  if (text === "") return decode(nullOnEmpty ? null : undefined)
  try {
    return decode(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Reads and decodes the body of a request. */
const decodedBody = (
  payload: PayloadPlan,
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<unknown, unknown> =>
  Effect.flatMapEager(bodyTextOf(request), (text) => {
    if (text === undefined) return Effect.fail(new Undecodable(notUtf8()))
    if (!isWithinBounds(text)) return Effect.fail(new Undecodable(structureRefusal()))
    const decoded = decodedText(payload, text)
    if (decoded === undefined) return Effect.fail(new Undecodable(unreadableBody()))
    const duplicates = duplicateFields(text)
    if (duplicates.length > 0)
      return Exit.isSuccess(decoded)
        ? Effect.fail(new Undecodable(duplicatedFields(duplicates)))
        : refused(decoded, (error) => duplicatedFields(duplicates, error))
    return Exit.isSuccess(decoded) ? decoded : refused(decoded, (error) => refusedBody(error, text))
  })

/** The input of the handler for a request. Fails with {@link Undecodable} for a wrong request. */
export const decodedInput = (
  plan: EndpointPlan,
  { query: sentQuery, request, values }: RouteRequest
): Effect.Effect<HandlerInput, unknown> => {
  const { endpoint, group, parameters } = plan.route
  const params = plan.params?.(Object.fromEntries(parameters.map((name, at) => [name, values[at] ?? ""])))
  if (params !== undefined && Exit.isFailure(params)) return refused(params, refusedParams)
  const headers = plan.headers?.(headersOf(request))
  if (headers !== undefined && Exit.isFailure(headers)) return refused(headers, refusedFields)
  const query = plan.query?.(sentQuery)
  if (query !== undefined && Exit.isFailure(query)) return refused(query, refusedFields)
  const input = {
    request,
    endpoint,
    group,
    params: params?.value,
    headers: headers?.value,
    query: query?.value
  }
  return plan.payload === undefined
    ? Effect.succeed(input)
    : Effect.mapEager(decodedBody(plan.payload, request), (payload) => ({ ...input, payload }))
}
