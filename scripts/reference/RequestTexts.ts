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
export const requestTexts = (
  operation: Operation,
  path: string,
  headers: ReadonlyArray<string>,
  body: unknown
): Pick<Example, "curl" | "python" | "ts"> => {
  const { method } = operation
  const credential = credentialOf(operation)
  const template = operation.path.replace("^", "")
  const [place = "", search = ""] = filledPath(template, path.replace("^", "")).split("?")
  const address = template === operation.path ? `/api/v1${place}` : place
  const isForm = operation.body?.type === "multipart/form-data"
  const others = headers.filter((header) => !header.startsWith("Authorization"))
  const curl = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"$LIVERY_URL${address}${search && `?${search}`}"`,
    ...(credential === "" ? [] : [`-H "Authorization: Bearer ${credential}"`]),
    ...others.map((header) => `-H "${filled(header)}"`),
    ...(isForm ? ['-F "file=@picture.png"'] : []),
    ...(body === undefined || isForm
      ? []
      : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`])
  ].join(" \\\n  ")

  const names = [...template.matchAll(/\{(\w+)\}/gu)].map(([, name = ""]) => name)
  const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/gu, "([^/]+)")}$`, "u")
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
    `answer = requests.request("${method}", os.environ["LIVERY_URL"] + "${address}"${query.length === 0 ? "" : `, params=${literal(inQuery, "python")}`},`,
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
