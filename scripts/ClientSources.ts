/**
 * The two generated files of `@livery/client`, made from the OpenAPI document: the types with their docstrings, and the
 * table of operations that the client reads at run time.
 */

type Json = Readonly<Record<string, unknown>>

/** An OpenAPI document, as far as the client reads it. */
export interface Document {
  readonly servers?: ReadonlyArray<{ readonly url: string }>
  readonly paths: Readonly<Record<string, Json>>
  readonly webhooks?: Readonly<Record<string, Json>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Json
}

/** An operation of the document. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly body: { readonly type: string; readonly schema: Json; readonly required: boolean } | undefined
  readonly success: { readonly type: string; readonly schema: Json }
  readonly security: ReadonlyArray<string>
  readonly tag: string
  readonly errors: Readonly<Record<string, Json>>
}

const objectOf = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {}
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

const basePath = "/api/v1"

/** The schema without a reference at its top. */
const resolved = (document: Document, schema: unknown): Json => {
  const { $ref } = objectOf(schema)
  return typeof $ref === "string"
    ? resolved(document, document.components.schemas[$ref.slice($ref.lastIndexOf("/") + 1)])
    : objectOf(schema)
}

/** The path below `/api/v1`; a path outside of it begins with `^`. */
const pathIn = (document: Document, item: Json, path: string) => {
  const [server] = listOf(item["servers"] ?? document.servers)
  const whole = `${textOf(objectOf(server)["url"]).replace(/\/$/u, "")}${path}`
  return whole.startsWith(`${basePath}/`) ? whole.slice(basePath.length) : `^${whole}`
}

/** How the table names the methods. */
const initials: Readonly<Record<string, string>> = { GET: "G", POST: "P", PATCH: "M", DELETE: "D" }

const methods: ReadonlySet<string> = new Set(["get", "post", "patch", "delete"])

/** The operations of a document, in its order. */
export const operationsOf = (document: Document): ReadonlyArray<Operation> =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.has(method))
      .map(([method, value]): Operation => {
        const operation = objectOf(value)
        const responses = Object.entries(objectOf(operation["responses"]))
        const [, success] = responses.find(([status]) => status.startsWith("2")) ?? []
        const [[type, media] = ["", {}]] = Object.entries(objectOf(objectOf(success)["content"]))
        const request = objectOf(operation["requestBody"])
        const [sent] = Object.entries(objectOf(request["content"]))
        return {
          id: textOf(operation["operationId"]),
          method: method.toUpperCase(),
          path: pathIn(document, item, path),
          summary: textOf(operation["summary"]),
          description: textOf(operation["description"]),
          parameters: listOf(operation["parameters"]) as ReadonlyArray<Parameter>,
          body:
            sent === undefined
              ? undefined
              : {
                  type: sent[0],
                  schema: objectOf(objectOf(sent[1])["schema"]),
                  required: request["required"] === true
                },
          success: { type, schema: objectOf(objectOf(media)["schema"]) },
          security: listOf(operation["security"]).flatMap((scheme) => Object.keys(objectOf(scheme))),
          tag: textOf(listOf(operation["tags"])[0]),
          errors: Object.fromEntries(
            responses
              .filter(([status]) => Number(status) >= 400)
              .map(([status, response]) => [
                status,
                objectOf(objectOf(objectOf(objectOf(response)["content"])["application/json"])["schema"])
              ])
          )
        }
      })
  )

const accepts = ({ parameters }: Operation, header: string) =>
  parameters.some((it) => it.in === "header" && it.name.toLowerCase() === header)

/** The properties of `meta.pagination`; none if the operation is no list with pages. */
const paginationOf = (document: Document, { success }: Operation): Json => {
  const { properties } = resolved(document, success.schema)
  const meta = resolved(document, objectOf(properties)["meta"])
  const pagination = resolved(document, objectOf(meta["properties"])["pagination"])
  return objectOf(pagination["properties"])
}

const isList = (document: Document, operation: Operation) => "has_more" in paginationOf(document, operation)

/**
 * The flags of an operation in the table: `k` accepts an `Idempotency-Key`, `l` is a list with pages, `s` a stream of
 * events, `b` a file, `u` takes a form, `p` needs no credential, `d` takes the driver's token.
 */
const flagsOf = (document: Document, operation: Operation) =>
  [
    accepts(operation, "idempotency-key") ? "k" : "",
    isList(document, operation) ? "l" : "",
    operation.success.type === "text/event-stream" ? "s" : "",
    operation.success.type === "application/json" || operation.success.type === "text/event-stream"
      ? ""
      : "b",
    operation.body?.type === "multipart/form-data" ? "u" : "",
    operation.security.length === 0 ? "p" : "",
    operation.security.includes("driver_token") ? "d" : ""
  ].join("")

const generated =
  "// Written by scripts/client.ts from the OpenAPI document. Do not edit: run `npm run client:write`.\n"

/** The table of operations: a line for each group, `name: operation METHOD flags path; …`. */
export const operationTable = (document: Document): string => {
  const groups = Map.groupBy(operationsOf(document), ({ id }) => id.slice(0, id.indexOf(".")))
  const lines = [...groups].map(([group, operations]) => {
    const entries = operations.map((operation) => {
      const name = operation.id.slice(group.length + 1)
      const initial = initials[operation.method]
      return `${name} ${initial}${flagsOf(document, operation)} ${operation.path}`
    })
    return `${group}:${entries.join(";")}`
  })
  return `${generated}
/** Each group with its operations: the name, the initial of the method with flags, and the path. */
export const table = \`${lines.join("\n")}\`
`
}

// Types

const quoted = (name: string) => (/^[A-Za-z_$][\w$]*$/u.test(name) ? name : JSON.stringify(name))

const docstring = (text: string, indent: string) =>
  text === "" ? "" : `${indent}/** ${text.replaceAll("*/", "*\\/").replaceAll("\n", " ")} */\n`

/** Whether a schema accepts `null`. */
const isNull = (schema: unknown) => objectOf(schema)["type"] === "null"

const pascal = (text: string) =>
  text
    .split(/[._]/u)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join("")

/** Field names that say nothing without the name of their record. */
const vague = new Set([
  "status",
  "type",
  "kind",
  "event",
  "issue",
  "role",
  "action",
  "reason",
  "method",
  "source"
])

const literalsIn = (list: ReadonlyArray<unknown>) => list.map((it) => JSON.stringify(it)).join(" | ")

/** The names of the lists of literals that several fields have: of the field, or of the record and the field. */
const literalNames = (document: Document): ReadonlyMap<string, string> => {
  const counts = new Map<string, number>()
  JSON.stringify([document.components.schemas, document.paths], (key, value: unknown) => {
    if (key === "enum" && Array.isArray(value) && value.length > 2)
      counts.set(literalsIn(value), (counts.get(literalsIn(value)) ?? 0) + 1)
    return value
  })
  const names = new Map<string, string>()
  const taken = new Set(Object.keys(document.components.schemas))
  const visit = (schema: unknown, owner: string, field: string) => {
    const { anyOf, enum: literals, items, oneOf, properties } = objectOf(schema)
    const text = Array.isArray(literals) ? literalsIn(literals) : ""
    if ((counts.get(text) ?? 0) > 1 && !names.has(text)) {
      const short = pascal(field)
      const name = vague.has(field) || taken.has(short) ? `${owner}${short}` : short
      if (!taken.has(name)) {
        taken.add(name)
        names.set(text, name)
      }
    }
    for (const part of [items, ...listOf(anyOf), ...listOf(oneOf)])
      if (part !== undefined) visit(part, owner, field)
    for (const [name, part] of Object.entries(objectOf(properties))) visit(part, owner, name)
  }
  const records = Object.entries(document.components.schemas).filter(
    ([name]) => !/(?:Body|Error)(?:_\d+)?$/u.test(name)
  )
  for (const [name, schema] of records.toSorted(([one], [other]) => one.length - other.length))
    visit(schema, name, name)
  return names
}

/** Where a type is used: inputs accept lists that may not be changed, and `undefined` for an absent field. */
type Use = "input" | "output"

const nameIn = (ref: string) => ref.slice(ref.lastIndexOf("/") + 1)

/** The TypeScript type of a schema. `refer` returns the name of a schema that is referred to. */
const typeOf = (schema: unknown, use: Use, refer: (name: string) => string, indent = ""): string => {
  const {
    $ref,
    additionalProperties,
    allOf,
    anyOf,
    const: constant,
    items,
    oneOf,
    properties,
    type
  } = objectOf(schema)
  const literals = objectOf(schema)["enum"]
  const inner = (part: unknown) => typeOf(part, use, refer, indent)
  if (typeof $ref === "string") return refer(nameIn($ref))
  if (constant !== undefined) return JSON.stringify(constant)
  if (Array.isArray(literals)) return refer(literalsIn(literals))
  const object = properties === undefined ? undefined : objectType(objectOf(schema), use, refer, indent)
  const choices = [...listOf(anyOf), ...listOf(oneOf)]
  if (choices.length > 0 && (type === undefined || type === "object")) {
    const union = [...new Set(choices.map(inner))]
    // Beside properties, the choices only say which of them are required.
    if (object === undefined) return union.length === 1 ? (union[0] ?? "") : union.join(" | ")
    const required = choices.map((it) => listOf(objectOf(it)["required"]).map(String))
    return `${object} & (${required.map((names) => `{ ${names.map((it) => `${quoted(it)}: {}`).join("; ")} }`).join(" | ")})`
  }
  if (Array.isArray(allOf)) return allOf.map(inner).join(" & ")
  if (Array.isArray(type)) return type.map((it) => inner({ ...objectOf(schema), type: it })).join(" | ")
  switch (type) {
    case "string":
      return objectOf(schema)["format"] === "binary" ? "Blob" : "string"
    case "integer":
    case "number":
      return "number"
    case "boolean":
      return "boolean"
    case "null":
      return "null"
    case "array": {
      const item = inner(items)
      const list = /^"?[\w.]+"?$/u.test(item) ? `${item}[]` : `Array<${item}>`
      return use === "output" ? list : list.endsWith("[]") ? `readonly ${list}` : `Readonly${list}`
    }
    default:
      if (object !== undefined) return object
      if (type === "object")
        return `Record<string, ${typeof additionalProperties === "object" ? inner(additionalProperties) : "unknown"}>`
      return "unknown"
  }
}

const objectType = (schema: Json, use: Use, refer: (name: string) => string, indent: string): string => {
  const required = new Set(listOf(schema["required"]))
  const deeper = `${indent}  `
  const fields = Object.entries(objectOf(schema["properties"])).map(([name, field]) => {
    const isRequired = required.has(name)
    const choice = listOf(objectOf(field)["anyOf"]).find((it) => !isNull(it))
    const text = textOf(objectOf(field)["description"]) || textOf(objectOf(choice)["description"])
    const type = typeOf(field, use, refer, deeper)
    const absent = isRequired || use === "output" ? "" : " | undefined"
    return `${docstring(text, deeper)}${deeper}${quoted(name)}${isRequired ? "" : "?"}: ${type}${absent}`
  })
  return fields.length === 0 ? "{}" : `{\n${fields.join("\n")}\n${indent}}`
}

const repeatable = / (?:With an `Idempotency-Key`|With `If-Match`)[^.]*\./gu

/** The types of a document's records, inputs, operations, events and errors. */
export const clientTypes = (document: Document): string => {
  const declared = new Map<string, string>()
  const schemas = document.components.schemas
  const literals = literalNames(document)
  const declare = (name: string, use: Use): string => {
    if (name.startsWith('"') || !(name in schemas)) {
      const own = literals.get(name)
      if (own !== undefined) declared.set(own, `export type ${own} = ${name}\n`)
      return own ?? name
    }
    const schema = schemas[name]
    if (!declared.has(name)) {
      declared.set(name, "")
      const type = typeOf(schema, use, (it) => declare(it, use))
      const text = docstring(textOf(schema?.["description"]), "")
      declared.set(
        name,
        type.startsWith("{") && type.endsWith("}") && !type.includes("\n} & ")
          ? `${text}export interface ${name} ${type}\n`
          : `${text}export type ${name} = ${type}\n`
      )
    }
    return name
  }
  const output = (schema: unknown, indent = "") =>
    typeOf(schema, "output", (it) => declare(it, "output"), indent)

  const dataOf = (operation: Operation) =>
    objectOf(resolved(document, operation.success.schema)["properties"])["data"]

  const inputType = (
    operation: Operation
  ): { readonly type: string; readonly required: boolean } | undefined => {
    const { body, parameters } = operation
    const own = parameters.filter(
      (it) =>
        it.in === "path" ||
        (it.in === "query" && !(it.name === "token" && operation.security.includes("driver_token")))
    )
    const fields = own.map(({ description = "", name, required, schema }) => {
      const text = description === "" ? "" : `/** ${description.replaceAll("*/", "*\\/")} */ `
      const type = typeOf(schema, "input", (it) => declare(it, "input"))
      return required === true
        ? `${text}${quoted(name)}: ${type}`
        : `${text}${quoted(name)}?: ${type} | undefined`
    })
    const choices = listOf(objectOf(body?.schema)["anyOf"]).filter((it) => !isNull(it))
    const schema =
      choices.length === 1 && objectOf(body?.schema)["properties"] === undefined ? choices[0] : body?.schema
    const names = Object.keys(objectOf(resolved(document, schema)["properties"]))
    const clash = own.find((it) => names.includes(it.name))
    if (clash !== undefined)
      throw new Error(`${operation.id}: ${clash.name} is a parameter and a field of the body`)
    const type = body === undefined ? "" : typeOf(schema, "input", (it) => declare(it, "input"), "    ")
    const parts = [
      ...(fields.length === 0 ? [] : [`{ ${fields.join("; ")} }`]),
      ...(type === "" ? [] : [type])
    ]
    if (parts.length === 0) return undefined
    const mustHave = own.some((it) => it.required) || body?.required === true
    return { type: parts.join(" & "), required: mustHave }
  }

  const streamEvent = (operation: Operation) => {
    const { data, event } = objectOf(operation.success.schema["properties"])
    return `StreamEvent<${output(event)}, ${output(objectOf(data)["contentSchema"])}>`
  }

  const resultType = (operation: Operation) => {
    if (operation.success.type === "text/event-stream") return `AsyncIterable<${streamEvent(operation)}>`
    if (operation.success.type !== "application/json") return "Call<Blob>"
    const data = dataOf(operation)
    if (!isList(document, operation)) return `Call<${output(data, "    ")}>`
    const pagination = "page" in paginationOf(document, operation) ? "" : ", EventPagination"
    return `List<${output(objectOf(resolved(document, data))["items"], "    ")}${pagination}>`
  }

  const operations = operationsOf(document)
  const groups = Map.groupBy(operations, ({ id }) => id.slice(0, id.indexOf(".")))
  const interfaces = [...groups].map(([group, members]) => {
    const lines = members.map((operation) => {
      const input = inputType(operation)
      const parameter = input === undefined ? "" : `input${input.required ? "" : "?"}: ${input.type}, `
      const text = operation.description.replaceAll(repeatable, "")
      const name = operation.id.slice(group.length + 1)
      const options =
        input === undefined ? "input?: undefined, options?: CallOptions" : `${parameter}options?: CallOptions`
      return `${docstring(text, "    ")}    ${quoted(name)}(${options}): ${resultType(operation)}`
    })
    return `  /** ${members[0]?.tag ?? group} */\n  readonly ${quoted(group)}: {\n${lines.join("\n")}\n  }`
  })

  // Events: those of the document's webhooks, each with the record that its data is.
  const named = new Map(
    Object.entries(schemas).map(([name, schema]) => [expandedText(document, schema), name])
  )
  const events = Object.entries(document.webhooks ?? {}).map(([name, item]) => {
    const body = objectOf(objectOf(objectOf(item)["post"])["requestBody"])
    const schema = resolved(document, objectOf(objectOf(body["content"])["application/json"])["schema"])
    const data = objectOf(schema["properties"])["data"]
    const record = named.get(expandedText(document, data))
    const text = textOf(objectOf(objectOf(item)["post"])["summary"])
    const type = record === undefined ? output(data, "  ") : declare(record, "output")
    return `${docstring(text, "  ")}  ${JSON.stringify(name)}: ${type}`
  })

  // Errors: the details of each type.
  const details = new Map<string, Set<string>>()
  for (const { errors } of operations)
    for (const schema of Object.values(errors))
      for (const choice of [schema, ...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])]) {
        const error = objectOf(objectOf(resolved(document, choice)["properties"])["error"])
        const properties = objectOf(resolved(document, error)["properties"])
        const type = objectOf(properties["type"])
        for (const literal of [
          ...listOf(type["enum"]),
          ...(type["const"] === undefined ? [] : [type["const"]])
        ]) {
          const set = details.get(String(literal)) ?? new Set()
          details.set(String(literal), set)
          if (properties["details"] !== undefined) set.add(output(properties["details"], "  "))
        }
      }
  const errors = [...details]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([type, set]) => `  ${type}: ${set.size === 0 ? "undefined" : `${[...set].join(" | ")} | undefined`}`
    )

  return `${generated}
import type { Call, CallOptions, EventPagination, List, StreamEvent } from "../Calls.ts"

/** The operations of the API, in groups. */
export interface Operations {
${interfaces.join("\n")}
}

/** The record in the \`data\` of each event, by the event's type. */
export interface EventData {
${events.join("\n")}
}

/** The \`details\` of each error, by the error's type. */
export interface ErrorDetails {
${errors.join("\n")}
}

${[...declared.values()].join("\n")}`
}

/** The JSON text of a schema with all references replaced, by which equal schemas are found. */
const expandedText = (document: Document, schema: unknown): string =>
  JSON.stringify(schema, (_key, value: unknown) => {
    const { $ref } = objectOf(value)
    return typeof $ref === "string" ? resolved(document, value) : value
  })
