/**
 * One spelling for each path. The router also takes capitals, doubled slashes and percent-encoded letters
 * (`//API/v1/%61uth/login`), while the rings around it go by what a path begins with. So whatever is not spelled as
 * its route is here ends here, unknown.
 */
import { Effect } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest } from "effect/http"

/** The path alone: a query can hold a driver's token. A proxy may ask by the whole address (RFC 9112, 3.2.2). */
export const pathOf = (url: string) => url.replace(/^https?:\/\/[^/?#]*/iu, "").split("?", 1)[0] ?? "/"

/**
 * - `isKnown`: whether a path is spelled as one of the routes is.
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
