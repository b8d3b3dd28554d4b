/** The requests to a gateway for text messages, and what its responses and callbacks say. Pure functions over the template. */
import { Option, Schema } from "effect"
import * as Base64 from "effect/encoding/Base64"
import { filled } from "../../mail/Template.ts"
import type { OutgoingRequest, OutgoingResponse } from "../../mail/OutgoingRequests.ts"
import type { GatewayValues, TextGateway } from "./TextGateway.ts"

const mapped = (values: Readonly<Record<string, string>>, write: (value: string) => string) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, write(value)]))

const writers: Readonly<Record<TextGateway["body_type"], (value: string) => string>> = {
  json: (value) => JSON.stringify(value).slice(1, -1),
  form: encodeURIComponent,
  text: (value) => value
}

const contentTypes: Readonly<Record<TextGateway["body_type"], string>> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  text: "text/plain; charset=utf-8"
}

/** The request that sends a message. Values are written so that they cannot leave their place: in addresses, JSON and forms. */
export const gatewayRequest = (gateway: TextGateway, message: GatewayValues): OutgoingRequest => {
  const account = gateway.account ?? ""
  const token = gateway.token ?? ""
  const values = { ...message, account, token, basic: Base64.encode(`${account}:${token}`) }
  const headers = Object.fromEntries(
    gateway.headers.map(({ name, value }) => [
      name.toLowerCase(),
      filled(
        value,
        mapped(values, (text) => text.replaceAll(/[^\t -~]/gu, "?"))
      )
    ])
  )
  return {
    url: filled(gateway.url, mapped(values, encodeURIComponent)),
    method: gateway.method,
    headers:
      gateway.body === null ? headers : { "content-type": contentTypes[gateway.body_type], ...headers },
    body: gateway.body === null ? null : filled(gateway.body, mapped(values, writers[gateway.body_type]))
  }
}

const parsedJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** The text of a value at a path of a document; undefined if it has none. */
export const valueAt = (document: unknown, path: string): string | undefined => {
  let value: unknown = document
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined
}

/** What a response says: the message was taken, it may be tried again, or it never will be taken. */
export type GatewayAnswer =
  | { readonly taken: true; readonly reference: string | null }
  | { readonly taken: false; readonly isFinal: boolean; readonly reason: string }

// A gateway that is busy or asks to wait may take the message later.
const temporary = new Set([408, 425, 429])

/** The answer in a response. The reason of a refusal names the status and the value at `success.path`, never the body. */
export const gatewayAnswer = (gateway: TextGateway, { body, status }: OutgoingResponse): GatewayAnswer => {
  if (status < 200 || status > 299)
    return {
      taken: false,
      isFinal: status >= 400 && status < 500 && !temporary.has(status),
      reason: `the gateway responded with ${status}`
    }
  const document = Option.getOrUndefined(parsedJson(body))
  const { path, values } = gateway.success
  const said = path === null ? undefined : valueAt(document, path)
  if (path !== null && (said === undefined || (values.length > 0 && !values.includes(said))))
    return {
      taken: false,
      isFinal: true,
      reason: said === undefined ? `the response has no ${path}` : `${path} is ${said.slice(0, 100)}`
    }
  const reference = gateway.reference_path === null ? undefined : valueAt(document, gateway.reference_path)
  return { taken: true, reference: reference ?? null }
}

/** What a callback says. */
export type GatewayCallback =
  | {
      readonly type: "receipt"
      readonly reference: string
      readonly status: "delivered" | "failed"
      readonly word: string
    }
  | { readonly type: "stop" | "start"; readonly from: string }
  | { readonly type: "other" }

// The words that carriers require, and those of the languages of notices.
const stopWords = new Set(
  "STOP STOPALL UNSUBSCRIBE CANCEL END QUIT ARRET ARRÊT STOPP BAJA PARAR FERMA СТОП ΣΤΟΠ".split(" ")
)
const startWords = new Set("START UNSTOP YES".split(" "))

/** The first word of a reply, in capitals. */
const firstWord = (reply: string) =>
  reply
    .trim()
    .toUpperCase()
    .split(/[\s.,!]+/u)[0] ?? ""

/** The content of a callback: the parsed JSON, or the fields of a form. */
export const gatewayCallback = (gateway: TextGateway, document: unknown): GatewayCallback => {
  const { callbacks } = gateway
  if (callbacks === null) return { type: "other" }
  const at = (path: string | null) => (path === null ? undefined : valueAt(document, path))
  const [reply, from] = [at(callbacks.text_path), at(callbacks.from_path)]
  if (reply !== undefined && from !== undefined) {
    if (stopWords.has(firstWord(reply))) return { type: "stop", from }
    return startWords.has(firstWord(reply)) ? { type: "start", from } : { type: "other" }
  }
  const [reference, word] = [at(callbacks.reference_path), at(callbacks.status_path)]
  if (reference === undefined || word === undefined) return { type: "other" }
  if (callbacks.delivered.includes(word)) return { type: "receipt", reference, status: "delivered", word }
  return callbacks.failed.includes(word)
    ? { type: "receipt", reference, status: "failed", word }
    : { type: "other" }
}
