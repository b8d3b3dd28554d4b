/** The OpenAPI document as the client's generator and the reference read it. */
import { type Json, documentedOperations, documentPath, listOf, objectOf, textOf } from "@livery/contract"

/** An OpenAPI document, as far as the client reads it. */
export interface Document {
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
  /** Whether it is a list with pages. */
  readonly isList: boolean
  readonly security: ReadonlyArray<string>
  readonly tag: string
  readonly errors: Readonly<Record<string, Json>>
}

/** The schema without a reference at its top. */
export const resolved = (document: Document, schema: unknown): Json => {
  const { $ref } = objectOf(schema)
  return typeof $ref === "string"
    ? resolved(document, document.components.schemas[$ref.slice($ref.lastIndexOf("/") + 1)])
    : objectOf(schema)
}

/** The path below the base address; a path outside of it begins with `^`. */
const pathOf = (path: string) => {
  const below = documentPath(path)
  return below === path ? `^${path}` : below
}

/** The operations of a document, in its order. */
export const operationsOf = (document: Document): ReadonlyArray<Operation> =>
  documentedOperations(document).map(({ method, operation, path }): Operation => {
    const responses = Object.entries(objectOf(operation["responses"]))
    const [, success] = responses.find(([status]) => status.startsWith("2")) ?? []
    const [[type, media] = ["", {}]] = Object.entries(objectOf(objectOf(success)["content"]))
    const request = objectOf(operation["requestBody"])
    const [sent] = Object.entries(objectOf(request["content"]))
    const result = { type, schema: objectOf(objectOf(media)["schema"]) }
    return {
      id: textOf(operation["operationId"]),
      method,
      path: pathOf(path),
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
      success: result,
      isList: "has_more" in paginationOf(document, { success: result }),
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

/** The properties of `meta.pagination`; none if the operation is no list with pages. */
export const paginationOf = (document: Document, { success }: Pick<Operation, "success">): Json => {
  const { properties } = resolved(document, success.schema)
  const meta = resolved(document, objectOf(properties)["meta"])
  const pagination = resolved(document, objectOf(meta["properties"])["pagination"])
  return objectOf(pagination["properties"])
}
