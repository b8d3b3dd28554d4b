/** Turns the value of a handler into a reply for the fast path, as `HttpApiBuilder` and the envelope do. */
import { Exit, Predicate } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import type { RequestState } from "../request/CurrentRequest.ts"
import type { EndpointPlan } from "./EndpointPlan.ts"
import { textOf } from "../responses/Etag.ts"
import { JsonReply, type Reply, UnfitResponse } from "../responses/Reply.ts"

const isWithHeaders = (
  value: unknown
): value is { readonly body: unknown; readonly headers: { readonly etag?: string } } =>
  Predicate.hasProperty(value, HttpApiSchema.WithHeadersValueTypeId)

/** The JSON of data. If data already equals its encoded form, `text`, where given, is used as its JSON. */
const jsonOf = ({ encode, isCanonical }: EndpointPlan["success"], data: unknown, text?: string): string => {
  if (isCanonical(data)) return text ?? JSON.stringify(data)
  const encoded = encode(data)
  if (Exit.isFailure(encoded)) throw new UnfitResponse()
  return JSON.stringify(encoded.value)
}

/** A handler's value as JSON, without the id of the request: the same for all requests that share the value. */
export interface JsonContent {
  readonly value: unknown
  readonly data: string
  /** The fields of `meta` besides the id, each after a comma. */
  readonly meta: string
  readonly etag: string | undefined
}

/** The JSON of a handler's value. A record whose `ETag` was computed is not serialised again. */
export const contentOf = ({ success }: EndpointPlan, value: unknown): JsonContent => {
  const isTagged = isWithHeaders(value)
  const body = isTagged ? value.body : value
  const meta = success.form.meta(body)
  return {
    value,
    data: jsonOf(success, success.form.data(body), isTagged ? textOf(value) : undefined),
    meta: meta === undefined ? "" : `,${JSON.stringify(meta).slice(1, -1)}`,
    etag: isTagged ? value.headers.etag : undefined
  }
}

/** The reply to a request whose handler's value has this JSON. */
export const replyOf = (
  { success }: EndpointPlan,
  { data, etag, meta }: JsonContent,
  { id }: RequestState
): JsonReply => new JsonReply(success.status, `{"data":${data},"meta":{"request_id":"${id}"${meta}}}`, etag)

/** The reply with a handler's value. */
export const replyWith = (plan: EndpointPlan, value: unknown, state: RequestState): Reply =>
  HttpServerResponse.isHttpServerResponse(value) ? value : replyOf(plan, contentOf(plan, value), state)
