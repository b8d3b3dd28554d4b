/** The fields of the form for a gateway: their names are the paths in the request, so that refusals find their fields. */
import type { NoticesPutGatewayInput, StoredTextGateway } from "@livery/client"
import type { Typed } from "../../../components/Form.tsx"
import { linesOf } from "../Lists.ts"
import type { SettingsWords } from "../words/en.ts"
import type { GatewayTemplate } from "./Recipes.ts"

/** A gateway, without its secrets. */
export type Gateway = Omit<StoredTextGateway, "callback_url">

/** A field of the form. */
export interface GatewayField {
  readonly name: string
  readonly label: keyof SettingsWords
  readonly hint?: keyof SettingsWords
  readonly kind?: "area" | "secret"
  readonly options?: ReadonlyArray<string>
}

/** The parts of the form that a recipe fills. */
export const parts: ReadonlyArray<{
  readonly title: keyof SettingsWords
  readonly hint?: keyof SettingsWords
  readonly fields: ReadonlyArray<GatewayField>
}> = [
  {
    title: "gatewayRequest",
    hint: "gatewayPlaceholders",
    fields: [
      { name: "url", label: "address" },
      { name: "method", label: "gatewayMethod", options: ["POST", "PUT", "GET"] },
      { name: "headers", label: "gatewayHeaders", hint: "gatewayHeadersHint", kind: "area" },
      { name: "body", label: "gatewayBody", kind: "area" },
      { name: "body_type", label: "gatewayBodyType", options: ["json", "form", "text"] }
    ]
  },
  {
    title: "answer",
    hint: "gatewayPathHint",
    fields: [
      { name: "success.path", label: "gatewaySuccessPath" },
      { name: "success.values", label: "gatewaySuccessValues", hint: "gatewayLines", kind: "area" },
      { name: "reference_path", label: "gatewayReference" }
    ]
  },
  {
    title: "gatewayCallbacks",
    hint: "gatewayCallbacksHint",
    fields: [
      { name: "callbacks.reference_path", label: "gatewayReference" },
      { name: "callbacks.status_path", label: "gatewayStatusPath" },
      { name: "callbacks.delivered", label: "gatewayDelivered", hint: "gatewayLines", kind: "area" },
      { name: "callbacks.failed", label: "gatewayFailed", hint: "gatewayLines", kind: "area" },
      { name: "callbacks.from_path", label: "gatewayFrom" },
      { name: "callbacks.text_path", label: "gatewayText" }
    ]
  },
  {
    title: "gatewaySignature",
    hint: "gatewaySignatureHint",
    fields: [
      { name: "callbacks.signature.header", label: "signatureHeader" },
      { name: "callbacks.signature.algorithm", label: "signatureAlgorithm", options: ["sha256", "sha1"] },
      { name: "callbacks.signature.encoding", label: "signatureEncoding", options: ["base64", "hex"] },
      { name: "callbacks.signature.signed", label: "signatureSigned", hint: "signatureSignedHint" },
      { name: "callbacks.signature.timestamp_header", label: "signatureTime" },
      { name: "callbacks.signature.tolerance_seconds", label: "signatureTolerance" },
      { name: "callbacks.signature.nonce_header", label: "signatureNonce" },
      {
        name: "callbacks.signature.secret",
        label: "signatureSecret",
        hint: "signatureSecretHint",
        kind: "secret"
      }
    ]
  }
]

/** The names of all fields. */
export const fieldNames: ReadonlyArray<string> = [
  "sender",
  "account",
  "token",
  ...parts.flatMap(({ fields }) => fields.map(({ name }) => name))
]

const lines = (values: ReadonlyArray<string>) => values.join("\n")

/** What the form begins with. */
export const textsOf = ({ callbacks, ...template }: GatewayTemplate): Typed => {
  const signature = callbacks?.signature
  return {
    url: template.url,
    method: template.method,
    headers: lines(template.headers.map(({ name, value }) => `${name}: ${value ?? ""}`)),
    body: template.body ?? "",
    body_type: template.body_type,
    "success.path": template.success.path ?? "",
    "success.values": lines(template.success.values),
    reference_path: template.reference_path ?? "",
    "callbacks.reference_path": callbacks?.reference_path ?? "",
    "callbacks.status_path": callbacks?.status_path ?? "",
    "callbacks.delivered": lines(callbacks?.delivered ?? []),
    "callbacks.failed": lines(callbacks?.failed ?? []),
    "callbacks.from_path": callbacks?.from_path ?? "",
    "callbacks.text_path": callbacks?.text_path ?? "",
    "callbacks.signature.header": signature?.header ?? "",
    "callbacks.signature.algorithm": signature?.algorithm ?? "sha256",
    "callbacks.signature.encoding": signature?.encoding ?? "base64",
    "callbacks.signature.signed": signature?.signed ?? "",
    "callbacks.signature.timestamp_header": signature?.timestamp_header ?? "",
    "callbacks.signature.tolerance_seconds": String(signature?.tolerance_seconds ?? ""),
    "callbacks.signature.nonce_header": signature?.nonce_header ?? ""
  }
}

const headersOf = (text: string) =>
  linesOf(text).map((line) => {
    const [name = "", ...value] = line.split(":")
    return { name: name.trim(), value: value.join(":").trim() }
  })

/** The request that the form makes. Callbacks that nothing is typed about are left out, as is their signature. */
export const requestOf = (typed: Typed): NoticesPutGatewayInput => {
  const text = (name: string) => typed[name]?.trim() ?? ""
  const orNull = (name: string) => text(name) || null
  const of = (name: string) => `callbacks.${name}`
  const signature = (name: string) => `callbacks.signature.${name}`
  const seconds = text(signature("tolerance_seconds"))
  const isSigned = ["header", "signed", "timestamp_header", "nonce_header", "secret"].some(
    (name) => text(signature(name)) !== ""
  )
  const callbacks = {
    reference_path: orNull(of("reference_path")),
    status_path: orNull(of("status_path")),
    delivered: linesOf(text(of("delivered"))),
    failed: linesOf(text(of("failed"))),
    from_path: orNull(of("from_path")),
    text_path: orNull(of("text_path")),
    signature: isSigned
      ? {
          header: text(signature("header")),
          algorithm: text(signature("algorithm")),
          encoding: text(signature("encoding")),
          signed: text(signature("signed")),
          timestamp_header: orNull(signature("timestamp_header")),
          tolerance_seconds: seconds === "" ? null : Number(seconds),
          nonce_header: orNull(signature("nonce_header")),
          secret: orNull(signature("secret"))
        }
      : null
  }
  const hasCallbacks = Object.values(callbacks).some((it) =>
    Array.isArray(it) ? it.length > 0 : it !== null
  )
  return {
    url: text("url"),
    method: text("method"),
    headers: headersOf(text("headers")),
    body: orNull("body"),
    body_type: text("body_type"),
    sender: text("sender"),
    account: orNull("account"),
    token: orNull("token"),
    success: { path: orNull("success.path"), values: linesOf(text("success.values")) },
    reference_path: orNull("reference_path"),
    callbacks: hasCallbacks ? callbacks : null
  } as NoticesPutGatewayInput
}
