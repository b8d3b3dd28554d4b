/** The operations behind the tools, read from the OpenAPI document: their arguments, and the request that a call makes. */
import {
  Api,
  documentedOperations,
  isObject,
  type Json,
  listOf,
  objectOf,
  permissionOf,
  textOf
} from "@livery/contract"
import { fieldIssues, type Permission } from "@livery/domain"
import { Result, Schema } from "effect"
import { HttpApi, type HttpApiEndpoint, OpenApi } from "effect/http-api"
import { type McpTool, mcpTools } from "./McpTools.ts"

/** A request of a tool, below the server's address. */
export interface ToolRequest {
  readonly method: string
  readonly path: string
  readonly body: Json | undefined
}

/** The arguments of a call after decoding: the body, and the wrong ones as `details` of a refusal name them. */
interface ReadArguments {
  readonly body: Json
  readonly wrongInPath: ReadonlyArray<Json>
  readonly wrongInBody: ReadonlyArray<Json>
}

/** A tool with what a call of it needs. */
export interface ToolOperation extends McpTool {
  readonly method: string
  readonly permission: Permission | undefined
  /** The JSON schema of the arguments. */
  readonly inputSchema: Json
  readonly requestOf: (given: Json) => ToolRequest
  /** The request that reads the record which a change concerns; undefined if there is none yet. */
  readonly currentOf: (given: Json) => ToolRequest | undefined
  /** The arguments as the operation reads them. */
  readonly read: (given: Json) => ReadArguments
}

/** The argument that confirms a change. */
export const confirmationArgument = "confirmation_token"

const isCodec = (schema: Schema.Top): schema is Schema.Codec<unknown> => Schema.isSchema(schema)

/** Reads a value by the first of the schemas that accepts it: the value, or its wrong fields by the first schema. */
const readerBy = (schemas: ReadonlyArray<Schema.Top>) => {
  const decoders = schemas
    .filter(isCodec)
    .map((schema) => Schema.decodeUnknownResult(schema, { errors: "all" }))
  return (value: unknown): { readonly value: Json; readonly wrong: ReadonlyArray<Json> } => {
    const results = decoders.map((decode) => decode(value))
    const [first] = results
    const accepted = results.find(Result.isSuccess)
    if (first === undefined || accepted !== undefined || Result.isSuccess(first))
      return { value: objectOf(accepted?.success), wrong: [] }
    return {
      value: {},
      wrong: fieldIssues(first.failure.issue).map(({ field, issue }) => ({ field, issue }))
    }
  }
}

/** A schema with the schemas that it refers to in place of the references. */
const inlined = (schemas: Json, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => inlined(schemas, item))
  if (!isObject(value)) return value
  const { $ref, ...rest } = value
  if (typeof $ref === "string") return inlined(schemas, schemas[$ref.slice($ref.lastIndexOf("/") + 1)])
  return Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, inlined(schemas, inner)]))
}

/** A value as it stands in an address. */
const textIn = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? ""))

/** The part of a path up to its first parameter: the record that the operation concerns. */
const recordPath = (path: string) => /^.*?\{id\}/u.exec(path)?.[0]

const makeToolOperations = (): ReadonlyArray<ToolOperation> => {
  const document = OpenApi.fromApi(Api)
  const schemas = objectOf(document.components.schemas)
  const documented = new Map(
    documentedOperations(document).map((it) => [textOf(it.operation["operationId"]), it])
  )
  const declared = new Map<
    string,
    { readonly permission: Permission | undefined; readonly endpoint: HttpApiEndpoint.Top }
  >()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, mergedAnnotations }) => {
      declared.set(`${group.identifier}.${endpoint.identifier}`, {
        endpoint,
        permission: permissionOf(endpoint, mergedAnnotations)
      })
    }
  })
  return mcpTools.map((tool): ToolOperation => {
    const documentation = documented.get(tool.operation)
    const declaration = declared.get(tool.operation)
    if (documentation === undefined || declaration === undefined)
      throw new Error(`The tool ${tool.name} names no operation: ${tool.operation}`)
    const { method, operation: details, path } = documentation
    const parameters = listOf(details["parameters"])
      .map(objectOf)
      .filter(({ in: place }) => place === "path" || place === "query")
    // A tool that reads all pages takes no page.
    const offered = parameters.filter(
      ({ name }) => tool.keep === undefined || (name !== "page" && name !== "per_page")
    )
    const content = objectOf(objectOf(details["requestBody"])["content"])
    const body = objectOf(inlined(schemas, objectOf(content["application/json"])["schema"]))
    const hasBody = details["requestBody"] !== undefined
    const places = new Map(parameters.map(({ in: place, name }) => [textOf(name), textOf(place)]))
    const writes = method !== "GET" && tool.onlyReads !== true
    const filled = (given: Json): Json => ({ ...tool.defaults, ...given })
    const readPath = readerBy([declaration.endpoint.params].filter((it) => it !== undefined))
    const readBody = readerBy(declaration.endpoint.payload.get("application/json")?.schemas ?? [])
    const pathNames = parameters.filter(({ in: place }) => place === "path").map(({ name }) => textOf(name))
    const pathWith = (template: string, given: Json) =>
      template.replaceAll(/\{(\w+)\}/gu, (_match, name: string) => encodeURIComponent(textIn(given[name])))

    const requestOf = (args: Json): ToolRequest => {
      const given = filled(args)
      const query = new URLSearchParams()
      const fields: Record<string, unknown> = {}
      for (const [name, value] of Object.entries(given)) {
        const place = places.get(name)
        if (name === confirmationArgument || place === "path") continue
        if (place === "query" || !hasBody) query.set(name, textIn(value))
        else fields[name] = value
      }
      const target = pathWith(path, given)
      return {
        method,
        path: query.size === 0 ? target : `${target}?${query.toString()}`,
        body: hasBody ? fields : undefined
      }
    }

    return {
      ...tool,
      method,
      permission: declaration.permission,
      read: (given) => {
        const inPath = pathNames.filter((name) => given[name] !== undefined)
        const path = readPath(Object.fromEntries(inPath.map((name) => [name, textIn(given[name])])))
        const body = hasBody ? readBody(requestOf(given).body) : { value: {}, wrong: [] }
        return { body: body.value, wrongInPath: path.wrong, wrongInBody: body.wrong }
      },
      inputSchema: {
        type: "object",
        properties: {
          ...Object.fromEntries(
            offered.map(({ description, name, schema }) => [
              textOf(name),
              {
                ...objectOf(inlined(schemas, schema)),
                ...(description === undefined ? {} : { description })
              }
            ])
          ),
          ...objectOf(body["properties"]),
          ...(writes
            ? {
                [confirmationArgument]: {
                  type: "string",
                  description:
                    "The token of the preview. Without it, the call returns a preview and changes nothing."
                }
              }
            : {})
        },
        required: [
          ...parameters
            .filter(({ in: place, required }) => place === "path" || required === true)
            .map(({ name }) => name),
          ...listOf(body["required"])
        ]
      },
      requestOf,
      currentOf: (given) => {
        const record = recordPath(path)
        return record === undefined
          ? undefined
          : { method: "GET", path: pathWith(record, given), body: undefined }
      }
    }
  })
}

let made: ReadonlyArray<ToolOperation> | undefined

/**
 * The tools with their operations, in their order. They are made at their first use, because the OpenAPI document takes much
 * memory.
 */
export const toolOperations = (): ReadonlyArray<ToolOperation> => (made ??= makeToolOperations())

/** Whether a call of the tool changes something, so that it needs a confirmation. */
export const changes = ({ method, onlyReads }: ToolOperation): boolean =>
  method !== "GET" && onlyReads !== true
