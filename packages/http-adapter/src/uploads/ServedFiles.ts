/**
 * `GET /uploads/{name}`: uploaded files, without a credential. The route is outside of the API's base path, because
 * browsers and mail programs that show images use neither envelopes nor credentials. A file may contain anything, so the
 * headers forbid type sniffing, scripts and frames.
 */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Upload, Uploads } from "@livery/domain"
import { addressOf, TrustedProxies } from "../http/request/ClientAddress.ts"
import { CurrentRequest, secretParameter } from "@livery/contract"
import { limit, RateLimits } from "../http/access/RateLimits.ts"
import type { PageHandler } from "../http/pipeline/RequestSteps.ts"
import { route } from "../http/pipeline/Routes.ts"

/** The path of uploaded files, below the server's address. */
const uploadsPath = "/uploads"

/** The path of an upload's file, below the server's address. */
export const pathOfUpload = ({ file_name }: Pick<Upload, "file_name">) => `${uploadsPath}/${file_name}`

const servedFilesPath = `${uploadsPath}/:name` as const

/** The route, for the table of routes. A file's name is the credential to read it. */
export const servedFilesRoute = route("GET", servedFilesPath, secretParameter("name"))

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

/** Makes the handler of the route. It counts requests per client address and answers 404, 429 and 500 without a body. */
export const makeServedFilesPage = Effect.gen(function* () {
  const uploads = yield* Uploads
  const limits = yield* RateLimits
  const trusted = yield* TrustedProxies
  const page: PageHandler = ([name = ""]) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      yield* limit(limits, yield* CurrentRequest, "public", addressOf(request, trusted))
      const upload = yield* uploads.find(name)
      const options = {
        headers: headersOf(upload),
        contentType: upload.content_type,
        contentLength: upload.size
      }
      if (request.method === "HEAD")
        return HttpServerResponse.empty({
          status: 200,
          headers: {
            ...options.headers,
            "Content-Type": options.contentType,
            "Content-Length": String(options.contentLength)
          }
        })
      const { bytes } = yield* uploads.open(name)
      return HttpServerResponse.stream(bytes, options)
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
  return page
})
