/**
 * A gateway for text messages as a template: the request that sends one message, how its response says that it was taken, and how the
 * gateway reports receipts and replies (docs/api/text-messages.md).
 */
import { Schema } from "effect"
import { check } from "../../kernel/fields/FieldIssue.ts"
import { listOf } from "../../kernel/fields/List.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { orNull } from "../../kernel/fields/Optional.ts"
import { storable, text } from "../../kernel/fields/Text.ts"
import { isEndpointAddress } from "../../kernel/fields/WebAddress.ts"
import { knownPlaceholders } from "../../mail/Template.ts"

/** The placeholders of a request. `to_digits` is the number without its plus; `callback_url` the address for receipts and replies. */
export const gatewayPlaceholders = ["to", "to_digits", "text", "sender", "id", "callback_url"] as const
export type GatewayValues = Readonly<Record<(typeof gatewayPlaceholders)[number], string>>

const known = knownPlaceholders(gatewayPlaceholders)

const withoutPlaceholders = (url: string) => url.replaceAll(/\{\{.*?\}\}/gsu, "x")

const Url = text(2048).check(
  check<string>("invalid", (url) => isEndpointAddress(withoutPlaceholders(url)), { format: "uri" }),
  // A placeholder in the host would send the request, with its secrets, to a host that a message chooses.
  check<string>("invalid", (url) => !/^[a-z]+:\/\/[^/?]*\{\{/iu.test(url)),
  known
)

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/u
const reserved = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "upgrade",
  "expect",
  "te",
  "trailer"
])

const Header = Schema.Struct({
  name: Schema.String.check(
    check<string>("invalid", (name) => headerName.test(name) && !reserved.has(name.toLowerCase()), {
      pattern: headerName.source
    })
  ),
  value: Schema.String.check(
    storable,
    check<string>("invalid", (value) => value.length <= 2000 && /^[\t -~]*$/u.test(value), {
      maxLength: 2000
    }),
    known
  )
})

/** A path in a JSON document: names and positions, joined by dots, such as `messages.0.status`. */
const JsonPath = Schema.String.check(
  check<string>("invalid", (path) => /^[\w-]+(?:\.[\w-]+){0,9}$/u.test(path), {
    pattern: "^[\\w-]+(?:\\.[\\w-]+){0,9}$"
  })
)

const Word = text(100)
const Words = listOf(Word, { most: 20 })

/** How the request writes placeholders in its body. */
export const GatewayBodyType = Schema.Literals(["json", "form", "text"])

const Callbacks = Schema.Struct({
  reference_path: orNull(JsonPath),
  status_path: orNull(JsonPath),
  delivered: Words,
  failed: Words,
  from_path: orNull(JsonPath),
  text_path: orNull(JsonPath)
})

const gateway = Schema.Struct({
  url: Url,
  method: oneOf(Schema.Literals(["POST", "PUT", "GET"])),
  headers: listOf(Header, { most: 20 }),
  body: orNull(text(5000).check(known)),
  body_type: oneOf(GatewayBodyType),
  sender: text(50),
  success: Schema.Struct({
    path: orNull(JsonPath),
    values: Words
  }),
  reference_path: orNull(JsonPath),
  callbacks: orNull(Callbacks)
}).annotate({
  examples: [
    {
      url: "https://gateway.example.com/messages",
      method: "POST",
      headers: [{ name: "Authorization", value: "Bearer TOKEN" }],
      body: '{"to":"{{to}}","from":"{{sender}}","text":"{{text}}","callback":"{{callback_url}}"}',
      body_type: "json",
      sender: "Lovelace",
      success: { path: "messages.0.status", values: ["queued", "sent"] },
      reference_path: "messages.0.id",
      callbacks: {
        reference_path: "id",
        status_path: "status",
        delivered: ["delivered"],
        failed: ["failed", "expired"],
        from_path: null,
        text_path: null
      }
    }
  ]
})
type Gateway = typeof gateway

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface TextGatewaySchema extends Gateway {}

/**
 * See above. A response with a status from 200 to 299 is a success; with `success.path`, only if the value there is one of
 * `success.values`, or there is any value if that list is empty. `reference_path` is where the response has the gateway's name of the
 * message. `callbacks` says where a callback of the gateway has what: `delivered` and `failed` are the words of its status.
 */
export const TextGateway: TextGatewaySchema = gateway
export type TextGateway = typeof TextGateway.Type

const recordStruct = Schema.Struct({
  url: Schema.String,
  method: Schema.Literals(["POST", "PUT", "GET"]),
  header_names: Schema.Array(Schema.String),
  body_type: GatewayBodyType,
  sender: Schema.String,
  has_callbacks: Schema.Boolean
})

/**
 * A gateway in a response, without its secrets: neither the query of its address, nor the values of its headers, nor the body.
 */
export const TextGatewayRecord = recordStruct
export type TextGatewayRecord = typeof TextGatewayRecord.Type

/** The record of a gateway. */
export const textGatewayRecord = (stored: TextGateway): TextGatewayRecord => ({
  url: stored.url.split("?")[0] ?? "",
  method: stored.method,
  header_names: stored.headers.map(({ name }) => name),
  body_type: stored.body_type,
  sender: stored.sender,
  has_callbacks: stored.callbacks !== null
})

/** A gateway that was just stored. `callback_url` is returned only now; null without `callbacks`, or without a public address. */
export const StoredTextGatewayRecord = Schema.Struct({
  ...recordStruct.fields,
  callback_url: Schema.NullOr(Schema.String)
})
export type StoredTextGatewayRecord = typeof StoredTextGatewayRecord.Type
