/** A request as text for the shell, for TypeScript and for Python. */
import { objectOf } from "@livery/contract"
import type { Operation } from "../client/ApiDocument.ts"

/** A request with its response. */
export interface Example {
  readonly curl: string
  readonly ts: string
  readonly python: string
  /** The response, with its status; of a real request, unless `isMade`. */
  readonly response: string
  readonly isMade: boolean
}

/** A text with the placeholders of the guide as values: a number for an id, the name of a variable in a text. */
const filled = (text: string) =>
  text
    .replaceAll(/(?<=[:[,] ?)\{\w+\}(?=[\], }\n])/gu, "7")
    .replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
      /(?:^|_)id$/u.test(name) ? "7" : `$${name.toUpperCase()}`
    )

/** The path of a request; a placeholder in place of an id of the operation is a number, whatever its name. */
const filledPath = (template: string, path: string) => {
  const names = template.split("/")
  return filled(
    path
      .split("/")
      .map((part, at) => (/^\{\w*id\}$/u.test(names[at] ?? "") && part.startsWith("{") ? "7" : part))
      .join("/")
  )
}

/** The body of a request of the guide; undefined if it is no JSON. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(filled(text))
  } catch {
    return undefined
  }
}

const isName = (text: string) => /^[A-Za-z_]\w*$/u.test(text)

type Language = "python" | "ts"

/** A variable of the environment. */
const variable = (name: string, language: Language) =>
  language === "ts" ? `process.env.${name}!` : `os.environ["${name}"]`

/** A value as a literal of TypeScript or Python; the text `$NAME` is a variable of the environment. */
const literal = (value: unknown, language: Language, indent = ""): string => {
  if (value === null) return language === "ts" ? "null" : "None"
  if (typeof value === "boolean" && language === "python") return value ? "True" : "False"
  const [, name] = (typeof value === "string" && /^\$([A-Z_]+)$/u.exec(value)) || []
  if (name !== undefined) return variable(name, language)
  if (typeof value !== "object") return JSON.stringify(value)
  const isList = Array.isArray(value)
  const deeper = `${indent}  `
  const parts = Object.entries(value).map(([key, inner]) => {
    const label = language === "ts" && isName(key) ? key : JSON.stringify(key)
    return (isList ? "" : `${label}: `) + literal(inner, language, deeper)
  })
  const [open, close] = isList ? ["[", "]"] : ["{", "}"]
  const line = `${open}${isList || parts.length === 0 ? "" : " "}${parts.join(", ")}${isList || parts.length === 0 ? "" : " "}${close}`
  if (line.length + indent.length < 90 && !line.includes("\n")) return line
  return `${open}\n${parts.map((part) => deeper + part).join(",\n")}\n${indent}${close}`
}

const credentialOf = ({ security }: Operation) =>
  security.length === 0 || security.includes("driver_token")
    ? undefined
    : security.includes("business_credential")
      ? "LIVERY_API_KEY"
      : "ACCESS_TOKEN"

/** The value of a parameter of the address. */
const parameterValue = (text: string) =>
  /^\d+$/u.test(text) ? Number(text) : text === "true" || text === "false" ? text === "true" : text

/** A request with its parts. */
interface RequestParts {
  readonly method: string
  /** Below the server's root. */
  readonly address: string
  readonly search: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly credential: string | undefined
  /** The fields beside the file, if it is a form. */
  readonly body: unknown
  readonly isForm: boolean
}

const formParts = (fields: unknown) =>
  Object.entries(objectOf(fields)).map(([name, value]) => `-F "${name}=${String(value)}"`)

const curlOf = ({ address, body, credential, headers, isForm, method, search }: RequestParts) => {
  // The shell replaces variables in double quotes alone.
  const line = isForm ? undefined : JSON.stringify(body)
  const json = (line !== undefined && line.length > 80 ? JSON.stringify(body, null, 2) : line)
    ?.replaceAll("'", "'\\''")
    .replaceAll(/"\$([A-Z_]+)"/gu, `"'"$$$1"'"`)
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}"$LIVERY_URL${address}${search && `?${search}`}"`,
    ...(credential === undefined ? [] : [`-H "Authorization: Bearer $${credential}"`]),
    ...headers.map(([name, value]) => `-H '${name}: ${value}'`),
    ...(isForm ? ['-F "file=@picture.png"', ...formParts(body)] : []),
    ...(json === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${json}'`])
  ].join(" \\\n  ")
}

const pythonOf = (
  { address, body, credential, headers, isForm, method, search }: RequestParts,
  resultType: string
) => {
  const isStream = resultType === "text/event-stream"
  const query = Object.fromEntries(
    [...new URLSearchParams(search)].map(([name, value]) => [name, parameterValue(value)])
  )
  const path = JSON.stringify(address)
    .replaceAll(/\$([A-Z_]+)/gu, (_, name: string) => `" + ${variable(name, "python")} + "`)
    .replace(/ \+ ""$/u, "")
  const fields = [
    ...(credential === undefined ? [] : [`"Authorization": "Bearer " + ${variable(credential, "python")}`]),
    ...headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  ]
  return [
    "import os, requests",
    "",
    "answer = requests.request(",
    `    "${method}", os.environ["LIVERY_URL"] + ${path},`,
    ...(search === "" ? [] : [`    params=${literal(query, "python", "    ")},`]),
    ...(fields.length === 0 ? [] : [`    headers={ ${fields.join(", ")} },`]),
    ...(isForm ? ['    files={ "file": open("picture.png", "rb") },'] : []),
    ...(body === undefined ? [] : [`    ${isForm ? "data" : "json"}=${literal(body, "python", "    ")},`]),
    ...(isStream ? ["    stream=True,"] : []),
    ")",
    "answer.raise_for_status()",
    ...(isStream
      ? ["for line in answer.iter_lines():", "    print(line.decode())"]
      : [resultType === "application/json" ? 'print(answer.json()["data"])' : "print(len(answer.content))"])
  ].join("\n")
}

/** The options of the client's methods, by the headers that they send. */
const optionNames: Readonly<Record<string, string>> = {
  "If-Match": "ifMatch",
  "Idempotency-Key": "idempotencyKey",
  "X-Audit-Reason": "auditReason"
}

const typeScriptOf = (
  operation: Operation,
  inPath: Readonly<Record<string, unknown>>,
  { body, headers, isForm, search }: RequestParts
) => {
  const query = [...new URLSearchParams(search)].filter(([name]) => name !== "token")
  const inQuery = Object.fromEntries(query.map(([name, value]) => [name, parameterValue(value)]))
  const fields = Array.isArray(body) ? body : { ...inPath, ...inQuery, ...objectOf(body) }
  const json = Object.keys(fields).length === 0 ? "" : literal(fields, "ts")
  const input = isForm ? (json === "" ? "{ file }" : json.replace(/\s*\}$/u, ", file }")) : json
  const options = headers.map(([name, value]) => `${optionNames[name]}: ${JSON.stringify(value)}`).join(", ")
  const given = [
    ...(input === "" && options !== "" ? ["undefined"] : [input]),
    ...(options === "" ? [] : [`{ ${options} }`])
  ]
  const call = `client.${operation.id}(${given.filter(Boolean).join(", ")})`
  if (operation.success.type === "text/event-stream")
    return `for await (const { event, data } of ${call}) console.log(event, data)`
  return operation.isList
    ? `for await (const record of ${call}) console.log(record)`
    : `const result = await ${call}`
}

/** The same request for the shell, for TypeScript and for Python. */
export const requestTexts = (
  operation: Operation,
  path: string,
  headers: ReadonlyArray<string>,
  body: unknown
): Pick<Example, "curl" | "python" | "ts"> => {
  const template = operation.path.replace("^", "")
  const [place = "", search = ""] = filledPath(template, path.replace("^", "")).split("?")
  const isForm = operation.body?.type === "multipart/form-data"
  const request: RequestParts = {
    method: operation.method,
    address: template === operation.path ? `/api/v1${place}` : place,
    search,
    headers: headers
      .map((header) => filled(header).split(/: (.*)/su))
      .flatMap(([name = "", value = ""]) => (name in optionNames ? [[name, value] as const] : [])),
    credential: credentialOf(operation),
    body: isForm && Object.keys(objectOf(body)).length === 0 ? undefined : body,
    isForm
  }
  const names = [...template.matchAll(/\{(\w+)\}/gu)].map(([, name = ""]) => name)
  const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/gu, "([^/]+)")}$`, "u")
  const values = (pattern.exec(place) ?? []).slice(1)
  const inPath = Object.fromEntries(names.map((name, index) => [name, parameterValue(values[index] ?? "7")]))
  return {
    curl: curlOf(request),
    ts: typeScriptOf(operation, inPath, request),
    python: pythonOf(request, operation.success.type)
  }
}
