/**
 * The outermost ring around every request: names it, logs it once, gives whatever failed without words the envelope,
 * and tells a wrong method from an unknown route.
 */
import { Cause, Clock, Effect, Predicate } from "effect"
import { HttpEffect, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { randomBytes } from "node:crypto"
import { clientAddress, TrustedProxies } from "./ClientAddress.ts"
import { basePath } from "./Contract.ts"
import { ComeBack, RequestId } from "./Envelope.ts"
import { bareStatus } from "./ErrorMap.ts"
import { limit, RateLimits, RateStanding, standingOf } from "./RateLimits.ts"
import { RequestNotes } from "./RequestNotes.ts"
import { pathOf } from "./CanonicalPath.ts"

/** A name for a request: `req_` and 24 hex digits. */
export const newRequestId = () => `req_${randomBytes(12).toString("hex")}`

/** What Effect answers for a client that went away: nobody reads it, and the log should say so. */
const clientGone = 499

const isJson = (response: HttpServerResponse.HttpServerResponse) =>
  (response.headers["content-type"] ?? "").includes("json")

/** The envelope of a failure that nobody described. */
export const bareFailure = (status: number, request_id: string) => {
  const { message, status: told, type } = bareStatus(status)
  return { status: told, body: { error: { type, message }, meta: { request_id } } }
}

const inEnvelope = (response: HttpServerResponse.HttpServerResponse, request_id: string) => {
  const { "content-length": _length, "content-type": _type, ...headers } = response.headers
  const { body, status } = bareFailure(response.status, request_id)
  return HttpServerResponse.jsonUnsafe(body, { status, headers })
}

/**
 * When to come back, as the refusal itself says. A 429 that says nothing of it sheds load: the excess may come back in
 * a second.
 */
const retryAfter = (
  { headers, status }: HttpServerResponse.HttpServerResponse,
  { afterSeconds }: typeof ComeBack.Service
) => {
  if (status !== 429 && status < 500) return {}
  if (afterSeconds !== undefined) return { "Retry-After": String(afterSeconds) }
  return status === 429 && headers["retry-after"] === undefined ? { "Retry-After": "1" } : {}
}

/** Who is refused for lack of a credential is told which kind would be heard (RFC 9110, 15.5.2). */
const challenge = ({ status }: HttpServerResponse.HttpServerResponse) =>
  status === 401 ? { "WWW-Authenticate": "Bearer" } : {}

/** Answers hold tokens, keys and what people say of their customers: no cache on the way keeps them. */
const kept = (path: string) => (path.startsWith(`${basePath}/`) ? { "Cache-Control": "no-store" } : {})

/** Written plainly, as the router reads it: `%70ublic` is `public`. */
const plain = (path: string) =>
  path.replaceAll(/%([0-7][\da-f])/giu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/**
 * A path for the log: on public routes the record's name is the caller's credential, an invoice's hash for one, and
 * so is an uploaded file's.
 */
const loggable = (path: string) => plain(path).replace(/((?:\/public\/+[^/]+|^\/+uploads)\/+)[^/]+/iu, "$1…")

/** HTTP/1.1 demands a host of every request (RFC 9112, 3.2); 1.0, which health checks still speak, does not. */
const lacksHost = ({ headers, source }: HttpServerRequest.HttpServerRequest) =>
  headers["host"] === undefined &&
  Predicate.hasProperty(source, "httpVersion") &&
  source.httpVersion === "1.1"

/** What is asked by probes, by people who read, and by browsers on somebody's behalf: nobody is counted for it. */
const isUncounted = (method: string, path: string) =>
  method === "OPTIONS" || /^\/(?:health|docs|openapi\.json|metrics)(?:\/|$)/u.test(path)

/**
 * - `methodsOf`: the methods that a path knows, for the `Allow` of a 405; none for an unknown path.
 */
export const layer = (methodsOf: (path: string) => ReadonlyArray<string>) =>
  HttpRouter.middleware(
    Effect.gen(function* () {
      const limits = yield* RateLimits
      const trusted = yield* TrustedProxies
      const address = Effect.provideService(clientAddress, TrustedProxies, trusted)
      return (app) =>
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const id = newRequestId()
          const notes = {}
          const comeBack: typeof ComeBack.Service = {}
          const standing: typeof RateStanding.Service = {}
          const path = pathOf(request.url)
          const from = Effect.provideService(address, HttpServerRequest.HttpServerRequest, request)
          const started = yield* Clock.currentTimeMillis
          yield* HttpEffect.appendPreResponseHandler((_request, response) =>
            Effect.gen(function* () {
              // Nobody counted what failed on its way to a route: a fault, or a request that is none.
              if (standing.headers === undefined && !isUncounted(request.method, path))
                standing.headers = standingOf(
                  yield* Effect.flatMap(from, (from) => limits.count("public", from))
                )
              const told = HttpServerResponse.setHeader(
                response.status >= 400 && response.status !== clientGone && !isJson(response)
                  ? inEnvelope(response, id)
                  : response,
                "X-Request-Id",
                id
              ).pipe(
                HttpServerResponse.setHeaders({
                  ...kept(path),
                  ...challenge(response),
                  ...retryAfter(response, comeBack),
                  ...standing.headers
                })
              )
              // Probes come every few seconds and say nothing new.
              const log = /^\/(?:health\/|metrics$)/u.test(path) ? Effect.logDebug : Effect.logInfo
              yield* log("request", {
                method: request.method,
                path: loggable(path),
                status: told.status,
                duration_ms: (yield* Clock.currentTimeMillis) - started,
                ...notes
              }).pipe(Effect.annotateLogs({ request_id: id }))
              return told
            })
          )
          if (lacksHost(request)) return HttpServerResponse.empty({ status: 400 })
          return yield* app.pipe(
            Effect.catchIf(
              (error: unknown) =>
                HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound",
              () => {
                const methods = methodsOf(path)
                // A path that matches but could not be decoded is one that nobody has.
                const unknown =
                  methods.length === 0 || methods.includes(request.method)
                    ? HttpServerResponse.empty({ status: 404 })
                    : HttpServerResponse.empty({ status: 405, headers: { Allow: methods.join(", ") } })
                if (isUncounted(request.method, path)) return Effect.succeed(unknown)
                return Effect.flatMap(from, (from) => limit(limits, "public", from)).pipe(
                  Effect.as(unknown),
                  Effect.catchTag("TooManyRequests", () =>
                    Effect.succeed(HttpServerResponse.empty({ status: 429 }))
                  )
                )
              }
            ),
            Effect.tapCause((cause) =>
              Cause.hasInterruptsOnly(cause)
                ? Effect.void
                : Effect.flatMap(HttpServerError.causeResponse(cause), ([response]) =>
                    response.status >= 500
                      ? Effect.logError("request failed", cause, {
                          method: request.method,
                          path: loggable(path)
                        })
                      : Effect.void
                  )
            ),
            Effect.provideService(RequestId, id),
            Effect.provideService(RequestNotes, notes),
            Effect.provideService(ComeBack, comeBack),
            Effect.provideService(RateStanding, standing),
            Effect.annotateLogs({ request_id: id })
          )
        })
    }),
    { global: true }
  )
