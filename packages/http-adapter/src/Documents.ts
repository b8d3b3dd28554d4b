/**
 * `/openapi.json`, and the redirect from `/`. The document is built and compressed once per process, and clients may cache it.
 * `/docs`, the page that shows it to readers, is one of the pages (`StaticPages.ts`).
 */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { hash } from "node:crypto"
import { compressed, type Encoding, encodingOf } from "./http/responses/Representation.ts"
import type { PageHandler } from "./http/pipeline/RequestSteps.ts"
import { route } from "./http/pipeline/Routes.ts"
import { page } from "@livery/contract"

const routes = {
  document: route("GET", "/openapi.json", page),
  root: route("GET", "/", page)
}

/** The routes of the documents, for the table of routes. */
export const documentRoutes = Object.values(routes)

/** Clients cache the documents for five minutes, then revalidate them. */
const cacheControl = "public, max-age=300"

const hashOf = (text: string) => hash("sha256", text, "base64")

/** Returns the response for a request, with a document that does not change while the process runs. */
const staticDocument = Effect.fnUntraced(function* (text: string, contentType: string) {
  const etag = `"${hashOf(text).slice(0, 27)}"`
  const common = { "Cache-Control": cacheControl }
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

/** Makes the handlers of an API's document, and of a redirect from `/` to `home`. */
export const makeDocumentPages = Effect.fnUntraced(function* <
  Id extends string,
  Groups extends HttpApiGroup.Constraint
>(api: HttpApi.HttpApi<Id, Groups>, home: string) {
  const document = yield* pageOfDocument(
    Effect.suspend(() => staticDocument(JSON.stringify(OpenApi.fromApi(api)), "application/json"))
  )
  // A relative URL, so that the redirect also works when a proxy adds a path prefix.
  const root: PageHandler = () =>
    Effect.succeed(HttpServerResponse.empty({ status: 302, headers: { Location: home } }))
  return [
    [routes.document, document],
    [routes.root, root]
  ] as const
})
