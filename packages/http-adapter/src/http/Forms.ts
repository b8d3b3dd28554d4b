/**
 * Forms that bring files. A form is read once for each request, onto this machine's disk until the request is
 * answered: by what lets a request be repeated, where it has a key, and then by the route.
 */
import { Effect, type Exit, FileSystem, Path, type Scope, Stream } from "effect"
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

const refusal = ({ reason }: Multipart.MultipartError): MalformedRequest | FormTooLarge => {
  switch (reason._tag) {
    case "FileTooLarge":
    case "FieldTooLarge":
    case "BodyTooLarge":
    case "TooManyParts":
      return new FormTooLarge()
    case "Parse":
    // A caller who went away in the middle.
    case "InternalError":
      return malformed
  }
}

/** One part of a form: a text, or a file that is on this machine's disk. */
export type FormPart =
  | { readonly field: string; readonly text: string }
  | { readonly field: string; readonly path: string }

/** A form, part by part, in the order in which they came. */
export type Form = ReadonlyArray<FormPart>

const received = Effect.fnUntraced(function* (
  parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>
) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const directory = yield* Effect.orDie(files.makeTempDirectoryScoped())
  const form: Array<FormPart> = []

  const write = Effect.fnUntraced(function* (file: Multipart.File) {
    const path = paths.join(directory, String(form.length))
    let size = 0
    const counted = Stream.map(file.content, (piece) => {
      size += piece.length
      return piece
    })
    yield* Stream.run(counted, files.sink(path)).pipe(
      Effect.catchTag("PlatformError", (fault) => Effect.die(fault))
    )
    // So browsers send a field for a file when none was chosen.
    if (size > 0 || file.name !== "") form.push({ field: file.key, path })
  })

  yield* Stream.runForEach(parts, (part) =>
    part._tag === "File"
      ? write(part)
      : Effect.sync(() => void form.push({ field: part.key, text: part.value }))
  )
  return form
})

/** What came of reading a request's form; the request itself is known by what it was made of. */
const readAlready = new WeakMap<object, Exit.Exit<Form, MalformedRequest | FormTooLarge>>()

/** The request's form: the same however often it is asked for. */
export const formOf = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<Form, MalformedRequest | FormTooLarge, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.suspend(() => {
    if (!/^multipart\/form-data\s*;/iu.test(request.headers["content-type"] ?? ""))
      return Effect.fail(
        new MalformedRequest({
          reason: "The content type is not one that this route reads; send multipart/form-data"
        })
      )
    return (
      readAlready.get(request.source) ??
      received(request.multipartStream).pipe(
        Effect.provideContext(limits),
        Effect.catchTag("MultipartError", (error) => Effect.fail(refusal(error))),
        Effect.onExit((exit) => Effect.sync(() => readAlready.set(request.source, exit)))
      )
    )
  })

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
 * What a form says, as a text: each part with its field and its text, or the digest of its file. Neither the boundary
 * that the client drew for it nor what it calls its files is part of that, so that who sends a form again sends the
 * same.
 */
export const contentOfForm = Effect.fnUntraced(function* (form: Form) {
  const said: Array<readonly [field: string, value: string | { readonly sha256: string }]> = []
  for (const part of form)
    said.push([part.field, "text" in part ? part.text : { sha256: yield* digestOf(part.path) }])
  return JSON.stringify(said)
})
