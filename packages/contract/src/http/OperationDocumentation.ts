/**
 * Completes the OpenAPI operations: adds the headers that every route of a kind takes, and the faults that any route
 * can return.
 */
import { Predicate, Schema } from "effect"
import {
  basePath,
  ignoresIdempotencyKey,
  noParameter,
  reasonHeader,
  takesIdempotencyKey
} from "./Contract.ts"
import { bareStatus } from "./ErrorMap.ts"
import { withBaseAddress } from "./DocumentPaths.ts"
import { withExample } from "../openapi/Examples.ts"
import { describedFilter } from "../openapi/Filters.ts"
import { type Json, listOf, objectOf } from "../openapi/Json.ts"
import {
  commonHeaders,
  descriptionOf,
  driverToken,
  tagDescriptions,
  requiresDriverToken,
  requiresSuperAdmin,
  withCommonHeaders,
  withRequestId
} from "../openapi/Operations.ts"
import { simplified, withNamedSchemas } from "../openapi/Schemas.ts"

const Fields = Schema.Record(Schema.String, Schema.Unknown)

const Operation = Schema.StructWithRest(
  Schema.Struct({
    parameters: Schema.optionalKey(Schema.Array(Schema.Unknown)),
    requestBody: Schema.optionalKey(Schema.Unknown),
    responses: Fields
  }),
  [Fields]
)
type Operation = typeof Operation.Type

const Document = Schema.StructWithRest(
  Schema.Struct({
    paths: Schema.Record(Schema.String, Schema.Record(Schema.String, Operation)),
    components: Schema.StructWithRest(Schema.Struct({ schemas: Fields }), [Fields])
  }),
  [Fields]
)

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Identifies the request, so that it can be sent again: the same key and body within 24 hours get the first response, " +
    "with `Idempotency-Replayed: true`, and change nothing. The same key with another body is 409 `conflict`.",
  schema: { type: "string", minLength: 1, maxLength: 255 }
}

const businessId = {
  name: "X-Business-Id",
  in: "header",
  required: false,
  description:
    "The business that a user acts for; required for users with several businesses. API keys belong to one business.",
  schema: { type: "integer", minimum: 1 }
}

const auditReason = {
  name: reasonHeader,
  in: "header",
  required: false,
  description:
    "The reason for the change, for the audit log: up to 500 characters, in UTF-8 with percent-encoding. A `reason` in the " +
    "body takes precedence.",
  schema: { type: "string" }
}

const ifNoneMatch = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description:
    "The `ETag` of the record as it was read before: 304 without a body if it has not changed since.",
  schema: { type: "string" }
}

const notModified = { 304: { description: "The record has not changed since it was read with that `ETag`." } }

const text = { type: "string" }

/** The error responses that no route declares, by status, with the name of their component. */
const undeclared = {
  405: "MethodNotAllowedError",
  413: "BodyTooLargeError",
  415: "UnsupportedMediaTypeError",
  500: "ServerError"
} as const

type Undeclared = keyof typeof undeclared

const schemaOf = (status: Undeclared) => ({
  type: "object",
  properties: {
    error: {
      type: "object",
      properties: {
        type: { type: "string", enum: [bareStatus(status).type] },
        message: text,
        details: {
          type: "array",
          items: { type: "object" },
          description: "Absent: only errors of other types have details."
        }
      },
      required: ["type", "message"]
    },
    meta: { type: "object", properties: { request_id: text }, required: ["request_id"] }
  },
  required: ["error", "meta"]
})

const faultDescription =
  "The server failed. The message says whether it is safe to try again, and `Retry-After` when"

const undeclaredResponse = (status: Undeclared) => ({
  [status]: {
    description: status === 500 ? faultDescription : bareStatus(status).message,
    content: { "application/json": { schema: { $ref: `#/components/schemas/${undeclared[status]}` } } }
  }
})

/** Whether a route acts for a business that the caller may name: only those can refuse a caller for naming none. */
const actsForBusiness = ({ responses }: Operation) =>
  JSON.stringify(responses).includes("BusinessRequiredError")

/** The 409 response that the accesses declare on each of their routes, for an `Idempotency-Key`. */
const conflictSchema = JSON.stringify({ $ref: "#/components/schemas/ConflictError" })

const hasName = (parameter: unknown) =>
  !Predicate.hasProperty(parameter, "name") || parameter.name !== noParameter

/** An operation with its description, the shared parameters and the undeclared responses. */
const completed = (
  method: string,
  operation: Operation,
  canBeNotFound: boolean,
  roles: ReadonlyArray<string> | undefined
): Operation => {
  const { parameters: declared = [], requestBody, responses } = operation
  const parameters = declared.filter(hasName).map(describedFilter)
  const { 409: conflict, ...others } = responses
  const repeats =
    operation[takesIdempotencyKey] === true ||
    (method === "post" && operation[ignoresIdempotencyKey] !== true)
  const hasTag = method === "get" && JSON.stringify(responses["200"] ?? {}).includes('"etag"')
  const editsSafely = JSON.stringify(parameters).includes('"if-match"')
  // A conflict needs a repeatable request, an `If-Match`, or an error that the route itself declares.
  const canConflict =
    method !== "get" &&
    (repeats || editsSafely || !JSON.stringify(conflict ?? {}).includes(`{"schema":${conflictSchema}}`))
  const statuses = {
    ...(canConflict ? responses : others),
    ...(hasTag ? notModified : {}),
    ...undeclaredResponse(405),
    ...(requestBody === undefined ? {} : { ...undeclaredResponse(413), ...undeclaredResponse(415) }),
    ...undeclaredResponse(500)
  }
  return {
    ...operation,
    description: descriptionOf(operation, { editsSafely, repeats, roles }),
    parameters: [
      ...parameters,
      ...(requiresDriverToken(operation) ? [driverToken] : []),
      ...(actsForBusiness(operation) ? [businessId] : []),
      ...(method !== "get" && requiresSuperAdmin(operation) ? [auditReason] : []),
      ...(repeats ? [idempotencyKey] : []),
      ...(hasTag ? [ifNoneMatch] : [])
    ],
    responses: Object.fromEntries(
      Object.entries(statuses)
        .filter(([status]) => status !== "404" || canBeNotFound)
        .map(([status, response]) => [status, withCommonHeaders(status, objectOf(response), repeats)])
    )
  }
}

/** The parts of the document that describe the API as a whole. */
const common = {
  license: { name: "MIT", identifier: "MIT" },
  contact: { name: "The maintainers of Livery" }
}

const withTags = (tags: unknown) =>
  listOf(tags).map((tag) => {
    const { name } = objectOf(tag)
    return { ...objectOf(tag), description: tagDescriptions[String(name)] ?? String(name) }
  })

/** The operation of a probe, which refers to no record and never responds 404. */
const probeOperation = ([method, operation]: readonly [string, Operation]) => {
  const { 404: _absent, ...responses } = operation.responses
  const description = descriptionOf(operation, { editsSafely: false, repeats: false })
  const complete = Object.entries(responses).map(([status, response]) => [
    status,
    withRequestId(objectOf(response))
  ])
  return [method, { ...operation, responses: Object.fromEntries(complete), description }]
}

const withExamples = (document: Json, operation: unknown): Json => {
  const { requestBody, responses, ...rest } = objectOf(operation)
  const bodyWithExample = (body: unknown) => {
    const { content } = objectOf(body)
    return content === undefined ? body : { ...objectOf(body), content: withExample(document, content) }
  }
  return {
    ...rest,
    ...(requestBody === undefined ? {} : { requestBody: bodyWithExample(requestBody) }),
    responses: Object.fromEntries(
      Object.entries(objectOf(responses)).map(([status, response]) => [status, bodyWithExample(response)])
    )
  }
}

const eachOperation = (paths: unknown, change: (operation: unknown) => Json): Json =>
  Object.fromEntries(
    Object.entries(objectOf(paths)).map(([path, item]) => [
      path,
      Object.fromEntries(Object.entries(objectOf(item)).map(([method, it]) => [method, change(it)]))
    ])
  )

/**
 * Facts about routes that the document lacks, by the id of their operation.
 *
 * - `declaresNotFound`: whether the route itself declares 404. Routes with an id in their path may respond 404 anyway.
 * - `rolesOf`: the roles of the members who may call it; undefined if it acts for no business.
 */
interface RouteFacts {
  readonly declaresNotFound: (operationId: string) => boolean
  readonly rolesOf: (operationId: string) => ReadonlyArray<string> | undefined
}

const completedPath = (path: string, operations: Readonly<Record<string, Operation>>, routes: RouteFacts) => {
  if (!path.startsWith(`${basePath}/`))
    return Object.fromEntries(Object.entries(operations).map(probeOperation))
  return Object.fromEntries(
    Object.entries(operations).map(([method, operation]) => {
      const id = String(operation["operationId"])
      const canBeNotFound = path.includes("{") || routes.declaresNotFound(id)
      return [method, completed(method, operation, canBeNotFound, routes.rolesOf(id))]
    })
  )
}

const completedPaths = (paths: typeof Document.Type.paths, routes: RouteFacts) =>
  Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [path, completedPath(path, operations, routes)])
  )

/** Completes the document of the API; for `OpenApi.annotations({ transform })`. */
export const withOperations = (
  document: Record<string, unknown>,
  routes: RouteFacts
): Record<string, unknown> => {
  const { components, info, paths, tags, ...rest } = Schema.decodeUnknownSync(Document)(document)
  const complete = withNamedSchemas(
    simplified({
      ...rest,
      info: { ...objectOf(info), license: common.license, contact: common.contact },
      tags: withTags(tags),
      paths: completedPaths(paths, routes),
      components: {
        ...components,
        headers: commonHeaders,
        schemas: {
          ...components.schemas,
          ...Object.fromEntries(
            ([405, 413, 415, 500] as const).map((status) => [undeclared[status], schemaOf(status)])
          )
        }
      }
    })
  )
  return withBaseAddress({
    ...complete,
    paths: eachOperation(complete["paths"], (operation) => withExamples(complete, operation)),
    ...(complete["webhooks"] === undefined
      ? {}
      : { webhooks: eachOperation(complete["webhooks"], (operation) => withExamples(complete, operation)) })
  })
}
