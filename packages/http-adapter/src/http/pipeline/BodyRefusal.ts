/** Bodies that no route reads. They are refused by their headers, before any of their bytes is asked for or read. */
import type { HttpServerRequest } from "effect/http"
import { maximumBody } from "../decoding/BodyMemory.ts"
import { maximumForm } from "../decoding/Forms.ts"
import { hasEncodedBody, headerOf } from "../request/IncomingRequest.ts"
import type { EndpointPlan } from "./EndpointPlan.ts"

/** Whether a content type is JSON in UTF-8, which is the only encoding of JSON (RFC 8259, 8.1). */
const isJsonType = (contentType = "application/json"): boolean => {
  if (contentType === "application/json") return true
  const [type, ...parameters] = contentType
    .toLowerCase()
    .split(";")
    .map((part) => part.trim())
  const charsets = parameters.filter((parameter) => /^charset\s*[*=]/u.test(parameter))
  return (
    type === "application/json" && charsets.every((charset) => /^charset\s*=\s*"?utf-?8"?$/u.test(charset))
  )
}

/** Whether the announced length of a body is more than `longest` bytes. */
export const isTooLong = (
  request: HttpServerRequest.HttpServerRequest,
  longest = Number(maximumBody)
): boolean => Number(headerOf(request, "content-length") ?? 0) > longest

/** The status of the refusal: 415 for another content type or encoding, 413 for a body that is too long. */
export const bodyRefusal = (
  request: HttpServerRequest.HttpServerRequest,
  { payload, takes }: Pick<EndpointPlan, "payload" | "takes">
): 413 | 415 | undefined => {
  if (hasEncodedBody(request)) return 415
  // A route that takes nothing still reads the body for its `Idempotency-Key`.
  if (payload !== undefined && !isJsonType(headerOf(request, "content-type"))) return 415
  return isTooLong(request, takes === "form" ? maximumForm : undefined) ? 413 : undefined
}
