/**
 * The schemas of Livery's answers, for fast-json-stringify, read from the OpenAPI document in the file of OPENAPI. They say
 * the names and the order of the fields, and what a field is that a record lacks: null, or an empty list or object.
 */
import { readFileSync } from "node:fs"

const document = JSON.parse(readFileSync(process.env.OPENAPI, "utf8"))

const followed = ({ $ref, ...schema }) =>
  $ref === undefined ? schema : document.components.schemas[$ref.slice("#/components/schemas/".length)]

const mapped = (properties) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, answer(schema)]))

const defaultOf = ({ nullable, properties, type }) => {
  if (nullable) return { default: null }
  if (type === "array") return { default: [] }
  return type === "object" && properties === undefined ? { default: {} } : {}
}

/** A schema of the document without what says nothing about its JSON. */
const answer = (schema) => {
  const { anyOf = [], ...own } = followed(schema)
  const parts = anyOf.filter(({ type }) => type !== "null")
  const { additionalProperties, items, properties, type } = parts.length === 0 ? own : followed(parts[0])
  const made = {
    type,
    ...(parts.length < anyOf.length ? { nullable: true } : {}),
    ...(items === undefined ? {} : { items: answer(items) }),
    ...(properties === undefined ? {} : { properties: mapped(properties) }),
    ...(additionalProperties ? { additionalProperties: answer(additionalProperties) } : {})
  }
  return { ...made, ...defaultOf(made) }
}

/** The names of the query parameters of the list of trips. */
export const tripParameters = document.paths["/trips"].get.parameters
  .filter((parameter) => parameter.in === "query")
  .map(({ name }) => name)
  .join(", ")

const dataOfAnswer = (path) => {
  const { content } = document.paths[path].get.responses[200]
  return answer(content["application/json"].schema).properties.data
}

export const tripSchema = dataOfAnswer("/trips/{id}")
export const customerSchema = dataOfAnswer("/customers").items
export const driverSchema = dataOfAnswer("/drivers").items
export const pingSchema = dataOfAnswer("/ping")
