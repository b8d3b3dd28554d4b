/**
 * Completes the OpenAPI operations: adds the headers that every route of a kind takes, and the faults that any route
 * can return.
 */
import { Predicate, Schema } from "effect"
import { basePath, ignoresIdempotencyKey, noParameter } from "./Contract.ts"
import { bareStatus } from "./ErrorMap.ts"

const Json = Schema.Record(Schema.String, Schema.Unknown)

const Operation = Schema.StructWithRest(
  Schema.Struct({
    parameters: Schema.optionalKey(Schema.Array(Schema.Unknown)),
    requestBody: Schema.optionalKey(Schema.Unknown),
    responses: Json
  }),
  [Json]
)
type Operation = typeof Operation.Type

const Document = Schema.StructWithRest(
  Schema.Struct({
    paths: Schema.Record(Schema.String, Schema.Record(Schema.String, Operation)),
    components: Schema.StructWithRest(Schema.Struct({ schemas: Json }), [Json])
  }),
  [Json]
)

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Names the request, so that it can be sent again: the same key and body within 24 hours get the first answer, " +
    "with `Idempotency-Replayed: true`, and change nothing. Another body is 409 `conflict`.",
  schema: { type: "string", minLength: 1, maxLength: 255 }
}

const businessId = {
  name: "X-Business-Id",
  in: "header",
  required: false,
  description:
    "The business that a user acts for; may be left out by who has only one. An API key names its business itself.",
  schema: { type: "integer", minimum: 1 }
}

const text = { type: "string" }

/** The error responses that no route declares, by status, with the name of their component. */
const undeclared = { 413: "BodyTooLargeError", 500: "ServerError" } as const

type Undeclared = keyof typeof undeclared

const schemaOf = (status: Undeclared) => ({
  type: "object",
  properties: {
    error: {
      type: "object",
      properties: { type: { type: "string", enum: [bareStatus(status).type] }, message: text },
      required: ["type", "message"]
    },
    meta: { type: "object", properties: { request_id: text }, required: ["request_id"] }
  },
  required: ["error", "meta"]
})

const ofFaults =
  "Something went wrong on our side. The message says whether it is safe to try again, and Retry-After when"

const answer = (status: Undeclared) => ({
  [status]: {
    description: status === 500 ? ofFaults : bareStatus(status).message,
    content: { "application/json": { schema: { $ref: `#/components/schemas/${undeclared[status]}` } } }
  }
})

/** Removes `additionalProperties: false` from the schemas of bodies, because unknown fields of a body are ignored. */
const lenient = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(lenient)
  if (typeof schema !== "object" || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => key !== "additionalProperties" || value !== false)
      .map(([key, value]) => [key, lenient(value)])
  )
}

/** Whether a route acts for a business that the caller may name: only those can refuse a caller for naming none. */
const actsForBusiness = ({ responses }: Operation) =>
  JSON.stringify(responses).includes("BusinessRequiredError")

/** The 409 response that the accesses declare for an `Idempotency-Key`, on every route that they share. */
const mayClash = JSON.stringify({ $ref: "#/components/schemas/ConflictError" })

const isNamed = (parameter: unknown) =>
  !Predicate.hasProperty(parameter, "name") || parameter.name !== noParameter

const described = (method: string, operation: Operation): Operation => {
  const { parameters: declared = [], requestBody, responses } = operation
  const parameters = declared.filter(isNamed)
  const { 409: conflict, ...others } = responses
  const repeats = method === "post" && operation[ignoresIdempotencyKey] !== true
  const editsSafely = JSON.stringify(parameters).includes('"if-match"')
  // A conflict is only possible where a request can be sent again under a key, or can be stale.
  const clashes =
    method !== "get" &&
    (repeats || editsSafely || !JSON.stringify(conflict ?? {}).includes(`{"schema":${mayClash}}`))
  return {
    ...operation,
    parameters: [
      ...parameters,
      ...(actsForBusiness(operation) ? [businessId] : []),
      ...(repeats ? [idempotencyKey] : [])
    ],
    ...(requestBody === undefined ? {} : { requestBody: lenient(requestBody) }),
    responses: {
      ...(clashes ? responses : others),
      ...(requestBody === undefined ? {} : answer(413)),
      ...answer(500)
    }
  }
}

/** Completes the operations of the API; for `OpenApi.annotations({ transform })`. */
export const withOperations = (document: Record<string, unknown>): Record<string, unknown> => {
  const { components, paths, ...rest } = Schema.decodeUnknownSync(Document)(document)
  return {
    ...rest,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [
        path,
        path.startsWith(`${basePath}/`)
          ? Object.fromEntries(Object.entries(item).map(([method, it]) => [method, described(method, it)]))
          : item
      ])
    ),
    components: {
      ...components,
      schemas: {
        ...components.schemas,
        [undeclared[413]]: schemaOf(413),
        [undeclared[500]]: schemaOf(500)
      }
    }
  }
}
