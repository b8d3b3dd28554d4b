/** The types of the client, with their docstrings. */
import { type Json, listOf, objectOf, textOf } from "@livery/contract"
import { type Document, type Operation, operationsOf, paginationOf, resolved } from "./ApiDocument.ts"
import { generated } from "./ClientTable.ts"
import { docstring, isNull, literalNames, quoted, recordNames, typeOf, type Use } from "./TypeText.ts"

const repeatable = / (?:With an `Idempotency-Key`|With `If-Match`)[^.]*\./gu

/** The types of a document's records, inputs, operations, events and errors. */
export const clientTypes = (document: Document): string => {
  const declared = new Map<string, string>()
  const schemas = document.components.schemas
  const literals = literalNames(document)
  const records = recordNames(document)
  /** The records whose types are being written, by their JSON. */
  const open = new Set<string>()
  const declareRecord = (json: string, use: Use): string => {
    const record = records.get(json)
    if (record === undefined || open.has(json)) return ""
    if (record in schemas) return declare(record, use)
    const name = use === "input" ? `${record}Input` : record
    if (!declared.has(name)) {
      declared.set(name, "")
      open.add(json)
      const schema = JSON.parse(json) as Json
      const text = docstring(textOf(schema["description"]), "")
      declared.set(name, `${text}export interface ${name} ${typeOf(schema, use, (it) => declare(it, use))}\n`)
      open.delete(json)
    }
    return name
  }
  const declare = (name: string, use: Use): string => {
    if (name.startsWith("{")) return declareRecord(name, use)
    if (name.startsWith('"') || !(name in schemas)) {
      const own = literals.get(name)
      if (own !== undefined) declared.set(own, `export type ${own} = ${name}\n`)
      return own ?? name
    }
    const schema = schemas[name]
    if (!declared.has(name)) {
      declared.set(name, "")
      const json = JSON.stringify(schema)
      open.add(json)
      const type = typeOf(schema, use, (it) => declare(it, use))
      open.delete(json)
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
    if (!operation.isList) return `Call<${output(data, "    ")}>`
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
