/**
 * `GET /uploads/{name}`: the files that businesses uploaded, for whoever has the address. Outside of the API's base
 * path: pictures are shown by browsers and mail programs, which know nothing of envelopes or credentials. A file can
 * be anything that its uploader made it, so nothing in it ever runs: no guessing of its type, no script, no frame.
 */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Upload, uploadsPath, Uploads } from "@livery/domain"
import { clientAddress, TrustedProxies } from "../http/ClientAddress.ts"
import { limit, RateLimits } from "../http/RateLimits.ts"

/** The route's pattern. */
export const servedFilesPath = `${uploadsPath}/:name` as const

const extensions = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "application/pdf": "pdf"
} as const

const headersOf = ({ content_type, file_name }: Upload) => ({
  "Cache-Control": "public, max-age=31536000, immutable",
  "Content-Disposition": `${content_type === "application/pdf" ? "attachment" : "inline"}; filename="${file_name}.${extensions[content_type]}"`,
  "Content-Security-Policy": "sandbox; default-src 'none'",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "X-Content-Type-Options": "nosniff"
})

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const uploads = yield* Uploads
    const limits = yield* RateLimits
    const trusted = yield* TrustedProxies
    return HttpRouter.add(
      "GET",
      servedFilesPath,
      Effect.gen(function* () {
        yield* limit(limits, "public", yield* Effect.provideService(clientAddress, TrustedProxies, trusted))
        const { method } = yield* HttpServerRequest.HttpServerRequest
        const { name = "" } = yield* HttpRouter.params
        const upload = yield* uploads.find(name)
        const told = {
          headers: headersOf(upload),
          contentType: upload.content_type,
          contentLength: upload.size
        }
        if (method === "HEAD")
          return HttpServerResponse.empty({
            status: 200,
            headers: {
              ...told.headers,
              "Content-Type": told.contentType,
              "Content-Length": String(told.contentLength)
            }
          })
        const { bytes } = yield* uploads.open(name)
        return HttpServerResponse.stream(bytes, told)
      }).pipe(
        Effect.catchTags({
          FilesUnavailable: ({ retryAfterSeconds }) =>
            Effect.succeed(
              HttpServerResponse.empty({ status: 500, headers: { "Retry-After": String(retryAfterSeconds) } })
            ),
          NotFound: () => Effect.succeed(HttpServerResponse.empty({ status: 404 })),
          TooManyRequests: () => Effect.succeed(HttpServerResponse.empty({ status: 429 }))
        })
      )
    )
  })
)
