/** The refusals of requests that do not decode: an unreadable body, a malformed id, or wrong fields. */
import { type Schema, SchemaAST, type SchemaIssue } from "effect"
import { type FieldIssue, fieldIssues, InvalidInput, NotFound } from "@livery/domain"
import { MalformedRequest } from "@livery/contract"

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

/** The refusal of a body whose objects have these fields twice, with its other wrong fields. */
export const duplicatedFields = (duplicates: ReadonlyArray<string>, error?: Schema.SchemaError) =>
  new InvalidInput({
    issues: [
      ...duplicates.map((field) => ({ field, issue: "invalid" as const })),
      ...(error === undefined ? [] : fieldIssues(error.issue)).filter(
        ({ field }) => field !== "" && !duplicates.includes(field)
      )
    ],
    advice: "An object has each field once"
  })

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
