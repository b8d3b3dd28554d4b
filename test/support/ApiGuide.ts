import { readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { assert } from "vitest"

const root = join(import.meta.dirname, "..", "..")

/**
 * The examples of the API guide. An example is a block of the language `http` with a request, followed by another one with
 * its response. The requests of a page are sent in their order.
 *
 * - `{name}` in a request is a value of an earlier response, such as the `trip_id` that it had last.
 * - A request below `/me`, `/business` and so on has the API key of the business, unless it has a header of its own.
 * - `http show=trip_id,drivers.status` shows these fields of the record. `headers=ETag` shows headers, `meta=pagination` a
 *   part of `meta`, and `keep=first:trip_id` gives a value another name. Readers of the page do not see these words.
 * - The body `file=@path` is the form of an upload, with a file of the project. Lines after it are other fields: `name=value`.
 * - A comment `<!-- before … -->` has requests that the examples need and the page does not show. `MAIL address` waits for a
 *   message with another code, and gives it as `{code}`.
 * - Of a stream of events, the first event is shown.
 */
const exampleBlock =
  /```http(?<options>[^\n]*)\n(?<request>(?:GET|POST|PATCH|DELETE) [^`]*?)\n```\n(?:\n```http\n(?<response>\d{3}[^`]*?)\n```\n)?/gu
const hiddenBlock = /<!-- before\n(?<requests>.*?)-->/gsu

type Values = Record<string, unknown>

interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

const requestOf = (text: string, values: Values): Request => {
  const filled = text.replaceAll(/(?<![$\w])\{(?<name>\w+)\}/gu, (_, name: string) => {
    assert.property(values, name, `No response had the value of {${name}} in:\n${text}`)
    return String(values[name])
  })
  const [head = "", ...rest] = filled.split("\n\n")
  const [line = "", ...headerLines] = head.split("\n")
  const [method = "", path = ""] = line.split(" ")
  const body = rest.join("\n\n")
  return {
    method,
    path,
    headers: Object.fromEntries(headerLines.map((one) => one.split(/: (?<value>.*)/su).slice(0, 2))),
    body: body === "" ? undefined : body
  }
}

const needsNoCredential = /^\/(?:public|auth|driver|meta|health)\//u

/** The first event of a stream. */
const firstEventOf = async (response: Response) => {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ""
  for (;;) {
    const { done, value = "" } = (await reader?.read()) ?? { done: true }
    text += value
    const event = /(?:^|\n)((?:event|id|data): [^]*?)\n\n/u.exec(text)?.[1]
    if (event === undefined && !done) continue
    await reader?.cancel()
    return event ?? text
  }
}

/** A body that is a form with a file of the project. */
const formLine = /^file=@\S+/u

const send = async (api: string, request: Request, values: Values) => {
  const credential: Record<string, string> =
    needsNoCredential.test(request.path) || "Authorization" in request.headers
      ? {}
      : { Authorization: `Bearer ${String(values["business_key"])}` }
  const [file, ...fields] = formLine.test(request.body ?? "") ? (request.body ?? "").trim().split("\n") : []
  const contentType: Record<string, string> =
    request.body === undefined || file !== undefined ? {} : { "Content-Type": "application/json" }
  const form = new FormData()
  if (file !== undefined) {
    const path = file.slice("file=@".length)
    form.set("file", new Blob([readFileSync(join(root, path))]), basename(path))
  }
  for (const field of fields) {
    const [name = "", ...value] = field.split("=")
    form.set(name, value.join("="))
  }
  const base = request.path.startsWith("/health/") ? api.replace(/\/api\/v1$/u, "") : api
  const response = await fetch(`${base}${request.path}`, {
    method: request.method,
    headers: { ...credential, ...contentType, ...request.headers },
    body: file === undefined ? (request.body ?? null) : form
  })
  const type = response.headers.get("content-type") ?? ""
  if (type.startsWith("text/event-stream")) return { response, event: await firstEventOf(response) }
  return {
    response,
    body: type.startsWith("application/json") ? JSON.parse(await response.text()) : undefined
  }
}

/** Keeps the values of a response by the names of their fields. An outer field comes before an inner one. */
const keep = (data: unknown, values: Values) => {
  const level: Array<unknown> = [data]
  const seen = new Set<string>()
  for (const one of level) {
    if (typeof one !== "object" || one === null) continue
    for (const [name, value] of Object.entries(one))
      if (typeof value === "object") level.push(value)
      else if (!seen.has(name)) {
        seen.add(name)
        values[name] = value
      }
  }
}

const rest = Symbol("…")

/** The shown fields of a record, or of each record of a list, of which the first two are shown. */
const shown = (data: unknown, paths: ReadonlyArray<string>): unknown => {
  if (Array.isArray(data)) {
    const count = paths.length === 0 ? data.length : 2
    const first = data.slice(0, count).map((one) => shown(one, paths))
    return data.length > count ? [...first, rest] : first
  }
  if (typeof data !== "object" || data === null || paths.length === 0 || paths.includes("")) return data
  const names = [...new Set(paths.map((path) => path.split(".")[0] ?? ""))]
  const inner = (name: string) =>
    paths
      .filter((path) => path === name || path.startsWith(`${name}.`))
      .map((path) => path.slice(name.length + 1))
  const fields = names
    .filter((name) => name in data)
    .map((name): [string, unknown] => [name, shown((data as Values)[name], inner(name))])
  const entire = fields.length === Object.keys(data).length
  return Object.fromEntries(entire ? fields : [...fields, ["…", rest]])
}

const width = 108

/** Long tokens, of which the beginning says enough. */
const shortened = (text: string) =>
  text.replaceAll(/[\w-]{40,}(?:\.[\w-]+)*/gu, (token) => `${token.slice(0, 10)}…`)

/** JSON, in one line where it fits. `…` stands for what is left out. */
const printed = (value: unknown, indent = "", label = ""): string => {
  if (value === rest) return "…"
  if (typeof value !== "object" || value === null) return label + shortened(JSON.stringify(value))
  const isList = Array.isArray(value)
  const parts = (deeper: string) =>
    Object.entries(value).map(([name, one]) => printed(one, deeper, isList ? "" : `"${name}": `))
  const [open, close] = isList ? ["[", "]"] : ["{", "}"]
  const inline = parts("").join(", ")
  const line = isList || inline === "" ? `${label}${open}${inline}${close}` : `${label}{ ${inline} }`
  if (indent.length + line.length <= width && !line.includes("\n")) return line
  const deeper = `${indent}  `
  const lines = parts(deeper).map((part) => deeper + part)
  return `${label}${open}\n${lines.join(",\n")}\n${indent}${close}`
}

/** Values that differ at each run. */
const masked = (text: string) =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, "<time>")
    .replaceAll(/"(?<name>\w+_(?:at|on)|date|day|today)": "\d{4}-\d\d-\d\d[ \d:]*"/gu, '"$<name>": "<time>"')
    .replaceAll(/(?<name>_ids?": ?)(?:\[[\d, ]*\]|\d+)/gu, "$<name><id>")
    .replaceAll(/(?<before>[\s"(/:])(?<name>[a-z]+)_[\w-]{6,}(?:…|(?="))/gu, "$<before>$<name>_<token>")
    .replaceAll(/[\w-]{4,}…[\w-]*/gu, "<token>")
    .replaceAll(/\b(?<kind>user|driver|business|Trip)(?<sign>[: ])\d+/gu, "$<kind>$<sign><id>")
    .replaceAll(/"(?<name>created|next_after|age_seconds)": ?[^,\s}]+/gu, '"$<name>": <value>')
    .replaceAll(/owner-[\da-f]+@/gu, "owner@")
    .replaceAll(/\b[A-Z]{2}-[0-9A-Z]{7}\b/gu, "<reference>")
    .replaceAll(/\b[\da-f]{16,}\b/gu, "<hash>")
    .replaceAll(/127\.0\.0\.1:\d+/gu, "127.0.0.1:<port>")
    .replaceAll(/(?<name>X-RateLimit-\w+|X-Request-Id|ETag): .*/gu, "$<name>: <value>")

const optionsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text
      .trim()
      .split(/\s+/u)
      .map((word) => word.split("="))
  )

const listOf = (text: string | undefined) => text?.split(",") ?? []

const responseText = (
  { body, event, response }: Awaited<ReturnType<typeof send>>,
  options: Readonly<Record<string, string>>
) => {
  const paths = listOf(options["show"])
  const metas = listOf(options["meta"])
  const { data, error, meta } = body ?? {}
  const content = {
    ...(data === undefined ? {} : { data: shown(data, paths) }),
    ...(error === undefined ? {} : { error: shown(error, paths.includes("type") ? paths : []) }),
    ...(metas.length === 0 ? {} : { meta: shown(meta, metas) })
  }
  const headers = listOf(options["headers"]).map((name) => `${name}: ${response.headers.get(name)}`)
  const status = [`${response.status} ${response.statusText}`.trim(), ...headers].join("\n")
  if (event !== undefined) return `${status}\n\n${shortened(event)}`
  return body === undefined ? status : `${status}\n\n${printed(content)}`
}

/** The page with the responses that the server at an address gives now. A response that differs only in ids and times stays. */
export const withResponses = async (
  page: string,
  address: string,
  start: Readonly<Record<string, unknown>>,
  codeFor: (mailbox: string, known: unknown) => Promise<string>
): Promise<string> => {
  const api = `${address}/api/v1`
  const values: Values = { ...start, business_key: start["api_key"] }
  const replacements: Array<readonly [before: string, after: string]> = []
  const blocks = [...page.matchAll(exampleBlock), ...page.matchAll(hiddenBlock)].sort(
    (one, other) => one.index - other.index
  )
  for (const block of blocks) {
    const { options = "", request = "", requests, response } = block.groups ?? {}
    if (requests !== undefined) {
      for (const text of requests.trim().split(/\n(?=(?:GET|POST|PATCH|DELETE|MAIL) )/u)) {
        if (text.startsWith("MAIL ")) {
          values["code"] = await codeFor(text.slice(5).trim(), values["code"])
          continue
        }
        const { body, response: reply } = await send(api, requestOf(text.trim(), values), values)
        assert.isTrue(reply.ok, `${text}\n${JSON.stringify(body)}`)
        keep(body?.data, values)
      }
      continue
    }
    const answer = await send(api, requestOf(request, values), values)
    keep(answer.body?.data, values)
    const chosen = optionsOf(options)
    for (const pair of listOf(chosen["keep"])) {
      const [name = "", field = ""] = pair.split(":")
      values[name] = field.startsWith("@") ? answer.response.headers.get(field.slice(1)) : values[field]
    }
    const text = responseText(answer, chosen)
      .replaceAll(address, "https://livery.example")
      // The emulated provider has a free port.
      .replaceAll(/127\.0\.0\.1:\d+/gu, "127.0.0.1:12111")
    if (response !== undefined && masked(response) === masked(text)) continue
    replacements.push([block[0], `\`\`\`http${options}\n${request}\n\`\`\`\n\n\`\`\`http\n${text}\n\`\`\`\n`])
  }
  return replacements.reduce((text, [before, after]) => text.replace(before, () => after), page)
}
