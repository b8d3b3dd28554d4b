/** Values of the OpenAPI document, as the steps that complete it see them. */

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A value that is an object, or an empty one. */
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {})

/** A value that is a list, or an empty one. */
export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Rewrites every object of a value, the inner ones first. */
export const rewritten = (value: unknown, rewrite: (object: Json) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => rewritten(item, rewrite))
  if (!isObject(value)) return value
  return rewrite(
    Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rewritten(inner, rewrite)]))
  )
}

/** A value that is a text, or an empty one. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "")
