/** The header with the reason for an administrative change, for the audit log. */
import { Effect, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { ChangeReason, fieldIssues, InvalidInput } from "@livery/domain"
import { reasonHeader } from "@livery/contract"
import { headerOf } from "./IncomingRequest.ts"

const decode = Schema.decodeEffect(Schema.Struct({ [reasonHeader]: ChangeReason }))

const invalid = new InvalidInput({ issues: [{ field: reasonHeader, issue: "invalid" }] })

const unescaped = (text: string) => Effect.try({ try: () => decodeURIComponent(text), catch: () => invalid })

/** The reason of a request, `null` if it has none; `InvalidInput` if it is malformed or too long. */
export const reasonOf = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<string | null, InvalidInput> => {
  const header = headerOf(request, "x-audit-reason")
  if (header === undefined) return Effect.succeed(null)
  return Effect.flatMap(unescaped(header), (text) =>
    decode({ [reasonHeader]: text }).pipe(
      Effect.map((decoded) => decoded[reasonHeader]),
      Effect.mapError(({ issue }) => new InvalidInput({ issues: fieldIssues(issue) }))
    )
  )
}
