import { Effect, FileSystem, Path, Predicate } from "effect"
import { type HttpServerRequest, HttpServerResponse, Multipart } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { InvalidInput, type Issue, largestUpload, pathOfUpload, uploadRecord, Uploads } from "@livery/domain"
import { Api } from "../Api.ts"
import { Acting } from "../http/Access.ts"
import { MalformedRequest } from "../http/ErrorMap.ts"
import { publicAddress } from "../http/PublicUrl.ts"

/** Room for what stands around a file. */
const margin = 64 * 1024

/** What is read of a request before it is refused. */
const limits = Multipart.limitsServices({
  maxParts: 20,
  maxFieldSize: margin,
  maxFileSize: largestUpload + margin,
  maxTotalSize: largestUpload + 16 * margin
})

/** Answered as every body that is too large. */
class TooLarge {
  readonly _tag = "TooLarge"
}

const malformed = new MalformedRequest({ reason: "The request body is not valid multipart/form-data" })

const refusal = ({ reason }: Multipart.MultipartError): Effect.Effect<never, MalformedRequest | TooLarge> => {
  switch (reason._tag) {
    case "FileTooLarge":
    case "FieldTooLarge":
    case "BodyTooLarge":
    case "TooManyParts":
      return Effect.fail(new TooLarge())
    case "Parse":
      return Effect.fail(malformed)
    case "InternalError":
      // Our disk's fault, or a caller who went away in the middle.
      return Predicate.isTagged(reason.cause, "PlatformError") ? Effect.die(reason) : Effect.fail(malformed)
  }
}

const wrongFile = (issue: Issue) => new InvalidInput({ issues: [{ field: "file", issue }] })

/** The one file of the request, on this machine's disk until the request is answered. */
const receivedFile = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const type = request.headers["content-type"] ?? ""
  if (!/^multipart\/form-data\s*;/iu.test(type))
    return yield* new MalformedRequest({
      reason: "The content type is not one that this route reads; send multipart/form-data"
    })
  const parts = yield* request.multipart.pipe(
    Effect.provideContext(limits),
    Effect.catchTag("MultipartError", refusal)
  )
  const given = parts["file"]
  if (given === undefined || given === "") return yield* wrongFile("required")
  const [file, ...others] = typeof given === "string" ? [given] : given
  if (file === undefined || typeof file === "string" || others.length > 0) return yield* wrongFile("invalid")
  return file.path
})

export const UploadsHandlers = HttpApiBuilder.group(
  Api,
  "uploads",
  Effect.fn(function* (handlers) {
    const uploads = yield* Uploads
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path

    const upload = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const path = yield* receivedFile(request)
      const { size } = yield* Effect.orDie(files.stat(path))
      if (size > largestUpload) return yield* Effect.fail(new TooLarge())
      const kept = yield* uploads.take(yield* Acting, Effect.orDie(files.readFile(path)))
      return uploadRecord(kept, yield* publicAddress(pathOfUpload(kept)))
    })

    return handlers.handleRaw("upload", ({ request }) =>
      upload(request).pipe(
        // These alone: what a request has on the disk is the request's, and goes with it.
        Effect.provideService(FileSystem.FileSystem, files),
        Effect.provideService(Path.Path, paths),
        Effect.catchTag("TooLarge", () => Effect.succeed(HttpServerResponse.empty({ status: 413 })))
      )
    )
  })
)
