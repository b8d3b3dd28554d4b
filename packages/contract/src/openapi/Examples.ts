/** Examples of bodies, made from their schemas. Each is valid, and resembles the data of a business. */
import { isObject, type Json, listOf, objectOf } from "./Json.ts"

const texts: Readonly<Record<string, string>> = {
  name: "Ada Lovelace",
  customer_name: "Ada Lovelace",
  passenger_name: "Ada Lovelace",
  driver_name: "Joan Clarke",
  business_name: "Lovelace Chauffeurs",
  company: "Analytical Engines Ltd",
  phone: "+41 44 668 18 00",
  customer_phone: "+41 44 668 18 00",
  mobile_phone: "+41 79 668 18 00",
  email: "ada@example.com",
  customer_email: "ada@example.com",
  password: "a long and private sentence",
  pickup_address: "Bahnhofstrasse 1, 8001 Zurich",
  dropoff_address: "Zurich Airport, 8058 Kloten",
  reference: "TR-7K2M9",
  flight_number: "LX 318",
  timezone: "Europe/Zurich",
  pickup_timezone: "Europe/Zurich",
  country: "CH",
  locale: "de-CH",
  month: "2026-12",
  vat_number: "CHE123456788",
  adviser_number: "29098",
  client_number: "55003",
  iban: "CH9300762011623852957",
  bic: "POFICHBEXXX",
  currency: "CHF",
  make: "Mercedes-Benz",
  model: "EQV",
  color: "black",
  accent_color: "#17436B",
  license_plate: "ZH 123456",
  token: "drv_3vX1kq7ZQ0aB9cD8eF7gH6iJ5kL4mN3oP2qR1sT0uV",
  request_id: "req_0123456789abcdef01234567",
  message: "A sentence for people.",
  field: "pickup_address"
}

const numbers: Readonly<Record<string, number>> = {
  lat: 47.3769,
  lng: 8.5417,
  total_amount: 129.5,
  year: 2026,
  seats: 6,
  participants_count: 2
}

const formats: Readonly<Record<string, string>> = {
  date: "2026-12-24",
  "date-time": "2026-12-24T18:00:00Z",
  "idn-email": "ada@example.com",
  uri: "https://example.com/a-page"
}

/** Examples for schemas with a pattern only. */
const patterned: ReadonlySet<string> = new Set([
  "CHF",
  "08:00",
  "12-24",
  "ZRH",
  "2026-12-24 18:30:00",
  "https://www.example.com"
])

/** The same, by the name of their field: a window of time must not end when it begins. */
const patternedByName: Readonly<Record<string, string>> = { to: "18:00" }

const textOf = (schema: Json, name: string): string => {
  const { anyOf, maxLength = Infinity, minLength = 0, pattern } = schema
  const format = schema["format"] ?? objectOf(listOf(anyOf)[0])["format"]
  const candidates = [
    typeof format === "string" ? formats[format] : undefined,
    texts[name],
    ...(typeof pattern === "string" ? [patternedByName[name]] : []),
    ...patterned,
    "text",
    "a longer text"
  ]
  const fits = (text: string | undefined): text is string =>
    text !== undefined &&
    text.length <= Number(maxLength) &&
    text.length >= Number(minLength) &&
    (typeof pattern !== "string" || new RegExp(pattern, "u").test(text))
  const eligible =
    typeof pattern === "string" ? candidates : candidates.filter((text) => !patterned.has(text ?? ""))
  return eligible.find(fits) ?? "x".repeat(Number(minLength))
}

const numberOf = ({ maximum = Infinity, minimum = 1, type }: Json, name: string): number => {
  const usual = numbers[name] ?? 1
  const bounded = Math.min(Number(maximum), Math.max(Number(minimum), usual))
  return type === "integer" ? Math.trunc(bounded) : bounded
}

/**
 * An example of a schema of a document: its own, if it has one; fields that exclude each other need that. `name` is that
 * of the field that has the schema.
 */
const exampleOf = (document: Json, schema: unknown, name = "", depth = 0): unknown => {
  const { $ref, anyOf, const: constant, enum: literals, items, oneOf, properties, type } = objectOf(schema)
  const inner = (part: unknown, at = name) => exampleOf(document, part, at, depth + 1)
  if (depth > 30) return null
  if (typeof $ref === "string") {
    const path = $ref.split("/").slice(1)
    return inner(path.reduce<unknown>((part, step) => objectOf(part)[step], document))
  }
  const [given] = listOf(objectOf(schema)["examples"])
  if (given !== undefined) return given
  if (constant !== undefined) return constant
  const [literal] = listOf(literals)
  if (literal !== undefined) return literal
  // Beside a type, the choices are between formats of it.
  const choices = type === undefined ? [...listOf(anyOf), ...listOf(oneOf)] : []
  const choice = choices.find((it) => objectOf(it)["type"] !== "null") ?? choices[0]
  if (choice !== undefined) return inner(choice)
  const [kind] = [type].flat()
  switch (kind) {
    case "string":
      return textOf(objectOf(schema), name)
    case "integer":
    case "number":
      return numberOf(objectOf(schema), name)
    case "boolean":
      return true
    case "array":
      return items === undefined ? [] : [inner(items)]
    case "null":
      return null
    default:
      return isObject(properties)
        ? Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, inner(part, key)]))
        : {}
  }
}

/** The content of a request or a response with an example of its JSON body. */
export const withExample = (document: Json, content: unknown): Json =>
  Object.fromEntries(
    Object.entries(objectOf(content)).map(([type, media]) => [
      type,
      type === "application/json"
        ? { ...objectOf(media), example: exampleOf(document, objectOf(media)["schema"]) }
        : media
    ])
  )
