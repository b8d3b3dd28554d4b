/** The public address of this server, for links to itself. */
import { Context, Effect } from "effect"

/** The address of a server without a configured one. */
export const defaultAddress = "http://localhost"

/**
 * The value of `BASE_URL`, else the address where the server listens; without a slash at its end. It is never taken
 * from the request's `Host` header: a client could put its own address into links that other people follow.
 */
export const PublicUrl = Context.Reference<string>("@livery/http-adapter/PublicUrl", {
  defaultValue: () => defaultAddress
})

/** Whether this server has pages for people. */
export const ServesPages = Context.Reference<boolean>("@livery/http-adapter/ServesPages", {
  defaultValue: () => false
})

/**
 * Makes the links for the holder of a token: to the page, with the token in the fragment, which browsers do not send; without
 * pages, to the API's path.
 */
export const linksTo = (page: string, apiPath: string) =>
  Effect.gen(function* () {
    const base = `${yield* PublicUrl}${(yield* ServesPages) ? `/${page}#` : apiPath}`
    return (token: string) => `${base}${token}`
  })

/** The public URL of a path of this server (`/uploads/…`). */
export const publicUrlOf = (path: string) => Effect.map(PublicUrl, (address) => `${address}${path}`)
