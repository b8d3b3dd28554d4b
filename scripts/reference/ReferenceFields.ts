/** The fields of parameters and bodies, as the reference shows them. */
import { type Json, listOf, objectOf, textOf } from "@livery/contract"
import { type Document, type Operation, resolved } from "../client/ApiDocument.ts"

/** A field: its path, its type, whether it is required, what it says, and for parameters where it is sent. */
export type Field = readonly [path: string, type: string, required: boolean, text: string, place?: string]

/** The schema without the choice of `null`. */
const withoutNull = (document: Document, schema: unknown): Json => {
  const whole = resolved(document, schema)
  const choices = listOf(whole["anyOf"]).filter((it) => objectOf(it)["type"] !== "null")
  return choices.length === 1 && whole["properties"] === undefined
    ? {
        ...resolved(document, choices[0]),
        ...(textOf(whole["description"]) && { description: whole["description"] })
      }
    : whole
}

const mayBeNull = (document: Document, schema: unknown) =>
  listOf(resolved(document, schema)["anyOf"]).some((it) => objectOf(it)["type"] === "null")

const limitsOf = (schema: Json) => {
  const { format, maxItems, maxLength, maximum, minLength, minimum } = schema
  const isId = maximum === Number.MAX_SAFE_INTEGER
  const isBound = (value: unknown) => typeof value === "number" && Math.abs(value) !== Number.MAX_SAFE_INTEGER
  const limits: ReadonlyArray<readonly [isShown: boolean, text: string]> = [
    [textOf(format) !== "", textOf(format).replace("idn-email", "email")],
    [Number(minLength) > 1, `from ${Number(minLength)} characters`],
    [isBound(maxLength), `to ${Number(maxLength)} characters`],
    [isBound(minimum) && !isId, `from ${Number(minimum)}`],
    [isBound(schema["exclusiveMinimum"]), `above ${Number(schema["exclusiveMinimum"])}`],
    [isBound(maximum), `to ${Number(maximum)}`],
    [isBound(maxItems), `to ${Number(maxItems)} items`]
  ]
  return limits.flatMap(([isShown, text]) => (isShown ? [text] : [])).join(", ")
}

const typeName = (document: Document, schema: unknown): string => {
  const { anyOf, enum: literals, format, items, oneOf, type } = withoutNull(document, schema)
  if (Array.isArray(literals)) return literals.map((it) => JSON.stringify(it)).join(" | ")
  if (type === "array") {
    const item = typeName(document, items)
    return item.includes(" | ") ? `list of (${item})` : `list of ${item}`
  }
  if (type === undefined) {
    const names = [...new Set([...listOf(anyOf), ...listOf(oneOf)].map((it) => typeName(document, it)))]
    return names.join(" or ") || "any value"
  }
  return format === "binary" ? "file" : textOf(type)
}

/** The fields of a schema, the inner ones after the outer one, up to three levels. */
export const fieldsOf = (document: Document, schema: unknown, path = "", depth = 0): ReadonlyArray<Field> => {
  const whole = withoutNull(document, schema)
  if (whole["type"] === "array") return fieldsOf(document, whole["items"], `${path}[]`, depth)
  const required = new Set(listOf(whole["required"]))
  return Object.entries(objectOf(whole["properties"])).flatMap(([name, field]): ReadonlyArray<Field> => {
    const at = path === "" ? name : `${path}.${name}`
    const plain = withoutNull(document, field)
    const text = [
      textOf(plain["description"]),
      limitsOf(plain),
      mayBeNull(document, field) ? "may be null" : ""
    ]
    const own: Field = [at, typeName(document, field), required.has(name), text.filter(Boolean).join(" · ")]
    return depth > 1 ? [own] : [own, ...fieldsOf(document, field, at, depth + 1)]
  })
}

/** The parameters of an operation, without the headers that many operations have. */
export const parameterFields = (document: Document, { parameters }: Operation) =>
  parameters
    .filter(
      (it) =>
        it.in !== "header" || !/^(?:if-match|if-none-match|idempotency-key|x-business-id)$/iu.test(it.name)
    )
    .map((it): Field => {
      const plain = withoutNull(document, it.schema)
      const text = [it.description ?? textOf(plain["description"]), limitsOf(plain)]
        .filter(Boolean)
        .join(" · ")
      return [it.name, typeName(document, it.schema), it.required === true, text, it.in]
    })

/** The types of errors that a schema has. */
export const errorTypesOf = (document: Document, schema: Json): ReadonlyArray<string> =>
  [schema, ...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])].flatMap((choice) => {
    const error = resolved(document, objectOf(resolved(document, choice)["properties"])["error"])
    const type = objectOf(objectOf(error["properties"])["type"])
    return [...listOf(type["enum"]), ...(type["const"] === undefined ? [] : [type["const"]])].map(String)
  })
