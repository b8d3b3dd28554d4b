/**
 * Forms that bring files. A form is read once for each request, onto this machine's disk until the request is
 * answered: by what lets a request be repeated, where it has a key, and then by the route.
 */
import { Effect, FileSystem, type Path, Predicate, type Scope, Stream } from "effect"
import { type HttpServerRequest, Multipart } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { createHash } from "node:crypto"
import { largestUpload } from "@livery/domain"
import { MalformedRequest } from "./ErrorMap.ts"

/** Room for what stands around a file. */
const margin = 64 * 1024

/** What is read of a form before it is refused. */
const limits = Multipart.limitsServices({
  maxParts: 20,
  maxFieldSize: margin,
  maxFileSize: largestUpload + margin,
  maxTotalSize: largestUpload + 16 * margin
})

/** A form, or a file of one, that is too large: answered as every body that is. */
export class FormTooLarge {
  readonly _tag = "FormTooLarge"
}

const malformed = new MalformedRequest({ reason: "The request body is not valid multipart/form-data" })

const refusal = ({ reason }: Multipart.MultipartError): Effect.Effect<never, MalformedRequest | FormTooLarge> => {
  switch (reason._tag) {
    case "FileTooLarge":
    case "FieldTooLarge":
    case "BodyTooLarge":
    case "TooManyParts":
      return Effect.fail(new FormTooLarge())
    case "Parse":
      return Effect.fail(malformed)
    case "InternalError":
      // Our disk's fault, or a caller who went away in the middle.
      return Predicate.isTagged(reason.cause, "PlatformError") ? Effect.die(reason) : Effect.fail(malformed)
  }
}

/** The request's form: its fields as texts, its files by their paths. */
export const formOf = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<
  Multipart.Persisted,
  MalformedRequest | FormTooLarge,
  FileSystem.FileSystem | Path.Path | Scope.Scope
> =>
  /^multipart\/form-data\s*;/iu.test(request.headers["content-type"] ?? "")
    ? request.multipart.pipe(Effect.provideContext(limits), Effect.catchTag("MultipartError", refusal))
    : Effect.fail(
        new MalformedRequest({
          reason: "The content type is not one that this route reads; send multipart/form-data"
        })
      )

/** Whether a route is sent forms. */
export const takesForms = (endpoint: HttpApiEndpoint.Top): boolean =>
  [...endpoint.payload.values()].some(({ encoding }) => encoding._tag === "Multipart")

/** Read piece by piece: the route itself decides how many files are in memory at once. */
const digestOf = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const hash = createHash("sha256")
  yield* Effect.orDie(Stream.runForEach(files.stream(path), (piece) => Effect.sync(() => hash.update(piece))))
  return hash.digest("hex")
})

/**
 * What a form says, as a text: each field with its texts, or with the digests of its files. Neither the boundary that
 * the client drew for it nor what it calls its files is part of that, so that who sends a form again sends the same.
 */
export const contentOfForm = Effect.fnUntraced(function* (form: Multipart.Persisted) {
  const said: Array<readonly [field: string, value: string | { readonly sha256: string }]> = []
  for (const [field, given] of Object.entries(form))
    for (const value of typeof given === "string" ? [given] : given)
      said.push([field, typeof value === "string" ? value : { sha256: yield* digestOf(value.path) }])
  return JSON.stringify(said)
})
