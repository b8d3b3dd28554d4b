/** What becomes of a request that failed: its response, and what is logged of it. */
import { type Cause, Effect } from "effect"
import { HttpServerError, HttpServerResponse } from "effect/http"
import type { Fault } from "@livery/domain"
import type { RequestState } from "./CurrentRequest.ts"
import { bareStatus, faultStatus, formOfError } from "./ErrorMap.ts"
import { Undecodable } from "./Reply.ts"

/** What Effect answers for a client that went away. It reaches no one, and is logged as such. */
const clientGone = 499

/** The envelope of a failure that nothing described. */
export const bareFailure = (status: number, request_id: string) => {
  const { message, status: shown, type } = bareStatus(status)
  return { status: shown, body: { error: { type, message }, meta: { request_id } } }
}

const isJson = ({ headers }: HttpServerResponse.HttpServerResponse) =>
  (headers["content-type"] ?? "").includes("json")

/** A failure without a body, in the envelope, with the headers that it has. */
const inEnvelope = (response: HttpServerResponse.HttpServerResponse, request: RequestState) => {
  const { "content-length": _length, "content-type": _type, ...headers } = response.headers
  const { body, status } = bareFailure(response.status, request.id)
  return HttpServerResponse.jsonUnsafe(body, { status, headers })
}

/** The response of a handler, or that of Effect for a request that failed on its way, in the envelope. */
export const described = (response: HttpServerResponse.HttpServerResponse, request: RequestState) =>
  response.status >= 400 && response.status !== clientGone && !isJson(response)
    ? inEnvelope(response, request)
    : response

/** A fault that tells the client what to do, and when to come back. */
export const faultResponse = ({ message, retryAfterSeconds }: Fault, request: RequestState) => {
  const { status, type } = faultStatus
  request.retryAfterSeconds = retryAfterSeconds
  return HttpServerResponse.jsonUnsafe(
    { error: { type, message }, meta: { request_id: request.id } },
    { status }
  )
}

/** The domain's refusal that a request failed with. */
export const refusalOf = ({ reasons: [reason, ...others] }: Cause.Cause<unknown>) => {
  if (others.length > 0 || reason?._tag !== "Fail") return undefined
  const error = reason.error instanceof Undecodable ? reason.error.refusal : reason.error
  const form = formOfError(error)
  return form && { form, error }
}

/** What is unavailable is logged by itself, and an unknown outcome needs no trace: neither is a mistake of the program. */
export const reportOf = (cause: Cause.Cause<unknown>, fault: Fault | undefined, request: object) => {
  if (fault === undefined) return Effect.logError("request failed", cause, request)
  return fault._tag === "Unavailable"
    ? Effect.logDebug("request failed", cause, request)
    : Effect.logWarning(fault.message, request)
}

export const isUnknownRoute = (cause: Cause.Cause<unknown>) =>
  cause.reasons.some(
    (reason) =>
      reason._tag === "Fail" &&
      HttpServerError.isHttpServerError(reason.error) &&
      reason.error.reason._tag === "RouteNotFound"
  )
