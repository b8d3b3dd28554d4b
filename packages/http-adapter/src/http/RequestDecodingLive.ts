/** How a request that does not decode is refused: as unreadable, for a malformed id, or for wrong fields. */
import { Effect } from "effect"
import type { Schema } from "effect"
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

/** What is wrong with the body as a whole belongs to no field. */
const ofFields = (issues: ReadonlyArray<FieldIssue>) => issues.filter(({ field }) => field !== "")

/** The refusal of a malformed id in the path: no record has it. */
export const refusedParams = () => new NotFound({ resource: "record" })

/** The refusal of wrong query parameters or headers. */
export const refusedFields = ({ issue }: Schema.SchemaError) =>
  new InvalidInput({ issues: fieldIssues(issue) })

/** The refusal of a body that is no JSON. */
export const unreadableBody = () => new MalformedRequest({ reason: "The request body is not valid JSON" })

/** The refusal of a body. Only then is it parsed a second time, to tell what is no JSON from wrong fields. */
export const refusedBody = ({ issue }: Schema.SchemaError, text: string) =>
  parses(text) ? new InvalidInput({ issues: ofFields(fieldIssues(issue)) }) : unreadableBody()

/** Refuses what does not decode, for routes that Effect's router handles. */
export const RequestDecodingLive = HttpApiMiddleware.layerSchemaErrorTransform(
  RequestDecoding,
  Effect.fnUntraced(function* (error) {
    switch (error.kind) {
      case "Params":
        return yield* refusedParams()
      case "Payload": {
        const request = yield* HttpServerRequest.HttpServerRequest
        const text = yield* Effect.orElseSucceed(request.text, () => "")
        return yield* refusedBody(error.cause, text)
      }
      case "Query":
      case "Headers":
        return yield* refusedFields(error.cause)
      default:
        // Our own response did not encode: a fault, not the caller's.
        return yield* Effect.die(error)
    }
  })
)
