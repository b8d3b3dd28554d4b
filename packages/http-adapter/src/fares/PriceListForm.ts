/** The form that imports a price list. */
import { Effect, FileSystem, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { InvalidInput, type Issue, maxPriceListLength, PriceListTerms } from "@livery/domain"
import { formOf, FormTooLarge } from "../http/decoding/Forms.ts"
import { refusedFields } from "../http/decoding/Refusals.ts"

const wrongFile = (issue: Issue) => new InvalidInput({ issues: [{ field: "file", issue }] })

const words: Readonly<Record<string, unknown>> = { true: true, false: false }

const decodeTerms = Schema.decodeUnknownEffect(PriceListTerms, { errors: "all" })

/** The CSV text of the form, from its file or a field of the same name, and the terms from its other fields. */
export const priceListOf = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const files = yield* FileSystem.FileSystem
  const form = yield* formOf(request)
  const [file, ...others] = form.filter(({ field }) => field === "file")
  if (file === undefined) return yield* wrongFile("required")
  if (others.length > 0) return yield* wrongFile("invalid")
  if ("path" in file && (yield* Effect.orDie(files.stat(file.path))).size > 4 * maxPriceListLength)
    return yield* Effect.fail(new FormTooLarge())
  const csv = "text" in file ? file.text : yield* Effect.orDie(files.readFileString(file.path))
  const fields = form.flatMap((part) => ("text" in part && part !== file ? [[part.field, part.text]] : []))
  const sent: Readonly<Record<string, unknown>> = Object.fromEntries(fields)
  const { replace = null } = sent
  const terms = yield* Effect.mapError(
    decodeTerms({ ...sent, replace: words[String(replace)] ?? replace }),
    refusedFields
  )
  return { csv, terms }
})
