/** The response to a request that failed, and its log entry. */
import { type Cause, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Fault } from "@livery/domain"
import { type RequestState, bareStatus, faultStatus, formOfError } from "@livery/contract"
import { Undecodable, UnfitResponse } from "./Reply.ts"

/** Effect's status for a request whose client disconnected. It is only logged, since no client receives it. */
const clientGone = 499

/** The envelope of a failure that has a status and no error of its own. */
export const bareFailure = (status: number, request_id: string) => {
  const { message, status: shown, type } = bareStatus(status)
  return { status: shown, body: { error: { type, message }, meta: { request_id } } }
}

/** Whether a response has a body for its reader: JSON, or the page of an unknown path. */
const isReadable = ({ headers }: HttpServerResponse.HttpServerResponse) =>
  /json|^text\/html/u.test(headers["content-type"] ?? "")

/** A failure without a body, with the envelope as its body and its own headers. */
const withEnvelope = (response: HttpServerResponse.HttpServerResponse, request: RequestState) => {
  const { "content-length": _length, "content-type": _type, ...headers } = response.headers
  const { body, status } = bareFailure(response.status, request.id)
  return HttpServerResponse.jsonUnsafe(body, { status, headers })
}

/** A response of a handler, or of Effect for a request that failed before its handler, with an envelope in any case. */
export const enveloped = (response: HttpServerResponse.HttpServerResponse, request: RequestState) =>
  response.status >= 400 && response.status !== clientGone && !isReadable(response)
    ? withEnvelope(response, request)
    : response

/** The response to a fault, with the message for the client, and `Retry-After` if it says when to retry. */
export const faultResponse = (
  {
    isPlanned = false,
    message,
    retryAfterSeconds
  }: {
    readonly message: string
    readonly retryAfterSeconds: number | undefined
    readonly isPlanned?: boolean
  },
  request: RequestState
) => {
  const { type } = faultStatus
  const status = isPlanned ? 503 : faultStatus.status
  request.retryAfterSeconds = retryAfterSeconds
  return HttpServerResponse.jsonUnsafe(
    { error: { type, message }, meta: { request_id: request.id } },
    { status }
  )
}

/** Whether a request changes nothing, so that it can be sent again in any case. */
const isRead = ({ method }: RequestState) => method === "GET" || method === "HEAD"

const unknownOutcome = (why: string) =>
  `It is unknown whether the change was saved: ${why}. Read the record before sending the request again, or send it with an ` +
  "Idempotency-Key, with which it is carried out only once"

/**
 * The response to a request that may have been carried out although it failed: its handler succeeded, and then its value did
 * not fit the response. `undefined` for any other request.
 */
export const perhapsCarriedOut = ({ reasons }: Cause.Cause<unknown>, request: RequestState) =>
  !isRead(request) &&
  reasons.some((reason) => reason._tag === "Die" && reason.defect instanceof UnfitResponse)
    ? faultResponse(
        { message: unknownOutcome("the server could not write its response"), retryAfterSeconds: undefined },
        request
      )
    : undefined

/**
 * The response to a request that the stop of the server interrupted. Its change may be committed: some requests wait for
 * more after their commit, such as the provider of payments.
 */
export const stoppedResponse = (request: RequestState) => {
  const message = isRead(request)
    ? "The server stopped before the response was complete; it is safe to try again"
    : unknownOutcome("the server stopped meanwhile")
  return faultResponse({ message, retryAfterSeconds: 1 }, request)
}

/** The domain error that a request failed with, if it is the only reason. */
export const refusalOf = ({ reasons: [reason, ...others] }: Cause.Cause<unknown>) => {
  if (others.length > 0 || reason?._tag !== "Fail") return undefined
  const error = reason.error instanceof Undecodable ? reason.error.refusal : reason.error
  const form = formOfError(error)
  return form && { form, error }
}

/**
 * The log entry of a fault. An outage is logged where it occurs, and an unknown outcome needs no stack trace: neither
 * is a defect of the program.
 */
export const reportOf = (cause: Cause.Cause<unknown>, fault: Fault | undefined, request: object) => {
  if (fault === undefined) return Effect.logError("request failed", cause, request)
  return fault._tag === "Unavailable"
    ? Effect.logDebug("request failed", cause, request)
    : Effect.logWarning(fault.message, request)
}
