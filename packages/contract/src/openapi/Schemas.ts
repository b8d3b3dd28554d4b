/** Simplifies the schemas of the document: objects are open, ids are integers, and each record has one named schema. */
import { withDescribedValues } from "./Enumerations.ts"
import { isObject, type Json, objectOf, rewritten } from "./Json.ts"

/** The key under which the schema of a number in an address keeps the number's own schema. */
export const integerOf = "x-integer"

const reference = (name: string) => `#/components/schemas/${name}`

/** Additional fields are ignored in requests and may come in responses, so no schema forbids them. */
const withoutClosing = ({ additionalProperties, ...schema }: Json): Json =>
  isObject(additionalProperties) ? { ...schema, additionalProperties } : schema

/** An exclusive bound of an integer as an inclusive one: ids start at 1. */
const withInclusiveMinimum = ({ exclusiveMinimum, ...schema }: Json): Json => {
  if (exclusiveMinimum === undefined) return schema
  return schema["type"] === "integer" && typeof exclusiveMinimum === "number"
    ? { ...schema, minimum: exclusiveMinimum + 1 }
    : { ...schema, exclusiveMinimum }
}

const isFlag = ({ enum: literals }: Json) => JSON.stringify(literals) === '["true","false"]'

/** The schema of a parameter's value, in place of that of its text in the address. */
const parameterValue = (schema: Json): Json => {
  const { [integerOf]: integer, description } = schema
  const described = description === undefined ? {} : { description }
  if (isObject(integer)) return withInclusiveMinimum({ ...integer, ...described })
  return isFlag(schema) ? { type: "boolean", ...described } : schema
}

/** Merges the parts of an `allOf` into the schema, if no keyword occurs twice. */
const withMergedParts = (schema: Json): Json => {
  const { allOf, ...own } = schema
  if (!Array.isArray(allOf) || !allOf.every(isObject)) return schema
  const parts: ReadonlyArray<Json> = allOf
  // The text of a number in an address is described as the number.
  const number = parts.find(({ type }) => type === "integer")
  if (own["type"] === "string" && number !== undefined) return number
  const keys = [own, ...parts].flatMap((part) => Object.keys(part))
  return new Set(keys).size === keys.length ? Object.assign({}, own, ...parts) : schema
}

/** Removes repeated schemas from a choice. */
const withDistinctChoices = (schema: Json): Json => {
  const { anyOf } = schema
  if (!Array.isArray(anyOf)) return schema
  const parts = new Map(anyOf.map((part) => [JSON.stringify(part), part]))
  return parts.size === anyOf.length ? schema : { ...schema, anyOf: [...parts.values()] }
}

/** Adds keywords to the parts of a schema that have a type, in its choices and its items too. */
const withKeywords = (schema: unknown, type: string, keywords: Json): unknown => {
  if (!isObject(schema)) return schema
  const { anyOf, items } = schema
  if (schema["type"] === type) return { ...schema, ...keywords }
  return {
    ...schema,
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map((choice) => withKeywords(choice, type, keywords)) } : {}),
    ...(items === undefined ? {} : { items: withKeywords(items, type, keywords) })
  }
}

/**
 * The schema of a field with the keywords that its name implies: ids start at 1, and `_at` is an instant, unless a
 * pattern says that it is a local time.
 */
const withImpliedKeywords = ([name, schema]: readonly [string, unknown]): readonly [string, unknown] => {
  if (/^(?:\w+_)?ids?$/u.test(name)) return [name, withKeywords(schema, "integer", { minimum: 1 })]
  if (/^(?:\w+_at|time)$/u.test(name) && !/"(?:format|pattern)":/u.test(JSON.stringify(schema)))
    return [name, withKeywords(schema, "string", { format: "date-time" })]
  return [name, schema]
}

/** An object's schema with the keywords that its field names imply, without fields that no value can have. */
const withImpliedFields = (schema: Json): Json => {
  const { properties } = schema
  if (!isObject(properties)) return schema
  const kept = Object.entries(properties).filter(([, inner]) => objectOf(inner)["not"] === undefined)
  return { ...schema, properties: Object.fromEntries(kept.map(withImpliedKeywords)) }
}

/** The steps that simplify one schema, in their order. */
const steps: ReadonlyArray<(schema: Json) => Json> = [
  withImpliedFields,
  withoutClosing,
  withInclusiveMinimum,
  parameterValue,
  withMergedParts,
  withDistinctChoices,
  withDescribedValues
]

/** A document whose schemas are all simplified. */
export const simplified = (document: Json): Json =>
  objectOf(rewritten(document, (object) => steps.reduce((schema, step) => step(schema), object)))

const isRecord = (schema: unknown): schema is Json => isObject(schema) && isObject(schema["properties"])

const singular = (body: string) => body.replace(/ListBody$|Body$/u, "")

/** The names of the records in the bodies of a document, by the JSON text of their schemas. */
const recordNames = (schemas: Json): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  const taken = new Set(Object.keys(schemas))
  const add = (name: string, schema: unknown) => {
    const text = JSON.stringify(schema)
    if (!isRecord(schema) || names.has(text) || taken.has(name)) return
    taken.add(name)
    names.set(text, name)
  }
  // Of several bodies with the same record, the one with the shortest name gives the name: `Invoice`, not `MonthlyInvoice`.
  const bodies = Object.entries(schemas)
    .map(([name, schema]) => {
      const { data, meta } = objectOf(objectOf(schema)["properties"])
      return { name, data, meta }
    })
    .toSorted((one, other) => one.name.length - other.name.length)
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

/** The same names, with those of the bodies of requests. */
const inputNames = (paths: Json, taken: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
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

/** The document with one named schema for each record and each body. */
export const withNamedSchemas = (document: Json): Json => {
  const components = objectOf(document["components"])
  const schemas = objectOf(components["schemas"])
  const names = inputNames(objectOf(document["paths"]), recordNames(schemas))
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
  return withoutUnusedSchemas({
    ...document,
    paths: referring(document["paths"], true),
    components: { ...components, schemas: all }
  })
}

/** The document without the schemas that nothing refers to. */
const withoutUnusedSchemas = (document: Json): Json => {
  const components = objectOf(document["components"])
  const schemas = objectOf(components["schemas"])
  const text = JSON.stringify(document)
  const kept = Object.entries(schemas).filter(([name]) => text.includes(`"${reference(name)}"`))
  return { ...document, components: { ...components, schemas: Object.fromEntries(kept) } }
}
