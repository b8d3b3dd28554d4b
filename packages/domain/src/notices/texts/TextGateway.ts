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
import { CallbackSignature, CallbackSignatureRecord, callbackSignatureRecord } from "./CallbackSignature.ts"
import { HeaderName } from "./HeaderName.ts"

/** The placeholders of a message. `to_digits` is the number without its plus; `callback_url` the address for receipts and replies. */
const ofMessage = ["to", "to_digits", "text", "sender", "id", "callback_url"] as const
export type GatewayValues = Readonly<Record<(typeof ofMessage)[number], string>>

/** The placeholders of the account at the gateway. `basic` is both for the header of HTTP Basic authentication. */
const ofAccount = ["account", "token", "basic"] as const

const known = knownPlaceholders([...ofMessage, ...ofAccount])

const withoutPlaceholders = (url: string) => url.replaceAll(/\{\{.*?\}\}/gsu, "x")

const Url = text(2048).check(
  check<string>("invalid", (url) => isEndpointAddress(withoutPlaceholders(url)), { format: "uri" }),
  // A placeholder in the host would send the request, with its secrets, to a host that a message chooses.
  check<string>("invalid", (url) => !/^[a-z]+:\/\/[^/?]*\{\{/iu.test(url)),
  known
)

const Header = Schema.Struct({
  name: HeaderName,
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
  text_path: orNull(JsonPath),
  signature: orNull(CallbackSignature)
})

const gateway = Schema.Struct({
  url: Url,
  method: oneOf(Schema.Literals(["POST", "PUT", "GET"])),
  headers: listOf(Header, { most: 20 }),
  body: orNull(text(5000).check(known)),
  body_type: oneOf(GatewayBodyType),
  sender: text(50),
  account: orNull(text(200)),
  token: orNull(text(500)),
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
      headers: [{ name: "Authorization", value: "Bearer {{token}}" }],
      body: '{"to":"{{to}}","from":"{{sender}}","text":"{{text}}","callback":"{{callback_url}}"}',
      body_type: "json",
      sender: "Lovelace",
      account: null,
      token: "TOKEN",
      success: { path: "messages.0.status", values: ["queued", "sent"] },
      reference_path: "messages.0.id",
      callbacks: {
        reference_path: "id",
        status_path: "status",
        delivered: ["delivered"],
        failed: ["failed", "expired"],
        from_path: null,
        text_path: null,
        signature: {
          header: "X-Signature",
          algorithm: "sha256",
          encoding: "hex",
          signed: "{{timestamp}}.{{body}}",
          timestamp_header: "X-Timestamp",
          tolerance_seconds: 300,
          nonce_header: null,
          secret: "SECRET"
        }
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
  headers: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.NullOr(Schema.String) })),
  body: Schema.NullOr(Schema.String),
  body_type: GatewayBodyType,
  sender: Schema.String,
  account: Schema.NullOr(Schema.String),
  has_token: Schema.Boolean,
  success: Schema.Struct({ path: Schema.NullOr(Schema.String), values: Schema.Array(Schema.String) }),
  reference_path: Schema.NullOr(Schema.String),
  callbacks: Schema.NullOr(
    Schema.Struct({
      reference_path: Schema.NullOr(Schema.String),
      status_path: Schema.NullOr(Schema.String),
      delivered: Schema.Array(Schema.String),
      failed: Schema.Array(Schema.String),
      from_path: Schema.NullOr(Schema.String),
      text_path: Schema.NullOr(Schema.String),
      signature: Schema.NullOr(CallbackSignatureRecord)
    })
  )
})

/**
 * A gateway in a response, without its secrets. Without a `token`, they may be anywhere in the request: then neither the query of the
 * address, nor the values of headers, nor the body are in the record.
 */
export const TextGatewayRecord = recordStruct
export type TextGatewayRecord = typeof TextGatewayRecord.Type

/** The record of a gateway. */
export const textGatewayRecord = ({ callbacks, token, ...shown }: TextGateway): TextGatewayRecord => {
  const mayShow = token !== null
  return {
    ...shown,
    url: mayShow ? shown.url : (shown.url.split("?")[0] ?? ""),
    headers: shown.headers.map(({ name, value }) => ({ name, value: mayShow ? value : null })),
    body: mayShow ? shown.body : null,
    has_token: mayShow,
    callbacks: callbacks && {
      ...callbacks,
      signature: callbacks.signature && callbackSignatureRecord(callbacks.signature)
    }
  }
}

/** A gateway that was just stored. `callback_url` is returned only now; null without `callbacks`, or without a public address. */
export const StoredTextGatewayRecord = Schema.Struct({
  ...recordStruct.fields,
  callback_url: Schema.NullOr(Schema.String)
})
export type StoredTextGatewayRecord = typeof StoredTextGatewayRecord.Type

/** A message for trying the gateway. */
export const TextGatewayTest = Schema.Struct({ to: text(50), text: text(600) })
export type TextGatewayTest = typeof TextGatewayTest.Type

/**
 * What the gateway responded to a test message: its status and the beginning of its body, both null if no response came. `taken` is
 * what Livery understands; `reason` says why the message was not taken.
 */
export const TextGatewayTestResult = Schema.Struct({
  taken: Schema.Boolean,
  reference: Schema.NullOr(Schema.String),
  reason: Schema.NullOr(Schema.String),
  response_status: Schema.NullOr(Schema.Int),
  response_body: Schema.NullOr(Schema.String),
  segments: Schema.Int
})
export type TextGatewayTestResult = typeof TextGatewayTestResult.Type
