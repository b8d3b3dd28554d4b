import { Effect, FileSystem } from "effect"
import type { HttpServerRequest } from "effect/http"
import { InvalidInput, type Issue, maxUploadBytes, uploadRecord, Uploads } from "@livery/domain"
import { CurrentBusiness } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { makeFormRoute } from "../http/decoding/FileForms.ts"
import { formOf, FormTooLarge } from "../http/decoding/Forms.ts"
import { publicUrlOf } from "../http/server/PublicUrl.ts"
import { pathOfUpload } from "./ServedFiles.ts"

const wrongFile = (issue: Issue) => new InvalidInput({ issues: [{ field: "file", issue }] })

/** The path of the request's only file, which is on disk until the response is sent. */
const receivedFile = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const files = (yield* formOf(request)).filter(({ field }) => field === "file")
  const [file, ...others] = files
  if (file === undefined || files.every((part) => "text" in part && part.text === ""))
    return yield* wrongFile("required")
  if ("text" in file || others.length > 0) return yield* wrongFile("invalid")
  return file.path
})

export const UploadsHandlers = handlersOf("uploads", function* (handlers) {
  const uploads = yield* Uploads
  const files = yield* FileSystem.FileSystem
  const formRoute = yield* makeFormRoute

  const upload = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    const path = yield* receivedFile(request)
    const { size } = yield* Effect.orDie(files.stat(path))
    if (size > maxUploadBytes) return yield* Effect.fail(new FormTooLarge())
    const stored = yield* uploads.store(yield* CurrentBusiness, Effect.orDie(files.readFile(path)))
    return uploadRecord(stored, yield* publicUrlOf(pathOfUpload(stored)))
  })

  return handlers({
    upload: {
      raw: ({ request }) => formRoute(upload(request))
    }
  })
})
