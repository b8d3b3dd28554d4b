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

const cookieName = "livery_refresh"

const cookiePattern = new RegExp(`(?:^|;\\s*)${cookieName}=([\\w.-]+)`, "u")

/** The refresh token of the request's cookie, if the request asks for it and does not come from a page of another site. */
export const cookieToken = (request: HttpServerRequest.HttpServerRequest): Redacted.Redacted | undefined => {
  const site = headerOf(request, "sec-fetch-site")
  if (!asksForCookie(request) || (site !== undefined && site !== "same-origin")) return undefined
  const token = cookiePattern.exec(headerOf(request, "cookie") ?? "")?.[1]
  return token === undefined ? undefined : Redacted.make(token)
}

const isLoopback = (host: string) => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/u.test(host)

/** Sets the cookie of the response; without a token, it ends the cookie. */
export const setCookie = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  token: string | undefined
) {
  const address = new URL(yield* PublicUrl)
  // Some browsers refuse a secure cookie over plain HTTP even from their own machine.
  const isPlain = address.protocol === "http:" && isLoopback(headerOf(request, "host") ?? "")
  const current = yield* CurrentRequest
  current.cookie = [
    `${cookieName}=${token ?? ""}`,
    `Path=${address.pathname.replace(/\/$/u, "")}${basePath}/auth`,
    `Max-Age=${token === undefined ? 0 : Duration.toSeconds(refreshTokenLifetime)}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(isPlain ? [] : ["Secure"])
  ].join("; ")
})

/** The result of a sign-in or a refresh. If the request asks for a cookie, its refresh token moves there. */
export const issued = <A extends { readonly refresh_token: string }, E, R>(
  request: HttpServerRequest.HttpServerRequest,
  result: Effect.Effect<A, E, R>
): Effect.Effect<Omit<A, "refresh_token"> & { readonly refresh_token?: string }, E, R> =>
  asksForCookie(request)
    ? Effect.flatMap(result, ({ refresh_token, ...rest }) =>
        Effect.as(setCookie(request, refresh_token), rest)
      )
    : result
