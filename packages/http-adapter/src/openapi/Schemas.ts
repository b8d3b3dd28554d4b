/** The schemas of the document: open, with integers for ids, and each record once, under a name of its own. */
import { isObject, type Json, objectOf, rewritten } from "./Json.ts"

/** The key under which the schema of a number in an address keeps the number's own schema. */
export const integerOf = "x-integer"

const reference = (name: string) => `#/components/schemas/${name}`

/** Additional fields are ignored in requests and may come in responses, so no schema forbids them. */
const opened = ({ additionalProperties, ...schema }: Json): Json =>
  additionalProperties === undefined || additionalProperties === false
    ? schema
    : { ...schema, additionalProperties }

/** An exclusive bound of an integer as an inclusive one: ids start at 1. */
const inclusive = ({ exclusiveMinimum, ...schema }: Json): Json => {
  if (exclusiveMinimum === undefined) return schema
  return schema["type"] === "integer" && typeof exclusiveMinimum === "number"
    ? { ...schema, minimum: exclusiveMinimum + 1 }
    : { ...schema, exclusiveMinimum }
}

const isFlag = ({ enum: words }: Json) => JSON.stringify(words) === '["true","false"]'

/** A parameter is text in the address. The document names the value that the text stands for. */
const asValue = (schema: Json): Json => {
  const { [integerOf]: integer, description } = schema
  const described = description === undefined ? {} : { description }
  if (isObject(integer)) return inclusive({ ...integer, ...described })
  return isFlag(schema) ? { type: "boolean", ...described } : schema
}

/** A schema of one part and no keywords of its own is that part. */
const flattened = (schema: Json): Json => {
  const { allOf, ...own } = schema
  if (!Array.isArray(allOf) || !allOf.every(isObject)) return schema
  const parts: ReadonlyArray<Json> = allOf
  // The text of a number in an address is described as the number.
  const number = parts.find(({ type }) => type === "integer")
  if (own["type"] === "string" && number !== undefined) return number
  const keys = [own, ...parts].flatMap((part) => Object.keys(part))
  return new Set(keys).size === keys.length ? Object.assign({}, own, ...parts) : schema
}

/** A choice between equal schemas names the schema once. */
const distinct = (schema: Json): Json => {
  const { anyOf } = schema
  if (!Array.isArray(anyOf)) return schema
  const parts = new Map(anyOf.map((part) => [JSON.stringify(part), part]))
  return parts.size === anyOf.length ? schema : { ...schema, anyOf: [...parts.values()] }
}

/** Adds keywords to the parts of a schema that have a type, in its choices and its items too. */
const adding = (schema: unknown, type: string, keywords: Json): unknown => {
  if (!isObject(schema)) return schema
  const { anyOf, items } = schema
  if (schema["type"] === type) return { ...schema, ...keywords }
  return {
    ...schema,
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map((choice) => adding(choice, type, keywords)) } : {}),
    ...(items === undefined ? {} : { items: adding(items, type, keywords) })
  }
}

/** What the name of a field says everywhere in the API: ids start at 1, and `_at` is a time. */
const byName = ([name, schema]: readonly [string, unknown]): readonly [string, unknown] => {
  if (/^(?:\w+_)?ids?$/u.test(name)) return [name, adding(schema, "integer", { minimum: 1 })]
  if (/^(?:\w+_at|time)$/u.test(name) && !JSON.stringify(schema).includes('"format"'))
    return [name, adding(schema, "string", { format: "date-time" })]
  return [name, schema]
}

/** The fields by the rules of their names, without those that no value can have. */
const fieldsByName = (schema: Json): Json => {
  const { properties } = schema
  if (!isObject(properties)) return schema
  const kept = Object.entries(properties).filter(([, inner]) => objectOf(inner)["not"] === undefined)
  return { ...schema, properties: Object.fromEntries(kept.map(byName)) }
}

/** Every schema of a document, opened and simplified. */
export const simplified = (document: Json): Json =>
  objectOf(
    rewritten(document, (object) => distinct(flattened(asValue(inclusive(opened(fieldsByName(object)))))))
  )

const isRecord = (schema: unknown): schema is Json => isObject(schema) && isObject(schema["properties"])

const singular = (body: string) => body.replace(/ListBody$|Body$/u, "")

/** What the bodies of a document hold, by the name that it gets. */
const recordsOf = (schemas: Json): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  const taken = new Set(Object.keys(schemas))
  const add = (name: string, schema: unknown) => {
    const text = JSON.stringify(schema)
    if (!isRecord(schema) || names.has(text) || taken.has(name)) return
    taken.add(name)
    names.set(text, name)
  }
  const bodies = Object.entries(schemas).map(([name, schema]) => {
    const { data, meta } = objectOf(objectOf(schema)["properties"])
    return { name, data, meta }
  })
  for (const { data, name } of bodies) if (name.endsWith("Body")) add(singular(name), data)
  for (const { data, name } of bodies) if (name.endsWith("Body")) add(singular(name), objectOf(data)["items"])
  for (const { meta } of bodies)
    add(objectOf(objectOf(meta)["properties"])["pagination"] === undefined ? "Meta" : "PageMeta", meta)
  return names
}

const pascal = (id: string) =>
  id
    .split(".")
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join("")

/** The bodies of requests, by the name that each gets. */
const inputsOf = (paths: Json, taken: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
  const names = new Map(taken)
  for (const item of Object.values(paths))
    for (const operation of Object.values(objectOf(item))) {
      const { operationId, requestBody } = objectOf(operation)
      const content = objectOf(objectOf(requestBody)["content"])
      const { schema } = objectOf(content["application/json"])
      const text = JSON.stringify(schema)
      if (isRecord(schema) && !names.has(text)) names.set(text, `${pascal(String(operationId))}Input`)
    }
  return names
}

/** The document with a named schema for each record and each body, which is described once. */
export const named = (document: Json): Json => {
  const components = objectOf(document["components"])
  const schemas = objectOf(components["schemas"])
  const names = inputsOf(objectOf(document["paths"]), recordsOf(schemas))
  const referring = (value: unknown, isTop: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => referring(item, false))
    if (!isObject(value)) return value
    const name = isTop || !isRecord(value) ? undefined : names.get(JSON.stringify(value))
    if (name !== undefined) return { $ref: reference(name) }
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, referring(inner, false)]))
  }
  const records = [...names].map(([text, name]) => [name, referring(JSON.parse(text), true)] as const)
  const all = Object.fromEntries([
    ...Object.entries(schemas).map(([name, schema]) => [name, referring(schema, true)] as const),
    ...records
  ])
  return used({
    ...document,
    paths: referring(document["paths"], true),
    components: { ...components, schemas: all }
  })
}

/** The document without the schemas that nothing refers to. */
const used = (document: Json): Json => {
  const components = objectOf(document["components"])
  const schemas = objectOf(components["schemas"])
  const text = JSON.stringify(document)
  const kept = Object.entries(schemas).filter(([name]) => text.includes(`"${reference(name)}"`))
  return { ...document, components: { ...components, schemas: Object.fromEntries(kept) } }
}
