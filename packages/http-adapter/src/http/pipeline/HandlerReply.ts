/** Encodes the value of a handler. */
import { Exit, Predicate } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import type { RequestState } from "@livery/contract"
import type { EndpointPlan, SuccessPlan } from "./EndpointPlan.ts"
import { textOf } from "../responses/Etag.ts"
import { JsonReply, type Reply, UnfitResponse } from "../responses/Reply.ts"

const isWithHeaders = (
  value: unknown
): value is { readonly body: unknown; readonly headers: { readonly etag?: string } } =>
  Predicate.hasProperty(value, HttpApiSchema.WithHeadersValueTypeId)

/** The JSON of data. If data already equals its encoded form, `text`, where given, is used as its JSON. */
const jsonOf = ({ encode, isCanonical }: SuccessPlan, data: unknown, text?: string): string => {
  if (isCanonical(data)) return text ?? JSON.stringify(data)
  const encoded = encode(data)
  if (Exit.isFailure(encoded)) throw new UnfitResponse()
  return JSON.stringify(encoded.value)
}

/** The JSON text of a handler's value in its envelope. A record whose `ETag` was computed is not serialised again. */
const jsonReply = (success: SuccessPlan, value: unknown, { id }: RequestState): JsonReply => {
  const isTagged = isWithHeaders(value)
  const body = isTagged ? value.body : value
  const data = jsonOf(success, success.form.data(body), isTagged ? textOf(value) : undefined)
  const meta = success.form.meta(body)
  const more = meta === undefined ? "" : `,${JSON.stringify(meta).slice(1, -1)}`
  return new JsonReply(
    success.status,
    `{"data":${data},"meta":{"request_id":"${id}"${more}}}`,
    isTagged ? value.headers.etag : undefined
  )
}

/** The reply with a handler's value: the response that it made, or its JSON. */
export const replyWith = ({ success }: EndpointPlan, value: unknown, state: RequestState): Reply => {
  if (HttpServerResponse.isHttpServerResponse(value)) return value
  if (success === undefined) throw new UnfitResponse()
  return jsonReply(success, value, state)
}
