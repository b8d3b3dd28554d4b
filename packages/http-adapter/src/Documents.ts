/**
 * `/openapi.json`, and `/docs`, the page that shows it to readers. Both are built and compressed once per process, and
 * clients may cache them. The page loads nothing from other servers, and its content security policy forbids it.
 */
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiGroup, HttpApiScalar, OpenApi } from "effect/http-api"
import { hash } from "node:crypto"
import { compressed, type Encoding, encodingOf } from "./http/responses/Representation.ts"
import type { PageHandler } from "./http/pipeline/RequestSteps.ts"
import { route } from "./http/pipeline/Routes.ts"
import { page } from "@livery/contract"

const pagePath = "/docs"

const routes = {
  document: route("GET", "/openapi.json", page),
  page: route("GET", pagePath, page),
  root: route("GET", "/", page)
}

/** The routes of the documents, for the table of routes. */
export const documentRoutes = Object.values(routes)

/** Clients cache the documents for five minutes, then revalidate them. */
const cacheControl = "public, max-age=300"

const hashOf = (text: string) => hash("sha256", text, "base64")

/**
 * The page's content security policy. It allows the page's own scripts by their hashes, and `unsafe-eval` because
 * Scalar compiles its validators.
 */
const policyOf = (html: string, publicUrl: string | undefined) => {
  const scripts = [...html.matchAll(/<script>(?<text>[\s\S]*?)<\/script>/gu)].map(
    ({ groups }) => `'sha256-${hashOf(groups?.["text"] ?? "")}'`
  )
  const server = publicUrl === undefined ? "" : ` ${new URL(publicUrl).origin}`
  return [
    "default-src 'none'",
    `script-src 'unsafe-eval' ${scripts.join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self'${server}`,
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
}

/** Returns the response for a request, with a document that does not change while the process runs. */
const staticDocument = Effect.fnUntraced(function* (
  text: string,
  contentType: string,
  headers: Record<string, string>
) {
  const etag = `"${hashOf(text).slice(0, 27)}"`
  const common = { "Cache-Control": cacheControl, ...headers }
  const plain = HttpServerResponse.text(text, { contentType, headers: { ...common, ETag: etag } })
  const make = (encoding: Encoding) =>
    Effect.cached(
      Effect.map(compressed(text, encoding), (bytes) =>
        HttpServerResponse.uint8Array(bytes, {
          contentType,
          headers: { ...common, ETag: `W/${etag}`, "Content-Encoding": encoding }
        })
      )
    )
  const encodings = { br: yield* make("br"), gzip: yield* make("gzip") }
  return (request: HttpServerRequest.HttpServerRequest) => {
    const encoding = encodingOf(request.headers["accept-encoding"], text.length)
    return encoding === undefined ? Effect.succeed(plain) : encodings[encoding]
  }
})

type StaticDocument = Effect.Success<ReturnType<typeof staticDocument>>

/** The handler of a document, which is made at its first request. */
const pageOfDocument = (document: Effect.Effect<StaticDocument>): Effect.Effect<PageHandler> =>
  Effect.map(
    Effect.cached(document),
    (madeOnce) => () =>
      Effect.gen(function* () {
        const respond = yield* madeOnce
        return yield* respond(yield* HttpServerRequest.HttpServerRequest)
      })
  )

/**
 * The documentation page that Effect generates. Effect only offers it as a route, so its handler is taken from a
 * router.
 */
const pageOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
) =>
  Effect.promise(async () => {
    const { dispose, handler } = HttpRouter.toWebHandler(
      HttpApiScalar.layer(api, { path: pagePath, scalar: { withDefaultFonts: false } }),
      { disableLogger: true }
    )
    const response = await handler(new Request(`http://localhost${pagePath}`))
    const html = await response.text()
    await dispose()
    return html
  })

/** Makes the handlers of an API's documents, and of a redirect from `/` to the page. */
export const makeDocumentPages = Effect.fnUntraced(function* <
  Id extends string,
  Groups extends HttpApiGroup.Constraint
>(api: HttpApi.HttpApi<Id, Groups>, publicUrl: string | undefined) {
  const document = yield* pageOfDocument(
    Effect.suspend(() => staticDocument(JSON.stringify(OpenApi.fromApi(api)), "application/json", {}))
  )
  const html = yield* pageOfDocument(
    Effect.flatMap(pageOf(api), (html) =>
      staticDocument(html, "text/html; charset=utf-8", {
        "Content-Security-Policy": policyOf(html, publicUrl),
        "Referrer-Policy": "no-referrer"
      })
    )
  )
  // A relative URL, so that the redirect also works when a proxy adds a path prefix.
  const root: PageHandler = () =>
    Effect.succeed(HttpServerResponse.empty({ status: 302, headers: { Location: "docs" } }))
  return [
    [routes.document, document],
    [routes.page, html],
    [routes.root, root]
  ] as const
})
