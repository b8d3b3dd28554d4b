/** Forms that have one file, in the part `file`, and terms in their other fields. */
import { Effect, FileSystem, Path, Result, Schema, SchemaTransformation } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { check, fieldIssues, type FieldIssue, InvalidInput } from "@livery/domain"
import { formOf, FormTooLarge, NotAForm } from "./Forms.ts"

const wrongFile = (issue: FieldIssue["issue"]): FieldIssue => ({ field: "file", issue })

/** A yes or no that a form sends as `true` or `false`; no if it is absent. */
export const formFlag = Schema.String.check(
  check("invalid", (text) => text === "true" || text === "false")
).pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform({ decode: (text) => text === "true", encode: String })
  ),
  Schema.withDecodingDefaultKey(Effect.succeed("false"))
)

/**
 * The bytes of the form's only file and the terms from its other fields, of which blank ones count as absent. The file may also be
 * sent as a text. `InvalidInput` names every wrong field. `FormTooLarge` for a file of more than `maxBytes`.
 */
export const fileFormOf = Effect.fnUntraced(function* <A, I>(
  request: HttpServerRequest.HttpServerRequest,
  schema: Schema.Codec<A, I>,
  maxBytes: number
) {
  const files = yield* FileSystem.FileSystem
  const form = yield* formOf(request)
  const [file, ...others] = form.filter(
    (part) => part.field === "file" && !("text" in part && part.text === "")
  )
  const texts = form.flatMap((part) =>
    "text" in part && part.text !== "" && part.field !== "file" ? [[part.field, part.text] as const] : []
  )
  const terms = Schema.decodeUnknownResult(schema, { errors: "all", reportInput: true })(
    Object.fromEntries(texts)
  )
  const issues = [
    ...(file === undefined ? [wrongFile("required")] : others.length > 0 ? [wrongFile("invalid")] : []),
    ...(Result.isFailure(terms) ? fieldIssues(terms.failure.issue) : [])
  ]
  if (file === undefined || Result.isFailure(terms) || issues.length > 0)
    return yield* new InvalidInput({ issues })
  if ("path" in file && (yield* Effect.orDie(files.stat(file.path))).size > maxBytes)
    return yield* Effect.fail(new FormTooLarge())
  const bytes =
    "text" in file ? new TextEncoder().encode(file.text) : yield* Effect.orDie(files.readFile(file.path))
  return { bytes, terms: terms.success }
})

type Unread = FormTooLarge | NotAForm

const isUnread = <E>(error: E): error is Extract<E, Unread> =>
  error instanceof FormTooLarge || error instanceof NotAForm

/** Builds the wrapper of a route that reads a form: it provides the disk for the files, and answers a body that is no form. */
export const makeFormRoute = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  return <A, E, R>(work: Effect.Effect<A, E, R>) =>
    work.pipe(
      // Only these two services: the scope of the form's temporary files must stay that of the request.
      Effect.provideService(FileSystem.FileSystem, files),
      Effect.provideService(Path.Path, paths),
      Effect.catchIf(isUnread<E>, (error: Unread) =>
        Effect.succeed(HttpServerResponse.empty({ status: error._tag === "FormTooLarge" ? 413 : 415 }))
      )
    )
})
