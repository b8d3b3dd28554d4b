/**
 * Completes a response: adds every common header in one pass, without copying. It builds `HttpServerResponse` and
 * `Headers` values from their prototypes, because the public constructors copy header by header;
 * `ResponseHeaders.test.ts` compares the results.
 */
import { Cookies, Headers, HttpBody, HttpServerResponse } from "effect/http"
import type { RequestState } from "@livery/contract"

/** Headers that a client on another origin may read. A response may name others of its own. */
const exposed = [
  "X-Request-Id",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "ETag",
  "Retry-After",
  "Idempotency-Replayed"
].join(",")

/** The response to OPTIONS on any path: any origin may send any request of the API, without credentials. */
export const preflight = HttpServerResponse.empty({
  status: 204,
  headers: {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PATCH, DELETE",
    "Access-Control-Allow-Headers":
      "Authorization,Content-Type,X-Business-Id,X-Audit-Reason,Idempotency-Key,If-Match,If-None-Match",
    "Access-Control-Max-Age": "86400"
  }
})

const headersPrototype: object = Object.getPrototypeOf(Headers.empty)
const responsePrototype: object = Object.getPrototypeOf(HttpServerResponse.empty())

/**
 * The `Retry-After` of a response. A 429 without a time of its own is an overload, which may be retried after a second.
 * Other responses have one only if the refusal or fault set it.
 */
const retryAfterOf = (
  status: number,
  given: string | undefined,
  { rateLimit, retryAfterSeconds }: RequestState
) => {
  if (rateLimit?.allowed === false) return String(rateLimit.retryAfterSeconds)
  if (status !== 429 && status < 500) return given
  if (retryAfterSeconds !== undefined) return String(retryAfterSeconds)
  return given ?? (status === 429 ? "1" : undefined)
}

/**
 * Adds the headers of every response: request id, CORS, caching, rate limit, `Retry-After`, and the challenge of a 401.
 */
const complete = (headers: Record<string, string>, status: number, request: RequestState) => {
  if (request.traits.isPublic) {
    const own = headers["access-control-expose-headers"]
    headers["access-control-allow-origin"] = "*"
    headers["access-control-expose-headers"] = own === undefined ? exposed : `${exposed},${own}`
  }
  headers["vary"] = "Origin, Accept-Encoding"
  headers["x-content-type-options"] = "nosniff"
  headers["x-request-id"] = request.id
  const {
    rateLimit,
    traits: { cacheControl }
  } = request
  if (rateLimit !== undefined) {
    headers["x-ratelimit-limit"] = String(rateLimit.limit)
    headers["x-ratelimit-remaining"] = String(rateLimit.remaining)
    headers["x-ratelimit-reset"] = String(rateLimit.resetsAt)
  }
  if (cacheControl !== undefined) headers["cache-control"] = cacheControl
  if (status < 400) return
  if (status === 401) headers["www-authenticate"] = "Bearer"
  const retryAfter = retryAfterOf(status, headers["retry-after"], request)
  if (retryAfter !== undefined) headers["retry-after"] = retryAfter
}

const cookiesOf = ({ cookies }: RequestState) =>
  cookies.length === 0 ? Cookies.empty : Cookies.fromSetCookie(cookies)

const responseOf = (
  status: number,
  headers: Record<string, string>,
  body: HttpBody.HttpBody,
  cookies: Cookies.Cookies
): HttpServerResponse.HttpServerResponse => {
  const response = Object.create(responsePrototype)
  response.status = status
  response.statusText = undefined
  response.headers = headers
  response.cookies = cookies
  response.body = body
  return response
}

/** A response with a JSON text, and an `ETag` if given. */
export const jsonResponse = (
  status: number,
  text: string,
  request: RequestState,
  etag?: string
): HttpServerResponse.HttpServerResponse => {
  const body = HttpBody.text(text, "application/json")
  const headers: Record<string, string> = Object.create(headersPrototype)
  headers["content-type"] = "application/json"
  headers["content-length"] = String(body.contentLength)
  if (etag !== undefined) headers["etag"] = etag
  complete(headers, status, request)
  return responseOf(status, headers, body, cookiesOf(request))
}

/** A response with a compressed JSON text. Its tag is weak, since the strong tag names the uncompressed bytes. */
export const compressedResponse = (
  status: number,
  bytes: Uint8Array,
  encoding: string,
  request: RequestState,
  etag?: string
): HttpServerResponse.HttpServerResponse => {
  const body = HttpBody.uint8Array(bytes, "application/json")
  const headers: Record<string, string> = Object.create(headersPrototype)
  headers["content-type"] = "application/json"
  headers["content-encoding"] = encoding
  headers["content-length"] = String(bytes.length)
  if (etag !== undefined) headers["etag"] = `W/${etag}`
  complete(headers, status, request)
  return responseOf(status, headers, body, cookiesOf(request))
}

/** The same response with the common headers. */
export const completed = (
  response: HttpServerResponse.HttpServerResponse,
  request: RequestState
): HttpServerResponse.HttpServerResponse => {
  const headers: Record<string, string> = Object.assign(Object.create(headersPrototype), response.headers)
  complete(headers, response.status, request)
  return responseOf(response.status, headers, response.body, response.cookies)
}
