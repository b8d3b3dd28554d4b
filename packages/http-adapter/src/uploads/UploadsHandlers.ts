import { Effect, FileSystem, Path } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { InvalidInput, type Issue, largestUpload, pathOfUpload, uploadRecord, Uploads } from "@livery/domain"
import { Api } from "../Api.ts"
import { Acting } from "../http/Access.ts"
import { formOf, FormTooLarge } from "../http/Forms.ts"
import { publicAddress } from "../http/PublicUrl.ts"

const wrongFile = (issue: Issue) => new InvalidInput({ issues: [{ field: "file", issue }] })

/** The one file of the request, on this machine's disk until the request is answered. */
const receivedFile = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const given = (yield* formOf(request)).filter(({ field }) => field === "file")
  const [file, ...others] = given
  if (file === undefined || given.every((part) => "text" in part && part.text === ""))
    return yield* wrongFile("required")
  if ("text" in file || others.length > 0) return yield* wrongFile("invalid")
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
      if (size > largestUpload) return yield* Effect.fail(new FormTooLarge())
      const kept = yield* uploads.take(yield* Acting, Effect.orDie(files.readFile(path)))
      return uploadRecord(kept, yield* publicAddress(pathOfUpload(kept)))
    })

    return handlers.handleRaw("upload", ({ request }) =>
      upload(request).pipe(
        // These alone: what a request has on the disk is the request's, and goes with it.
        Effect.provideService(FileSystem.FileSystem, files),
        Effect.provideService(Path.Path, paths),
        Effect.catchTag("FormTooLarge", () => Effect.succeed(HttpServerResponse.empty({ status: 413 })))
      )
    )
  })
)
