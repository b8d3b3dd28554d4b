/** Schemas as text in TypeScript. */
import { listOf, type Json, objectOf, textOf } from "@livery/contract"
import type { Document } from "./ApiDocument.ts"

/** A name as the key of an object. */
export const quoted = (name: string) => (/^[A-Za-z_$][\w$]*$/u.test(name) ? name : JSON.stringify(name))

/** A text as a docstring; nothing for an empty one. */
export const docstring = (text: string, indent: string) =>
  text === "" ? "" : `${indent}/** ${text.replaceAll("*/", "*\\/").replaceAll("\n", " ")} */\n`

/** Whether a schema accepts `null`. */
export const isNull = (schema: unknown) => objectOf(schema)["type"] === "null"

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

/** The type of a list of literals. */
const literalsIn = (list: ReadonlyArray<unknown>) => list.map((it) => JSON.stringify(it)).join(" | ")

/** The names of the lists of literals that several fields have: of the field, or of the record and the field. */
export const literalNames = (document: Document): ReadonlyMap<string, string> => {
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

/** A record within other records: an object with at least this many fields gets a name if several records have it. */
const fieldsOfNamed = 4

const isNamedRecord = (schema: unknown) =>
  Object.keys(objectOf(objectOf(schema)["properties"])).length >= fieldsOfNamed &&
  objectOf(schema)["anyOf"] === undefined &&
  objectOf(schema)["oneOf"] === undefined

/** The name of one of a list: `Zone` of `zones`, `Class` of `classes`. */
const singular = (name: string) =>
  name.endsWith("sses") ? name.slice(0, -2) : /[^s]s$/u.test(name) ? name.slice(0, -1) : name

/** The records of a document that stand within several others, and their names. */
export const recordNames = (document: Document): ReadonlyMap<string, string> => {
  const counts = new Map<string, number>()
  JSON.stringify([document.components.schemas, document.paths], (_key, value: unknown) => {
    if (isNamedRecord(value)) {
      const text = JSON.stringify(value)
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
    return value
  })
  const isBody = (name: string) => /(?:Input|Body|Error)(?:_\d+)?$/u.test(name)
  const schemas = Object.entries(document.components.schemas).toSorted(
    ([one], [other]) => one.length - other.length
  )
  const names = new Map(
    schemas.flatMap(([name, schema]) =>
      isBody(name) || !isNamedRecord(schema) ? [] : [[JSON.stringify(schema), name] as const]
    )
  )
  const taken = new Set(Object.keys(document.components.schemas))
  /** Names the records within a schema by their owner and their field. */
  const visit = (schema: unknown, owner: string, field: string) => {
    const { anyOf, items, oneOf, properties } = objectOf(schema)
    const text = JSON.stringify(schema)
    const name = `${owner}${pascal(field)}`
    if (field !== "" && !names.has(text) && (counts.get(text) ?? 0) > 1 && !taken.has(name)) {
      taken.add(name)
      names.set(text, name)
    }
    if (items !== undefined) visit(items, owner, singular(field))
    for (const part of [...listOf(anyOf), ...listOf(oneOf)]) visit(part, owner, field)
    for (const [key, part] of Object.entries(objectOf(properties))) visit(part, owner, key)
  }
  for (const [name, schema] of schemas) if (!isBody(name)) visit(schema, name, "")
  // `Fares` of `FaresCreateInput`: the bodies of a group share their records.
  for (const [name, schema] of schemas)
    if (isBody(name)) visit(schema, name.replace(/[A-Z][a-z]*(?:Input|Body|Error)(?:_\d+)?$/u, ""), "")
  return names
}

/** Where a type is used: inputs accept lists that may not be changed, and `undefined` for an absent field. */
export type Use = "input" | "output"

const nameIn = (ref: string) => ref.slice(ref.lastIndexOf("/") + 1)

/**
 * The TypeScript type of a schema. `refer` returns the name of a schema that is referred to, of a list of literals, or of a record
 * within others by its JSON; empty for one without a name.
 */
export const typeOf = (schema: unknown, use: Use, refer: (name: string) => string, indent = ""): string => {
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
  const named = isNamedRecord(schema) ? refer(JSON.stringify(schema)) : ""
  if (named !== "") return named
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
