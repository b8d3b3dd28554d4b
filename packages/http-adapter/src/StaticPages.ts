/**
 * Serves a folder of pages: static HTML, and scripts and styles with hashed names. The folder is read once at the start. Each
 * of its files becomes a route of its own, so that no path of a request is ever looked up on the disk.
 *
 * | File                | Path          |
 * | ------------------- | ------------- |
 * | `track.html`        | `/track`      |
 * | `book/[slug].html`  | `/book/:slug` |
 * | `app.html`          | `/app`, and every path below it, for browsers |
 * | `404.html`          | every unknown path outside of the API, for browsers |
 * | `assets/x-1a2b.js`  | `/assets/x-1a2b.js` |
 *
 * `x.br` and `x.gz` beside a file are its compressed forms.
 */
import { Effect, Option } from "effect"
import { Headers, HttpServerRequest, HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { extname, join, sep } from "node:path"
import { basePath, webPage } from "@livery/contract"
import { BookingPages, BusinessTransfer } from "@livery/domain"
import { encodingOf } from "./http/responses/Representation.ts"
import type { PageHandler } from "./http/pipeline/RequestSteps.ts"
import { type Route, route } from "./http/pipeline/Routes.ts"

/** Which pages are served. */
export interface PagesOptions {
  /** The folder of the built pages. */
  readonly directory: string
  /** The origins that the payment page may load scripts and frames from, and send requests to; none by default. */
  readonly paymentOrigins?: ReadonlyArray<string>
  /** The origin that the tracking page may load a map's style, tiles, letters and symbols from; none by default. */
  readonly mapOrigin?: string | undefined
}

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".webmanifest": "application/manifest+json",
  ".json": "application/json",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2"
}

/** The page that may load the payment provider's script. */
const paymentPage = "/pay"

/** The page that has a map. */
const mapPage = "/track"

/** The page that other sites may show in a frame. */
const bookingPage = "/book/:slug"

/** The office, which is one page at many addresses. */
const officePage = "/app"

/** The script with which other sites show it there. */
const frameScript = "/embed.js"

/**
 * The content security policy of a page. A payment provider's script loads others, which needs a policy without trusted
 * types.
 */
const policyOf = (path: string, { mapOrigin, paymentOrigins = [] }: Omit<PagesOptions, "directory">) => {
  const others = path === paymentPage ? paymentOrigins.map((origin) => ` ${origin}`).join("") : ""
  const map = path === mapPage && mapOrigin !== undefined ? ` ${mapOrigin}` : ""
  return [
    "default-src 'none'",
    `script-src 'self'${others}`,
    "style-src 'self'",
    `img-src 'self' data: blob:${map}`,
    `connect-src 'self'${others}${map}`,
    ...(others === "" ? [] : [`frame-src${others}`]),
    // The office shows the PDF that it has read with its token; a blob is made by the page itself.
    ...(path === officePage ? ["frame-src blob:"] : []),
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    notFramed,
    ...(others === "" ? ["require-trusted-types-for 'script'"] : [])
  ].join("; ")
}

const notFramed = "frame-ancestors 'none'"

/** The policy of a page that these origins may show in a frame. */
const framedBy = (policy: string, origins: ReadonlyArray<string>) =>
  policy.replace(notFramed, `frame-ancestors ${origins.join(" ")}`)

/** A page that no site may frame for the moment, which no browser keeps. */
const unframed = (page: HttpServerResponse.HttpServerResponse) =>
  HttpServerResponse.setHeaders(HttpServerResponse.removeHeader(page, "etag"), {
    "cache-control": "no-store"
  })

/** The headers of HTML. Its content never changes by the reader: the data comes from the API. */
const pageHeaders = (path: string, options: Omit<PagesOptions, "directory">) => ({
  "Cache-Control": "no-cache",
  "Content-Security-Policy": policyOf(path, options),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(self), screen-wake-lock=(self)",
  "Referrer-Policy": "no-referrer"
})

const hashedName = /-[\w-]{8,}\.\w+$/u

const assetHeaders = (path: string) => ({
  "Cache-Control": hashedName.test(path) ? "public, max-age=31536000, immutable" : "no-cache",
  "Cross-Origin-Resource-Policy": path === frameScript ? "cross-origin" : "same-origin"
})

/** The path of a page by its file: `book/[slug].html` is `/book/:slug`. */
const pathOf = (file: string) =>
  `/${file}`
    .replace(/(?:\/index)?\.html$/u, "")
    .replaceAll(/\[(\w+)\]/gu, ":$1")
    .replace(/^$/u, "/")

type Respond = (
  request: HttpServerRequest.HttpServerRequest,
  options?: { readonly status?: number; readonly framedBy?: ReadonlyArray<string> }
) => HttpServerResponse.HttpServerResponse

/** Returns the responses of a file: as it is, or in a compressed form that the client accepts. */
const respondWith = (
  bytes: Uint8Array,
  forms: { readonly br: Uint8Array | undefined; readonly gzip: Uint8Array | undefined },
  contentType: string,
  headers: Record<string, string>
): Respond => {
  const tag = hash("sha256", bytes, "base64url").slice(0, 27)
  return (request, { framedBy: origins = [], status = 200 } = {}) => {
    // A browser keeps the policy of a page that has not changed, so the policy is a part of the tag.
    const etag =
      origins.length === 0 ? `"${tag}"` : `"${tag}-${hash("sha256", origins.join(" "), "base64url")}"`
    const policy = headers["Content-Security-Policy"]
    const encoding =
      forms.br === undefined ? undefined : encodingOf(request.headers["accept-encoding"], bytes.length)
    const body = encoding === undefined ? bytes : (forms[encoding] ?? bytes)
    return HttpServerResponse.uint8Array(body, {
      status,
      contentType,
      headers: {
        ...headers,
        ...(origins.length === 0 || policy === undefined
          ? {}
          : { "Content-Security-Policy": framedBy(policy, origins) }),
        ...(status === 200 ? { ETag: body === bytes ? etag : `W/${etag}` } : {}),
        ...(body === bytes || encoding === undefined ? {} : { "Content-Encoding": encoding })
      }
    })
  }
}

/** Returns the responses of a page that is served at any path. Its assets are beside it, so that the way to them has the path's depth. */
const respondAtAnyDepth =
  (html: string, respond: Respond): Respond =>
  (request, options = {}) => {
    const depth = (request.url.split("?")[0] ?? "").split("/").length - 2
    const response = respond(request, options)
    if (depth === 0) return response
    return HttpServerResponse.text(html.replaceAll('"./', `"${"../".repeat(depth)}`), {
      status: options.status ?? 200,
      headers: Headers.removeMany(response.headers, ["content-encoding", "content-length", "etag"])
    })
  }

/** The pages of a folder: their routes with handlers, and the response to a browser that asks for an unknown path. */
export interface StaticPages {
  readonly handlers: ReadonlyArray<readonly [Route, PageHandler]>
  readonly notFound: ((request: HttpServerRequest.HttpServerRequest) => StaticResponse) | undefined
}

type StaticResponse = HttpServerResponse.HttpServerResponse | undefined

/** Without pages: no routes. */
const none: StaticPages = { handlers: [], notFound: undefined }

/** The origins that may show the booking page of a business in a frame, by the slug in its address. */
type EmbedOrigins = (slug: string) => Effect.Effect<ReadonlyArray<string>>

/** The address of a booking page of a business that has moved; null for any other. */
type MovedPage = (path: string) => Effect.Effect<string | null>

const read = (
  { directory, ...options }: PagesOptions,
  embedOrigins: EmbedOrigins,
  movedPage: MovedPage
): StaticPages => {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
  const names = new Set(files)
  const formOf = (file: string) => (names.has(file) ? readFileSync(file) : undefined)
  const handlers: Array<readonly [Route, PageHandler]> = []
  let missing: Respond | undefined
  let office: Respond | undefined
  for (const file of files) {
    const contentType = contentTypes[extname(file)]
    if (contentType === undefined) continue
    const name = file
      .slice(directory.length)
      .split(sep)
      .filter((part) => part !== "")
      .join("/")
    const isPage = name.endsWith(".html")
    const path = isPage ? pathOf(name) : `/${name}`
    const respondAt = respondWith(
      readFileSync(file),
      { br: formOf(`${file}.br`), gzip: formOf(`${file}.gz`) },
      contentType,
      isPage ? pageHeaders(path, options) : assetHeaders(path)
    )
    const isAnywhere = path === officePage || path === "/404"
    const respond = isAnywhere ? respondAtAnyDepth(String(readFileSync(file)), respondAt) : respondAt
    if (path === officePage) office = respond
    if (path === "/404") missing = respond
    else
      handlers.push([
        route("GET", path, webPage),
        ([slug = ""]) =>
          Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
            path === bookingPage
              ? Effect.all([embedOrigins(slug), movedPage(request.url)]).pipe(
                  Effect.map(([origins, address]) =>
                    address === null
                      ? respond(request, { framedBy: origins })
                      : HttpServerResponse.empty({ status: 308, headers: { Location: address } })
                  ),
                  Effect.catchDefect((defect) =>
                    Effect.as(
                      Effect.logError("the sites that may frame a booking page cannot be read", defect),
                      unframed(respond(request))
                    )
                  )
                )
              : Effect.succeed(respond(request))
          )
      ])
  }
  return {
    handlers,
    notFound: (request) => {
      const isForBrowser =
        !request.url.startsWith(`${basePath}/`) && /\btext\/html\b/u.test(request.headers["accept"] ?? "")
      if (!isForBrowser) return undefined
      // The screens of the office have addresses of their own, which its page reads.
      if (request.url.startsWith(`${officePage}/`)) return office?.(request)
      return missing?.(request, { status: 404 })
    }
  }
}

/** Reads the pages of a folder; without one, there are none. */
export const staticPages = Effect.fnUntraced(function* (options: PagesOptions | undefined) {
  const { embedOrigins } = yield* BookingPages
  const moved = Option.getOrUndefined(yield* Effect.serviceOption(BusinessTransfer))?.whereabouts
  const movedPage = (path: string) =>
    moved === undefined
      ? Effect.succeed(null)
      : Effect.map(moved.ofPath(path), (found) =>
          Option.isSome(found) && found.value._tag === "Moved" ? found.value.url + found.value.path : null
        )
  return options === undefined ? none : read(options, embedOrigins, movedPage)
})
