/**
 * Forms with files. A form is read once per request, to this machine's disk, and deleted when the response was sent.
 * The idempotency check reads it first if the request has a key; the route then reuses it.
 */
import { Effect, type Exit, FileSystem, Path, type Scope, Stream } from "effect"
import { type HttpServerRequest, Multipart } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { createHash } from "node:crypto"
import { maxUploadBytes } from "@livery/domain"
import { MalformedRequest } from "@livery/contract"

/** The bytes that a form may have beyond its file, for boundaries and part headers. */
const margin = 64 * 1024

/** The most bytes of a form. */
export const maximumForm = maxUploadBytes + 16 * margin

/** The limits above which a form is refused. */
const limits = Multipart.limitsServices({
  maxParts: 20,
  maxFieldSize: margin,
  maxFileSize: maxUploadBytes + margin,
  maxTotalSize: maximumForm
})

/** A form, or a file in one, is too large. The response is that of any other body that is too large. */
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
    // The client disconnected in the middle of the form.
    case "InternalError":
      return malformed
  }
}

/** The body is no form. The response is that of any other wrong content type. */
export class NotAForm {
  readonly _tag = "NotAForm"
}

/** One part of a form: a text, or the path of a file on this machine's disk. */
type FormPart =
  | { readonly field: string; readonly text: string }
  | { readonly field: string; readonly path: string }

/** The parts of a form, in the order in which they were sent. */
export type Form = ReadonlyArray<FormPart>

/** Effect's parser throws for some forms that are cut off, such as one whose part ends within its headers. */
const malformedOnDefect = <A>(parsed: Stream.Stream<A, Multipart.MultipartError>) =>
  Stream.catchDefect(parsed, (defect) => Stream.fail(Multipart.MultipartError.fromReason("Parse", defect)))

/** Reads the parts of a form, with its files to a temporary directory of the scope. */
const readForm = Effect.fnUntraced(function* (
  parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>
) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const directory = yield* Effect.orDie(files.makeTempDirectoryScoped())
  const form: Array<FormPart> = []

  const write = Effect.fnUntraced(function* (file: Multipart.File) {
    const path = paths.join(directory, String(form.length))
    let size = 0
    const counted = Stream.map(malformedOnDefect(file.content), (piece) => {
      size += piece.length
      return piece
    })
    yield* Stream.run(counted, files.sink(path)).pipe(
      Effect.catchTag("PlatformError", (fault) => Effect.die(fault))
    )
    // Browsers send an empty file for a file field without a chosen file.
    if (size > 0 || file.name !== "") form.push({ field: file.key, path })
  })

  yield* Stream.runForEach(malformedOnDefect(parts), (part) =>
    part._tag === "File"
      ? write(part)
      : Effect.sync(() => void form.push({ field: part.key, text: part.value }))
  )
  return form
})

/** The results of reading forms, by the source of the request, because the request object itself is copied. */
const readForms = new WeakMap<object, Exit.Exit<Form, MalformedRequest | FormTooLarge>>()

/** The request's form. It is read on the first call; later calls return the same result. */
export const formOf = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<
  Form,
  MalformedRequest | FormTooLarge | NotAForm,
  FileSystem.FileSystem | Path.Path | Scope.Scope
> =>
  Effect.suspend((): ReturnType<typeof formOf> => {
    if (!/^multipart\/form-data\s*;/iu.test(request.headers["content-type"] ?? ""))
      return Effect.fail(new NotAForm())
    return (
      readForms.get(request.source) ??
      readForm(request.multipartStream).pipe(
        Effect.provideContext(limits),
        Effect.catchTag("MultipartError", (error) => Effect.fail(refusal(error))),
        Effect.onExit((exit) => Effect.sync(() => readForms.set(request.source, exit)))
      )
    )
  })

/** Whether a route takes forms. */
export const acceptsForms = (endpoint: HttpApiEndpoint.Top): boolean =>
  [...endpoint.payload.values()].some(({ encoding }) => encoding._tag === "Multipart")

/** The digest of a file. It is read in pieces: only the route limits how many whole files are in memory. */
const digestOf = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const hash = createHash("sha256")
  yield* Effect.orDie(Stream.runForEach(files.stream(path), (piece) => Effect.sync(() => hash.update(piece))))
  return hash.digest("hex")
})

/**
 * The content of a form as a text: each part's field with its text or the digest of its file. It excludes the boundary
 * and the file names, which the client may choose differently when it sends the same form again.
 */
export const contentOfForm = Effect.fnUntraced(function* (form: Form) {
  const fields: Array<readonly [field: string, value: string | { readonly sha256: string }]> = []
  for (const part of form)
    fields.push([part.field, "text" in part ? part.text : { sha256: yield* digestOf(part.path) }])
  return JSON.stringify(fields)
})
