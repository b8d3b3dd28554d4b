/** Responses that have another form beside JSON, which the request asks for with `Accept`. */

const recordOf = (value: unknown) => Object(value) as Readonly<Record<string, unknown>>

const schemaOf = (type: string) =>
  type.startsWith("text/") ? { type: "string" } : { type: "string", format: "binary" }

/** Makes the transformation that documents the other forms of a successful response. */
export const alsoAs =
  (...types: ReadonlyArray<string>) =>
  (operation: Record<string, unknown>): Record<string, unknown> => {
    const responses = recordOf(operation["responses"])
    const success = recordOf(responses["200"])
    const others = Object.fromEntries(types.map((type) => [type, { schema: schemaOf(type) }]))
    return {
      ...operation,
      responses: {
        ...responses,
        200: { ...success, content: { ...recordOf(success["content"]), ...others } }
      }
    }
  }
