/** The part of JSON Schema that the OpenAPI document uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
}

/** Resolves a reference within its document; `undefined` if its target does not exist. */
export const resolveReference = (document: unknown, ref: string): unknown =>
  ref
    .replace(/^#\//u, "")
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (found, step) =>
        typeof found === "object" && found !== null
          ? (found as Readonly<Record<string, unknown>>)[step]
          : undefined,
      document
    )

const typeOf = (value: unknown) => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  return typeof value
}

/** The forms of texts, by the formats that responses have. */
const formats: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d{2}-\d{2}$/u,
  "date-time": /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/u
}

const textFaults = ({ format, pattern }: JsonSchema, text: string, at: string): ReadonlyArray<string> => [
  ...(format === undefined || (formats[format]?.test(text) ?? true) ? [] : [`${at} is not a ${format}`]),
  ...(pattern === undefined || new RegExp(pattern, "u").test(text) ? [] : [`${at} is not like ${pattern}`])
]

const isType = (value: unknown, type: string) =>
  type === "integer" ? Number.isInteger(value) : typeOf(value) === type

/** The differences between a value and its schema, undocumented fields included; empty if they agree. */
export const disagreements = (
  document: unknown,
  schema: JsonSchema,
  value: unknown,
  at = "$"
): ReadonlyArray<string> => {
  const within = (inner: JsonSchema, part: unknown, where: string) =>
    disagreements(document, inner, part, where)
  if (schema.$ref !== undefined)
    return within(resolveReference(document, schema.$ref) as JsonSchema, value, at)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) {
    const found = choices.map((choice) => within(choice, value, at))
    return found.some((wrong) => wrong.length === 0) ? [] : (found.at(0) ?? [])
  }
  const wrong: Array<string> = (schema.allOf ?? []).flatMap((part) => within(part, value, at))
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length > 0 && !types.some((type) => isType(value, type)))
    return [`${at} is ${typeOf(value)}, not ${types.join(" or ")}`]
  if (schema.enum !== undefined && !schema.enum.includes(value)) wrong.push(`${at} is not of the enumeration`)
  if (schema.const !== undefined && schema.const !== value) wrong.push(`${at} is not the constant`)
  if (typeof value === "string") wrong.push(...textFaults(schema, value, at))
  if (Array.isArray(value) && schema.items !== undefined)
    for (const [index, item] of value.entries()) wrong.push(...within(schema.items, item, `${at}[${index}]`))
  if (typeOf(value) === "object") {
    const fields = value as Readonly<Record<string, unknown>>
    for (const name of schema.required ?? []) if (!(name in fields)) wrong.push(`${at}.${name} is missing`)
    for (const [name, part] of Object.entries(fields)) {
      const described = schema.properties?.[name]
      if (described !== undefined) wrong.push(...within(described, part, `${at}.${name}`))
      // A schema without any property describes a map, whose names are its content.
      else if (schema.properties !== undefined) wrong.push(`${at}.${name} is not documented`)
    }
  }
  return wrong
}
