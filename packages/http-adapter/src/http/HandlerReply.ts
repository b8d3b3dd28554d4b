/** Turns the value of a handler into a reply for the fast path, as `HttpApiBuilder` and the envelope do. */
import { Exit, Predicate } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import type { RequestState } from "./CurrentRequest.ts"
import type { EndpointPlan } from "./EndpointPlan.ts"
import { textOf } from "./Etag.ts"
import { JsonReply, type Reply } from "./Reply.ts"

const isWithHeaders = (
  value: unknown
): value is { readonly body: unknown; readonly headers: { readonly etag?: string } } =>
  Predicate.hasProperty(value, HttpApiSchema.WithHeadersValueTypeId)

/** The JSON of data. If data already equals its encoded form, `text`, where given, is used as its JSON. */
const jsonOf = ({ encode, isCanonical }: EndpointPlan["success"], data: unknown, text?: string): string => {
  if (isCanonical(data)) return text ?? JSON.stringify(data)
  const encoded = encode(data)
  // The message names no values, because they may be a customer's.
  if (Exit.isFailure(encoded)) throw new Error("A response does not fit its schema")
  return JSON.stringify(encoded.value)
}

/** The reply with a handler's value. A record whose `ETag` was computed is not serialised again. */
export const replyWith = ({ success }: EndpointPlan, value: unknown, { id }: RequestState): Reply => {
  if (HttpServerResponse.isHttpServerResponse(value)) return value
  const isTagged = isWithHeaders(value)
  const body = isTagged ? value.body : value
  const json = jsonOf(success, success.form.data(body), isTagged ? textOf(value) : undefined)
  const meta = success.form.meta(body)
  const rest = meta === undefined ? "}}" : `,${JSON.stringify(meta).slice(1)}}`
  const text = `{"data":${json},"meta":{"request_id":"${id}"${rest}`
  return new JsonReply(success.status, text, isTagged ? value.headers.etag : undefined)
}
