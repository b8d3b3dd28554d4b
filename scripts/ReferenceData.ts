/**
 * The data of the reference at `/docs`, made from the OpenAPI document and the API guide: an index of all operations, and a
 * file for each group. The requests and the responses are the guide's, which a test sends to a server.
 */
import { withExample } from "../packages/contract/src/openapi/Examples.ts"
import { type Document, type Operation, operationsOf } from "./ClientSources.ts"

type Json = Readonly<Record<string, unknown>>

const objectOf = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {}
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** The tags in the order in which a business meets them. A tag that is not listed is in the last part. */
const parts: ReadonlyArray<readonly [part: string, tags: ReadonlyArray<string>]> = [
  [
    "Set up",
    [
      "Authentication",
      "Current user",
      "Business",
      "Staff",
      "Settings",
      "Cars",
      "Drivers",
      "Fares",
      "Drivers' pay",
      "Products",
      "Uploads"
    ]
  ],
  ["Sell", ["Customers", "Booking page", "Quotes", "Quotes by link", "Bookings", "Billing of bookings"]],
  [
    "Drive",
    ["Trips", "Dispatch", "Signed-in drivers", "Drivers without an account", "Tracking", "Tracking by link"]
  ],
  [
    "Get paid",
    ["Billing of trips", "Invoices", "Invoice PDFs", "Credit notes", "Invoices by link", "Payment notices"]
  ],
  ["Integrate", ["Webhooks", "Events", "Meta", "Operations", "Privacy"]],
  ["Run the platform", []]
]

/** A field: its path, its type, whether it is required, what it says, and for parameters where it is sent. */
export type Field = readonly [path: string, type: string, required: boolean, text: string, place?: string]

/** A request with its response. */
export interface Example {
  readonly curl: string
  readonly ts: string
  readonly python: string
  /** The response, with its status; of a real request, unless `isMade`. */
  readonly response: string
  readonly isMade: boolean
}

/** What the page shows of an operation. */
export interface ReferenceOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly text: string
  readonly callers: string
  readonly roles: string
  readonly parameters: ReadonlyArray<Field>
  readonly body: ReadonlyArray<Field>
  readonly result: ReadonlyArray<Field>
  readonly isList: boolean
  readonly example: Example
  readonly refusals: ReadonlyArray<string>
  /** The types of errors, by their status. */
  readonly errors: ReadonlyArray<readonly [status: string, types: string]>
}

const resolved = (document: Document, schema: unknown): Json => {
  const { $ref } = objectOf(schema)
  return typeof $ref === "string"
    ? resolved(document, document.components.schemas[$ref.slice($ref.lastIndexOf("/") + 1)])
    : objectOf(schema)
}

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
const fieldsOf = (document: Document, schema: unknown, path = "", depth = 0): ReadonlyArray<Field> => {
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

// Examples

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
const guideExamples = (pages: ReadonlyArray<string>): ReadonlyArray<GuideExample> =>
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
const operationOf = (operations: ReadonlyArray<Operation>, { method, path }: GuideExample) => {
  const [place = ""] = path.split("?")
  const fitting = operations.filter(
    (it) =>
      it.method === method && new RegExp(`^${it.path.replaceAll(/\{\w+\}/gu, "[^/]+")}$`, "u").test(place)
  )
  return fitting.toSorted((one, other) => one.path.split("{").length - other.path.split("{").length)[0]
}

/** A placeholder of the guide as a value: an id as a number, anything else as the name of a variable. */
const filled = (text: string) =>
  text.replaceAll(/\{(\w+)\}/gu, (_, name: string) => (name.endsWith("_id") ? "7" : `$${name.toUpperCase()}`))

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(filled(text))
  } catch {
    return undefined
  }
}

const isName = (text: string) => /^[A-Za-z_]\w*$/u.test(text)

/** A value as a literal of TypeScript or Python. */
const literal = (value: unknown, language: "ts" | "python", indent = ""): string => {
  if (value === null) return language === "ts" ? "null" : "None"
  if (typeof value === "boolean" && language === "python") return value ? "True" : "False"
  if (typeof value !== "object") return JSON.stringify(value)
  const isList = Array.isArray(value)
  const deeper = `${indent}  `
  const parts = Object.entries(value).map(([name, inner]) => {
    const label = language === "ts" && isName(name) ? name : JSON.stringify(name)
    return (isList ? "" : `${label}: `) + literal(inner, language, deeper)
  })
  const [open, close] = isList ? ["[", "]"] : ["{", "}"]
  const line = `${open}${isList || parts.length === 0 ? "" : " "}${parts.join(", ")}${isList || parts.length === 0 ? "" : " "}${close}`
  if (line.length + indent.length < 90 && !line.includes("\n")) return line
  return `${open}\n${parts.map((part) => deeper + part).join(",\n")}\n${indent}${close}`
}

const credentialOf = ({ security }: Operation) =>
  security.length === 0 || security.includes("driver_token")
    ? ""
    : security.includes("business_credential")
      ? "$LIVERY_API_KEY"
      : "$ACCESS_TOKEN"

/** The same request for the shell, for TypeScript and for Python. */
const requestTexts = (
  operation: Operation,
  path: string,
  headers: ReadonlyArray<string>,
  body: unknown
): Pick<Example, "curl" | "python" | "ts"> => {
  const { method } = operation
  const credential = credentialOf(operation)
  const [place = "", search = ""] = filled(path).split("?")
  const isForm = operation.body?.type === "multipart/form-data"
  const others = headers.filter((header) => !header.startsWith("Authorization"))
  const curl = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"$LIVERY_URL/api/v1${place.replace("^", "/../..")}${search && `?${search}`}"`,
    ...(credential === "" ? [] : [`-H "Authorization: Bearer ${credential}"`]),
    ...others.map((header) => `-H "${filled(header)}"`),
    ...(isForm ? ['-F "file=@picture.png"'] : []),
    ...(body === undefined || isForm
      ? []
      : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`])
  ].join(" \\\n  ")

  const names = [...operation.path.matchAll(/\{(\w+)\}/gu)].map(([, name = ""]) => name)
  const pattern = new RegExp(`^${operation.path.replaceAll(/\{\w+\}/gu, "([^/]+)")}$`, "u")
  const values = (pattern.exec(place) ?? []).slice(1)
  const inPath = Object.fromEntries(
    names.map((name, index) => [
      name,
      /^\d+$/u.test(values[index] ?? "7") ? Number(values[index] ?? 7) : values[index]
    ])
  )
  const query = [...new URLSearchParams(search)].filter(([name]) => name !== "token")
  const inQuery = Object.fromEntries(
    query.map(([name, value]) => [name, /^\d+$/u.test(value) ? Number(value) : value])
  )
  const fields = Array.isArray(body) ? body : { ...inPath, ...inQuery, ...objectOf(body) }
  const input = isForm
    ? "{ file }"
    : Object.keys(fields).length === 0
      ? ""
      : literal(fields, "ts").replaceAll(/"\$(\w+)"/gu, (_, name: string) => `process.env.${name}`)
  const tag = others.find((header) => header.startsWith("If-Match"))
  const key = others.find((header) => header.startsWith("Idempotency-Key"))
  const options = [
    ...(tag === undefined ? [] : [`ifMatch: ${JSON.stringify(tag.slice(10))}`]),
    ...(key === undefined ? [] : [`idempotencyKey: ${JSON.stringify(key.slice(17))}`])
  ].join(", ")
  const call = `client.${operation.id}(${[input, ...(options === "" ? [] : [...(input === "" ? ["undefined"] : []), `{ ${options} }`])].filter(Boolean).join(", ")})`
  const isStream = operation.success.type === "text/event-stream"
  const ts = isStream
    ? `for await (const { event, data } of ${call}) console.log(event, data)`
    : operation.parameters.some(({ name }) => name === "per_page")
      ? `for await (const record of ${call}) console.log(record)`
      : `const result = await ${call}`

  const python = [
    "import os, requests",
    "",
    `answer = requests.request("${method}", os.environ["LIVERY_URL"] + "/api/v1${place.replace("^", "/../..")}"${query.length === 0 ? "" : `, params=${literal(inQuery, "python")}`},`,
    ...(credential === ""
      ? []
      : [`    headers={ "Authorization": "Bearer " + os.environ["${credential.slice(1)}"] },`]),
    ...(isForm ? ['    files={ "file": open("picture.png", "rb") },'] : []),
    ...(body === undefined || isForm ? [] : [`    json=${literal(body, "python", "    ")},`]),
    ")",
    "answer.raise_for_status()",
    operation.success.type === "application/json"
      ? 'print(answer.json()["data"])'
      : "print(len(answer.content))"
  ].join("\n")
  return { curl, ts, python }
}

const exampleIn = (document: Document, type: string, schema: Json): unknown =>
  objectOf(withExample(document as unknown as Json, { [type]: { schema } })[type])["example"]

/** An example that is made from the schemas, for an operation that the guide does not show. */
const madeExample = (document: Document, operation: Operation): Example => {
  const { body, success } = operation
  const sent = body?.type === "application/json" ? exampleIn(document, body.type, body.schema) : undefined
  const required = operation.parameters.filter(
    (it) => it.in === "query" && it.required && it.name !== "token"
  )
  const search = required.map(
    ({ name, schema }) => `${name}=${String(exampleIn(document, "application/json", schema))}`
  )
  const path = operation.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
    name.endsWith("id") ? "7" : `{${name}}`
  )
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

const typesOf = (document: Document, schema: Json): ReadonlyArray<string> =>
  [schema, ...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])].flatMap((choice) => {
    const error = resolved(document, objectOf(resolved(document, choice)["properties"])["error"])
    const type = objectOf(objectOf(error["properties"])["type"])
    return [...listOf(type["enum"]), ...(type["const"] === undefined ? [] : [type["const"]])].map(String)
  })

const parameterFields = (document: Document, { parameters }: Operation) =>
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

/** One group of operations: those of a tag. */
export interface ReferenceGroup {
  readonly name: string
  readonly file: string
  readonly operations: ReadonlyArray<ReferenceOperation>
}

/** Two cells of a table in Markdown, or three. */
const rowsOf = (page: string, heading: string) => {
  const lines = page.slice(page.indexOf(heading)).split("\n")
  const begin = lines.findIndex((line) => line.startsWith("| -"))
  const end = lines.findIndex((line, index) => index > begin && !line.startsWith("|"))
  return lines.slice(begin + 1, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim())
  )
}

/** Programs that the page shows; `BASE` stands for the address of the API. */
const programs = {
  curl: 'curl "BASE/ping" \\\n  -H "Authorization: Bearer $LIVERY_API_KEY"',
  client: [
    'import { livery } from "@livery/client"',
    "",
    'const client = livery({ baseUrl: "BASE", apiKey: process.env.LIVERY_API_KEY })',
    "const trip = await client.trips.create({",
    '  trip_date: "2031-05-04T09:30:00Z",',
    '  pickup_address: "Airport, Terminal 1",',
    '  dropoff_address: "Grand Hotel",',
    '  customer_name: "Ada Lovelace"',
    "})"
  ].join("\n"),
  verifyInTypeScript: [
    'import { verifyWebhook } from "@livery/client"',
    "",
    "// Throws unless the signature is right and recent.",
    'const event = await verifyWebhook(request.headers["x-service-signature"], rawBody, secret)',
    'if (event.type === "trip.created") console.log(event.data.reference)'
  ].join("\n"),
  verifyInPython: [
    "import hashlib, hmac, time",
    "",
    "def verify(header: str, raw_body: bytes, secret: str) -> None:",
    '    parts = [part.strip().split("=", 1) for part in header.split(",")]',
    '    sent_at = dict(parts)["t"]',
    '    expected = hmac.new(secret.encode(), sent_at.encode() + b"." + raw_body, hashlib.sha256).hexdigest()',
    '    if not any(name == "v1" and hmac.compare_digest(value, expected) for name, value in parts):',
    '        raise ValueError("no signature matches")',
    "    if abs(time.time() - int(sent_at)) > 300:",
    '        raise ValueError("the signature is too old")'
  ].join("\n")
}

/** The reference: the groups with their operations, and the index with everything that the page shows first. */
export const referenceOf = (
  document: Document,
  guide: Readonly<Record<string, string>>
): { readonly groups: ReadonlyArray<ReferenceGroup>; readonly index: Json } => {
  const operations = operationsOf(document)
  // The pages about one thing come before those about rules for all.
  const general = new Set(["conventions", "errors", "authentication"])
  const pages = Object.entries(guide).toSorted(
    ([one], [other]) => Number(general.has(one)) - Number(general.has(other))
  )
  const examples = Map.groupBy(
    guideExamples(pages.map(([, page]) => page)).filter(({ response }) => response !== ""),
    (example) => operationOf(operations, example)?.id
  )
  const shown = (operation: Operation): ReferenceOperation => {
    const { description, errors, id, method, path, success, summary } = operation
    const own = examples.get(id) ?? []
    const good = own.find(
      ({ body, response }) => response.startsWith("2") && (body === "" || parsed(body) !== undefined)
    )
    const { data } = objectOf(resolved(document, success.schema)["properties"])
    const isList = resolved(document, data)["type"] === "array"
    return {
      id,
      method,
      path: path.startsWith("^") ? path.slice(1) : `/api/v1${path}`,
      summary,
      text: description.replace(`${summary}.`, "").trim(),
      callers: /Callers: ([^.]*)/u.exec(description)?.[1] ?? "",
      roles: /Roles of members: ([^.]*)/u.exec(description)?.[1] ?? "",
      parameters: parameterFields(document, operation),
      body: operation.body === undefined ? [] : fieldsOf(document, operation.body.schema),
      result: fieldsOf(document, data),
      isList,
      example:
        good === undefined
          ? madeExample(document, operation)
          : {
              ...requestTexts(
                operation,
                good.path,
                good.headers,
                good.body === "" ? undefined : parsed(good.body)
              ),
              response: good.response,
              isMade: false
            },
      refusals: own
        .filter(({ response }) => !response.startsWith("2"))
        .slice(0, 2)
        .map(({ response }) => response),
      errors: Object.entries(errors).map(
        ([status, schema]) => [status, [...new Set(typesOf(document, schema))].join(", ")] as const
      )
    }
  }
  const byTag = Map.groupBy(operations, ({ tag }) => tag)
  const listed = new Set(parts.flatMap(([, tags]) => tags))
  const left = [...byTag.keys()].filter((tag) => !listed.has(tag))
  const ordered = parts.map(
    ([part, tags], index) => [part, index === parts.length - 1 ? [...tags, ...left] : tags] as const
  )
  const fileOf = (tag: string) => tag.toLowerCase().replaceAll(/[^a-z]+/gu, "-")
  const groups = ordered.flatMap(([, tags]) =>
    tags.flatMap((tag) => {
      const members = byTag.get(tag)
      return members === undefined ? [] : [{ name: tag, file: fileOf(tag), operations: members.map(shown) }]
    })
  )
  const errorsPage = guide["errors"] ?? ""
  const index = {
    programs,
    parts: ordered.map(([part, tags]) => [
      part,
      tags.flatMap((tag) => {
        const group = groups.find(({ name }) => name === tag)
        return group === undefined
          ? []
          : [
              [
                tag,
                group.file,
                group.operations.map(({ id, method, path, summary }) => [id, method, path, summary])
              ]
            ]
      })
    ]),
    errors: rowsOf(errorsPage, "| Type"),
    issues: rowsOf(errorsPage, "| Issue"),
    events: Object.entries(document.webhooks ?? {}).map(([name, item]) => [
      name,
      textOf(objectOf(objectOf(item)["post"])["summary"])
    ])
  }
  return { groups, index }
}

/** A sample of each event, by its type. */
export const eventSamples = (document: Document): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(document.webhooks ?? {}).map(([name, item]) => {
      const content = objectOf(objectOf(objectOf(objectOf(item)["post"])["requestBody"])["content"])
      const { schema } = objectOf(content["application/json"])
      return [name, exampleIn(document, "application/json", objectOf(schema))]
    })
  )
