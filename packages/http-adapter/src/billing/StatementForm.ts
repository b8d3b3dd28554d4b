/** The form that imports a bank statement. */
import { Effect, FileSystem, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { InvalidInput, type Issue, maxStatementBytes, StatementColumns } from "@livery/domain"
import { formOf, FormTooLarge } from "../http/decoding/Forms.ts"
import { refusedFields } from "../http/decoding/Refusals.ts"

const wrongFile = (issue: Issue) => new InvalidInput({ issues: [{ field: "file", issue }] })

const decodeColumns = Schema.decodeUnknownEffect(StatementColumns, { errors: "all" })

/** Many banks still write their files in Windows-1252, which reads any bytes. */
const textOf = (bytes: Uint8Array) => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}

/** The text of the form's file, or of a field of the same name, and the names of the columns. */
export const statementOf = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const files = yield* FileSystem.FileSystem
  const form = yield* formOf(request)
  const [file, ...others] = form.filter(({ field }) => field === "file")
  if (file === undefined) return yield* wrongFile("required")
  if (others.length > 0) return yield* wrongFile("invalid")
  if ("path" in file && (yield* Effect.orDie(files.stat(file.path))).size > maxStatementBytes)
    return yield* Effect.fail(new FormTooLarge())
  const text = "text" in file ? file.text : textOf(yield* Effect.orDie(files.readFile(file.path)))
  const fields = form.flatMap((part) => ("text" in part && part !== file ? [[part.field, part.text]] : []))
  const columns = yield* Effect.mapError(decodeColumns(Object.fromEntries(fields)), refusedFields)
  return { text, columns }
})
