/** Turns a decoding failure into a refusal: an unreadable body, a malformed id, or wrong fields. */
import { Effect, Layer, type Schema, SchemaAST, type SchemaIssue } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { type FieldIssue, fieldIssues, InvalidInput, NotFound } from "@livery/domain"
import { checkBody } from "./BodyStructure.ts"
import { MalformedRequest } from "../contract/ErrorMap.ts"
import { RequestDecoding } from "../contract/RequestDecoding.ts"

/** Whether the body that did not decode should be a list. */
const expectsList = (issue: SchemaIssue.Issue): boolean => {
  if (!("ast" in issue)) return false
  const types = SchemaAST.isUnion(issue.ast) ? issue.ast.types : [issue.ast]
  return types.every(SchemaAST.isArrays)
}

/** The advice for an issue with the body as a whole. */
const adviceOf = ({ issue }: FieldIssue, isList: boolean) => {
  if (issue === "required")
    return isList
      ? "The body must be a JSON array with at least one entry"
      : "The body has none of the fields that can be changed here; send at least one"
  if (issue === "too_long") return "The body is a list with too many entries"
  return `The body must be a JSON ${isList ? "array" : "object"}`
}

/** The refusal of a body with these issues. `details` names fields; an issue with the body as a whole is in the message. */
const wrongBody = (issue: SchemaIssue.Issue) => {
  const issues = fieldIssues(issue)
  const whole = issues.find(({ field }) => field === "")
  return new InvalidInput({
    issues: issues.filter(({ field }) => field !== ""),
    ...(whole && { advice: adviceOf(whole, expectsList(issue)) })
  })
}

/** The refusal of a malformed id in the path: no record has it. */
export const refusedParams = () => new NotFound({ resource: "record" })

/** The refusal of wrong query parameters or headers. */
export const refusedFields = ({ issue }: Schema.SchemaError) =>
  new InvalidInput({ issues: fieldIssues(issue) })

/** The refusal of a body that is not JSON. */
export const unreadableBody = () => new MalformedRequest({ reason: "The request body is not valid JSON" })

/** The refusal of a body: unreadable if it is empty or not JSON, else its wrong fields. */
export const refusedBody = ({ issue }: Schema.SchemaError, text: string) =>
  // Effect reports a text that does not parse as an invalid value; the bodies of the contract are objects.
  text === "" || issue._tag === "InvalidValue" ? unreadableBody() : wrongBody(issue)

const refusalOf = Effect.fnUntraced(function* (error: HttpApiError.HttpApiSchemaError) {
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
      // Our own response did not encode: a fault, not the caller's error.
      return yield* Effect.die(error)
  }
})

const isSchemaError = <E>(error: E): error is E & HttpApiError.HttpApiSchemaError =>
  HttpApiError.HttpApiSchemaError.is(error)

const refusing = <A, E, R>(app: Effect.Effect<A, E, R>) => Effect.catchIf(app, isSchemaError<E>, refusalOf)

/** The middleware for the routes that Effect's router handles. */
export const RequestDecodingLive = Layer.succeed(RequestDecoding, (app, { endpoint }) =>
  endpoint.payload.has("application/json") ? Effect.andThen(checkBody, refusing(app)) : refusing(app)
)
