/** How a request that does not decode is told apart: unreadable, with a malformed id, or with wrong fields. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { type FieldIssue, fieldIssues, InvalidInput, NotFound } from "@livery/domain"
import { MalformedRequest } from "./ErrorMap.ts"
import { RequestDecoding } from "./RequestDecoding.ts"

const parses = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Only on the way to a refusal, so the body is parsed twice for bad requests alone. */
const unreadable = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  return !parses(yield* Effect.orElseSucceed(request.text, () => ""))
})

/** What is wrong with the body as a whole belongs to no field. */
const ofFields = (issues: ReadonlyArray<FieldIssue>) => issues.filter(({ field }) => field !== "")

export const RequestDecodingLive = HttpApiMiddleware.layerSchemaErrorTransform(
  RequestDecoding,
  Effect.fnUntraced(function* (error) {
    switch (error.kind) {
      case "Params":
        return yield* new NotFound({ resource: "record" })
      case "Payload":
        if (yield* unreadable)
          return yield* new MalformedRequest({ reason: "The request body is not valid JSON" })
        return yield* new InvalidInput({ issues: ofFields(fieldIssues(error.cause.issue)) })
      case "Query":
      case "Headers":
        return yield* new InvalidInput({ issues: fieldIssues(error.cause.issue) })
      default:
        // Our own answer did not encode: a fault, not the caller's.
        return yield* Effect.die(error)
    }
  })
)
