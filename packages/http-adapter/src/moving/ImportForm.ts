/** The form that imports a table. */
import { Effect, FileSystem, Option, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { type FieldIssue, ImportKind, InvalidInput, mapOfText } from "@livery/domain"
import { formOf } from "../http/decoding/Forms.ts"

const wrong = (issues: ReadonlyArray<FieldIssue>) => new InvalidInput({ issues })

const decodeKind = Schema.decodeUnknownOption(ImportKind)
const decodeFlag = Schema.decodeUnknownOption(Schema.Literals(["true", "false", ""]))

/** The bytes of the form's file, and the terms from its other fields. `InvalidInput` names every wrong field. */
export const importOf = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const files = yield* FileSystem.FileSystem
  const form = yield* formOf(request)
  const sent = new Map(form.map((part) => [part.field, part]))
  const textOf = (field: string) => {
    const part = sent.get(field)
    return part !== undefined && "text" in part ? part.text : undefined
  }
  const file = sent.get("file")
  const kind = decodeKind(textOf("as"))
  const map = mapOfText(textOf("map") ?? "")
  const dryRun = decodeFlag(textOf("dry_run") ?? "")
  if (file === undefined || Option.isNone(kind) || Option.isNone(map) || Option.isNone(dryRun))
    return yield* wrong([
      ...(file === undefined ? [{ field: "file", issue: "required" as const }] : []),
      ...(Option.isNone(kind)
        ? [
            {
              field: "as",
              issue: textOf("as") === undefined ? ("required" as const) : ("unknown_value" as const),
              accepted: ImportKind.literals.join(", ")
            }
          ]
        : []),
      ...(Option.isNone(map) ? [{ field: "map", issue: "invalid" as const }] : []),
      ...(Option.isNone(dryRun) ? [{ field: "dry_run", issue: "invalid" as const }] : [])
    ])
  const bytes =
    "text" in file ? new TextEncoder().encode(file.text) : yield* Effect.orDie(files.readFile(file.path))
  return { bytes, kind: kind.value, map: map.value, dryRun: dryRun.value === "true" }
})

/** A form with a table. */
export type ImportForm = Effect.Success<ReturnType<typeof importOf>>
