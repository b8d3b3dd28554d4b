/**
 * One canonical path for each route. The router also matches capitals, doubled slashes and percent-encoded letters
 * (`//API/v1/%61uth/login`), while the middleware around it decides by the path as it is written. So a path that is
 * not written as its route declares it is unknown.
 */
import { Effect } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest } from "effect/http"

/** The path alone: a query can hold a driver's token. A proxy may send the absolute form (RFC 9112, 3.2.2). */
export const pathOf = (url: string) => url.replace(/^https?:\/\/[^/?#]*/iu, "").split("?", 1)[0] ?? "/"

/**
 * - `isKnown`: whether a path is written as a route declares it.
 */
export const layer = (isKnown: (path: string) => boolean) =>
  HttpRouter.middleware(
    (app) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        if (isKnown(pathOf(request.url))) return yield* app
        const reason = new HttpServerError.RouteNotFound({ request })
        return yield* new HttpServerError.HttpServerError({ reason })
      }),
    { global: true }
  )
