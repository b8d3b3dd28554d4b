/** Bodies that no route reads. They are refused by their headers, before any of their bytes is asked for or read. */
import type { HttpServerRequest } from "effect/http"
import { maximumBody } from "../decoding/BodyMemory.ts"
import { maximumForm } from "../decoding/Forms.ts"
import { hasEncodedBody, headerOf } from "../request/IncomingRequest.ts"
import type { EndpointPlan } from "./EndpointPlan.ts"

const isJsonType = (contentType: string | undefined) =>
  contentType === undefined || /^\s*application\/json\s*(?:;|$)/iu.test(contentType)

const announcedLength = (request: HttpServerRequest.HttpServerRequest) =>
  Number(headerOf(request, "content-length") ?? 0)

/** The status of the refusal: 415 for another content type or encoding, 413 for a body that is too long. */
export const bodyRefusal = (
  request: HttpServerRequest.HttpServerRequest,
  { payload, takes }: Pick<EndpointPlan, "payload" | "takes">
): 413 | 415 | undefined => {
  if (hasEncodedBody(request)) return 415
  if (takes === "nothing") return undefined
  if (payload !== undefined && !isJsonType(headerOf(request, "content-type"))) return 415
  const longest = takes === "form" ? maximumForm : Number(maximumBody)
  return announcedLength(request) > longest ? 413 : undefined
}
