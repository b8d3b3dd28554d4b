/** The requests of the reference with their responses. */
import { type Json, listOf, objectOf, textOf } from "@livery/contract"
import { withExample } from "../../packages/contract/src/openapi/Examples.ts"
import { type Document, type Operation, resolved } from "../client/ApiDocument.ts"
import { type Example, requestTexts } from "./RequestTexts.ts"

interface GuideExample {
  readonly method: string
  readonly path: string
  readonly headers: ReadonlyArray<string>
  readonly body: string
  readonly response: string
}

const guideBlock =
  /```http[^\n]*\n(?<request>(?:GET|POST|PATCH|DELETE) [^`]*?)\n```\n(?:\n```http\n(?<response>\d{3}[^`]*?)\n```\n)?/gu

/** The requests of the pages of the API guide. */
export const guideExamples = (pages: ReadonlyArray<string>): ReadonlyArray<GuideExample> =>
  pages.flatMap((page) =>
    [...page.matchAll(guideBlock)].map(({ groups = {} }) => {
      const { request = "", response = "" } = groups as Partial<Record<string, string>>
      const [head = "", ...rest] = request.split("\n\n")
      const [line = "", ...headers] = head.split("\n")
      const [method = "", path = ""] = line.split(" ")
      return { method, path, headers, body: rest.join("\n\n"), response }
    })
  )

/** The operation that a request goes to: of those whose path fits, the one with the fewest parameters. */
export const operationOf = (operations: ReadonlyArray<Operation>, { method, path }: GuideExample) => {
  const [place = ""] = path.split("?")
  const fitting = operations.filter(
    (it) =>
      it.method === method &&
      new RegExp(`^${it.path.replace("^", "").replaceAll(/\{\w+\}/gu, "[^/]+")}$`, "u").test(place)
  )
  return fitting.toSorted((one, other) => one.path.split("{").length - other.path.split("{").length)[0]
}

/** An example of a schema of the document. */
export const exampleIn = (document: Document, type: string, schema: Json): unknown =>
  objectOf(withExample(document as unknown as Json, { [type]: { schema } })[type])["example"]

/** An example of the fields that a form must have beside its file. */
const formFields = (document: Document, schema: Json): Json => {
  const { properties, required } = resolved(document, schema)
  return Object.fromEntries(
    listOf(required)
      .map(textOf)
      .filter((name) => name !== "file")
      .map((name) => [name, exampleIn(document, "application/json", objectOf(objectOf(properties)[name]))])
  )
}

/** An example that is made from the schemas, for an operation that the guide does not show. */
export const madeExample = (document: Document, operation: Operation): Example => {
  const { body, success } = operation
  const sent =
    body?.type === "application/json"
      ? exampleIn(document, body.type, body.schema)
      : body?.type === "multipart/form-data"
        ? formFields(document, body.schema)
        : undefined
  const required = operation.parameters.filter(
    (it) => it.in === "query" && it.required && it.name !== "token"
  )
  const search = required.map(
    ({ name, schema }) => `${name}=${String(exampleIn(document, "application/json", schema))}`
  )
  const path = operation.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => {
    const choices = operation.parameters.find((it) => it.in === "path" && it.name === name)?.schema["enum"]
    return name.endsWith("id") ? "7" : Array.isArray(choices) ? String(choices[0]) : `{${name}}`
  })
  const answer =
    success.type === "application/json"
      ? JSON.stringify({ data: objectOf(exampleIn(document, success.type, success.schema))["data"] }, null, 2)
      : success.type
  return {
    ...requestTexts(operation, search.length === 0 ? path : `${path}?${search.join("&")}`, [], sent),
    response: `200 OK\n\n${answer}`,
    isMade: true
  }
}
