/** Refusals, and how each becomes the error envelope. */
import { tripParameters } from "./answers.js"

/** A refusal with its status, type and optional details. */
export class Refusal extends Error {
  constructor(statusCode, type, message, details) {
    super(message)
    this.statusCode = statusCode
    this.type = type
    this.details = details
  }
}

export const unauthorized = () =>
  new Refusal(401, "unauthorized", "The credential is missing, invalid or expired")

export const suspended = () => new Refusal(403, "account_suspended", "This account is suspended")

export const tooMany = () => new Refusal(429, "rate_limited", "Too many requests; try again shortly")

export const notFound = (resource) => new Refusal(404, "not_found", `No such ${resource}`)

const worded = ({ accepted, field, issue }) =>
  accepted === undefined ? `${field} ${issue}` : `${field} ${issue} (accepted: ${accepted})`

/** A refusal that names each wrong field with the word for what is wrong with it, and in its message the accepted values. */
export const invalid = (issues) =>
  new Refusal(
    422,
    "invalid_request",
    issues.length === 0
      ? "The input is not valid"
      : `The input is not valid: ${issues.map(worded).join(", ")}`,
    issues.map(({ field, issue }) => ({ field, issue }))
  )

/** The word for what each of Ajv's keywords finds wrong. `pattern` is used for "not blank" alone. */
const words = {
  additionalProperties: "unknown_value",
  required: "required",
  pattern: "required",
  enum: "unknown_value",
  minimum: "out_of_range",
  maximum: "out_of_range",
  maxLength: "too_long"
}

const fieldOf = (error) =>
  error.keyword === "required"
    ? error.params.missingProperty
    : error.keyword === "additionalProperties"
      ? error.params.additionalProperty
      : error.instancePath.slice(1).replaceAll("/", ".")

const wordOf = ({ data, keyword }) =>
  keyword === "type" && data === null ? "required" : (words[keyword] ?? "invalid")

/** The bounds of a number, in words. */
const boundsOf = ({ maximum, minimum }) => {
  if (minimum === undefined) return `at most ${maximum}`
  return maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`
}

/** The values that a field takes, its bounds, or the names of the parameters; undefined if the error is not about them. */
const acceptedBy = ({ keyword, params, parentSchema }) => {
  if (keyword === "enum") return params.allowedValues.filter((value) => value !== null).join(", ")
  if (words[keyword] === "out_of_range") return boundsOf(parentSchema)
  return keyword === "additionalProperties" ? tripParameters : undefined
}

/** Ajv's errors as issues, one for each field, in the order of the schema's properties. */
const issuesOf = (errors, schema) => {
  const found = new Map()
  for (const error of errors) {
    const field = fieldOf(error)
    if (field !== "" && !found.has(field))
      found.set(field, { issue: wordOf(error), accepted: acceptedBy(error) })
  }
  const order = Object.keys(schema.properties)
  return [...found]
    .map(([field, issue]) => ({ field, ...issue }))
    .sort((one, other) => order.indexOf(one.field) - order.indexOf(other.field))
}

/** The refusal that any error stands for. */
export const refusalOf = (error, routeSchema) => {
  if (error instanceof Refusal) return error
  if (error.validation !== undefined) {
    if (error.validationContext === "params") return notFound("record")
    return invalid(issuesOf(error.validation, routeSchema[error.validationContext]))
  }
  if (error.statusCode === 413) return new Refusal(413, "invalid_request", "The request body is too large")
  if (error.code === "FST_ERR_CTP_INVALID_JSON_BODY")
    return new Refusal(400, "invalid_request", "The request body is not valid JSON")
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new Refusal(400, "invalid_request", "The request could not be read")
  return new Refusal(500, "server_error", "The server failed; it is safe to try again")
}

/** A refusal in the error envelope. */
export const errorBody = ({ details, message, type }, requestId) =>
  JSON.stringify({
    error: details === undefined || details.length === 0 ? { type, message } : { type, message, details },
    meta: { request_id: requestId }
  })
