/** The address that this server is known by, for links to itself. */
import { Context, Effect } from "effect"
import { HttpServerRequest } from "effect/http"

/** What `BASE_URL` says, without a slash at its end; undefined unless told. */
export const PublicUrl = Context.Reference<string | undefined>("@livery/http-adapter/PublicUrl", {
  defaultValue: () => undefined
})

/**
 * The address of a path of this server (`/uploads/…`), as others reach it: below the public address, or where none was
 * told, below the one by which the request at hand found us.
 */
export const publicAddress = Effect.fnUntraced(function* (path: string) {
  const told = yield* PublicUrl
  if (told !== undefined) return `${told}${path}`
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  return `http://${headers["host"] ?? "localhost"}${path}`
})
