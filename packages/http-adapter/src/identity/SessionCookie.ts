/**
 * Keeps the refresh token of a page's session in a cookie, which scripts cannot read (docs/api/authentication.md). A request asks
 * for it with a header of its own. No page of another origin can send that header: a browser asks the server first, and the server
 * refuses.
 */
import { Duration, Effect, Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import { basePath, CurrentRequest } from "@livery/contract"
import { refreshTokenLifetime } from "@livery/domain"
import { headerOf } from "../http/request/IncomingRequest.ts"
import { asksForCookie } from "../http/request/SessionHeader.ts"
import { PublicUrl } from "../http/server/PublicUrl.ts"

/**
 * How long a rotated token is accepted again from the cookie. Each load of a page rotates the token. A browser that did not get
 * the response, because the page was loaded again or the connection was lost, still has the rotated token in its cookie.
 */
export const cookieGrace = Duration.minutes(2)

/** How long a person may take to sign in at a provider. */
const redirectTime = Duration.minutes(15)

const refreshCookie = "livery_refresh"

/** The cookie with the secret of a sign-in by redirect (docs/api/authentication.md). */
const redirectCookie = "livery_idp"

/** The value of a cookie, if the request asks for it and does not come from a page of another site. */
const valueOf = (
  request: HttpServerRequest.HttpServerRequest,
  name: string
): Redacted.Redacted | undefined => {
  const site = headerOf(request, "sec-fetch-site")
  if (!asksForCookie(request) || (site !== undefined && site !== "same-origin")) return undefined
  const value = new RegExp(`(?:^|;\\s*)${name}=([\\w.-]+)`, "u").exec(headerOf(request, "cookie") ?? "")?.[1]
  return value === undefined ? undefined : Redacted.make(value)
}

/** The refresh token of the request's cookie. */
export const cookieToken = (request: HttpServerRequest.HttpServerRequest): Redacted.Redacted | undefined =>
  valueOf(request, refreshCookie)

const isLoopback = (host: string) => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/u.test(host)

const setCookie = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  name: string,
  value: string | undefined,
  lifetime: Duration.Duration
) {
  const address = new URL(yield* PublicUrl)
  // Some browsers refuse a secure cookie over plain HTTP even from their own machine.
  const isPlain = address.protocol === "http:" && isLoopback(headerOf(request, "host") ?? "")
  const current = yield* CurrentRequest
  const cookie = [
    `${name}=${value ?? ""}`,
    `Path=${address.pathname.replace(/\/$/u, "")}${basePath}/auth`,
    `Max-Age=${value === undefined ? 0 : Duration.toSeconds(lifetime)}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(isPlain ? [] : ["Secure"])
  ]
  current.cookies = [...current.cookies, cookie.join("; ")]
})

/** Sets the refresh token of the response's cookie; without a token, it ends the cookie. */
export const setToken = (
  request: HttpServerRequest.HttpServerRequest,
  token: string | undefined
): Effect.Effect<void> => setCookie(request, refreshCookie, token, refreshTokenLifetime)

/** Keeps the secret of a sign-in by redirect in the browser; without a secret, it ends the cookie. */
export const setRedirectSecret = (
  request: HttpServerRequest.HttpServerRequest,
  secret: Redacted.Redacted | undefined
): Effect.Effect<void> => setCookie(request, redirectCookie, secret && Redacted.value(secret), redirectTime)

/**
 * The secret of a sign-in by redirect that this browser began. It can be used once, because reading it ends the cookie. The answer
 * to a fault, such as a provider that cannot be reached, sets no cookie, so that the browser can send the request again.
 */
export const takeRedirectSecret = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const secret = valueOf(request, redirectCookie)
  if (secret !== undefined) yield* setRedirectSecret(request, undefined)
  return secret
})

/** The result of a sign-in or a refresh. If the request asks for a cookie, its refresh token moves there. */
export const issued = <A extends { readonly refresh_token: string }, E, R>(
  request: HttpServerRequest.HttpServerRequest,
  result: Effect.Effect<A, E, R>
): Effect.Effect<Omit<A, "refresh_token"> & { readonly refresh_token?: string }, E, R> =>
  asksForCookie(request)
    ? Effect.flatMap(result, ({ refresh_token, ...rest }) =>
        Effect.as(setToken(request, refresh_token), rest)
      )
    : result
