/** The header of a request whose session keeps its refresh token in a cookie: `Livery-Session: cookie`. */
import type { HttpServerRequest } from "effect/http"
import { headerOf } from "./IncomingRequest.ts"

/** Whether the request asks that its refresh token is kept in a cookie, or taken from it. */
export const asksForCookie = (request: HttpServerRequest.HttpServerRequest): boolean =>
  headerOf(request, "livery-session") === "cookie"
