/** The address that this server is known by, for links to itself. */
import { Context, Effect } from "effect"

/** How a server is called that was told nothing of itself. */
export const usualAddress = "http://localhost"

/**
 * What `BASE_URL` says, else where the server listens; without a slash at its end. Never what a request calls the
 * server: whoever sends one could have their own address put into links that others follow.
 */
export const PublicUrl = Context.Reference<string>("@livery/http-adapter/PublicUrl", {
  defaultValue: () => usualAddress
})

/** The address of a path of this server (`/uploads/…`), as others reach it. */
export const publicAddress = (path: string) => Effect.map(PublicUrl, (address) => `${address}${path}`)
