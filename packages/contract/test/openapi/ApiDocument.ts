/** The OpenAPI document that tests read, and functions that find its parts. */
import { Api, documentedOperations, isObject, type Json, listOf, objectOf, textOf } from "@livery/contract"
import { HttpApi, OpenApi } from "effect/http-api"

/** The OpenAPI document of the API. */
export const document: Json = objectOf(JSON.parse(JSON.stringify(OpenApi.fromApi(Api))))

/** The operations of the document, with their parameters and responses. */
export const operations = documentedOperations(OpenApi.fromApi(Api)).map(({ method, operation, path }) => ({
  path,
  name: `${method} ${path}`,
  operation,
  parameters: listOf(operation["parameters"]).map(objectOf),
  responses: Object.entries(objectOf(operation["responses"])).map(
    ([status, response]) => [status, objectOf(response)] as const
  )
}))

/** The routes that declare 404 as an error of their own. */
export const declaringNotFound: Array<string> = []
HttpApi.reflect(Api, {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint }) => {
    const path = endpoint.path.replace(/(?<=.)\/$/u, "").replaceAll(/:(\w+)/gu, "{$1}")
    if ([...endpoint.error].some(({ ast }) => ast.context?.annotations?.["httpApiStatus"] === 404))
      declaringNotFound.push(`${endpoint.method} ${path}`)
  }
})

/** The operations below `/api/v1`. */
export const ofApi = operations.filter(({ path }) => path.startsWith("/api/v1/"))

/** The schemas that bodies refer to. */
export const schemas = objectOf(objectOf(document["components"])["schemas"])

/** Every object of the document outside of examples, with its place. */
export const objects = (value: unknown, at = "#"): ReadonlyArray<readonly [string, Json]> => {
  if (Array.isArray(value)) return value.flatMap((item, index) => objects(item, `${at}/${index}`))
  if (!isObject(value)) return []
  return [
    [at, value],
    ...Object.entries(value).flatMap(([key, inner]) =>
      key === "example" ? [] : objects(inner, `${at}/${key}`)
    )
  ]
}

/** Every object of the document outside of examples, with its place. */
export const everything = objects(document)

/** The JSON content of a body. */
export const jsonOf = (body: unknown) => objectOf(objectOf(objectOf(body)["content"])["application/json"])

/** The schema of the JSON body of a route. */
export const bodyOf = (name: string): Json => {
  const route = operations.find((one) => one.name === name)
  const { schema } = jsonOf(objectOf(route?.operation)["requestBody"])
  const reference = textOf(objectOf(schema)["$ref"])
  return objectOf(reference === "" ? schema : schemas[reference.slice(reference.lastIndexOf("/") + 1)])
}

/** The schema of a field of the JSON body of a route. */
export const propertyOf = (name: string, field: string) =>
  objectOf(objectOf(bodyOf(name)["properties"])[field])

/** A schema as JSON, with the schemas that it refers to in place of the references. */
export const textWithSchemas = (schema: unknown): string =>
  JSON.stringify(schema).replaceAll(
    /\{"\$ref":"#\/components\/schemas\/(?<name>\w+)"\}/gu,
    (_match, name: string) => textWithSchemas(schemas[name])
  )
