/** How a gateway signs its callbacks: an HMAC, in a header, of a text that a template describes (docs/api/text-messages.md). */
import { Option, Schema } from "effect"
import { between, check, requiredUnless } from "../../kernel/fields/FieldIssue.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { orNull } from "../../kernel/fields/Optional.ts"
import { text } from "../../kernel/fields/Text.ts"
import { knownPlaceholders, placeholdersOf } from "../../mail/Template.ts"
import { HeaderName } from "./HeaderName.ts"

/**
 * What a signature can cover: the address of the callback, its body, the fields of its form in the order of their names without
 * separators, and the headers with the time and a number used once.
 */
const signedParts = ["url", "body", "form", "timestamp", "nonce"] as const

const names = (input: object, part: (typeof signedParts)[number]) => {
  const signed = "signed" in input ? input.signed : undefined
  return typeof signed === "string" && placeholdersOf(signed).includes(part)
}

const has = (input: object, field: string) =>
  typeof (input as Readonly<Record<string, unknown>>)[field] === "string"

export const SignatureAlgorithm = Schema.Literals(["sha1", "sha256"])
export const SignatureEncoding = Schema.Literals(["hex", "base64"])

const visible = {
  header: HeaderName,
  algorithm: oneOf(SignatureAlgorithm),
  encoding: oneOf(SignatureEncoding),
  signed: text(200).check(
    knownPlaceholders(signedParts),
    // A signature of the time alone would prove nothing about the call.
    check<string>("invalid", (signed) =>
      placeholdersOf(signed).some((name) => name === "url" || name === "body" || name === "form")
    )
  ),
  timestamp_header: orNull(HeaderName),
  tolerance_seconds: orNull(Schema.Int.check(between(10, 86_400))),
  nonce_header: orNull(HeaderName)
}

/** The signature of callbacks. Without `secret`, the key is the gateway's `token`. */
export const CallbackSignature = Schema.Struct({ ...visible, secret: orNull(text(500)) }).check(
  requiredUnless("timestamp_header", (input) => !names(input, "timestamp") || has(input, "timestamp_header")),
  requiredUnless("nonce_header", (input) => !names(input, "nonce") || has(input, "nonce_header")),
  // A time that is not signed could be changed.
  requiredUnless("signed", (input) => !has(input, "timestamp_header") || names(input, "timestamp"))
)
export type CallbackSignature = typeof CallbackSignature.Type

/** The signature in a response, without its secret. */
export const CallbackSignatureRecord = Schema.Struct({
  header: Schema.String,
  algorithm: SignatureAlgorithm,
  encoding: SignatureEncoding,
  signed: Schema.String,
  timestamp_header: Schema.NullOr(Schema.String),
  tolerance_seconds: Schema.NullOr(Schema.Int),
  nonce_header: Schema.NullOr(Schema.String),
  has_secret: Schema.Boolean
})

/** The record of a signature. */
export const callbackSignatureRecord = ({
  secret,
  ...shown
}: CallbackSignature): typeof CallbackSignatureRecord.Type => ({ ...shown, has_secret: secret !== null })

/** A callback as it came: the address that it was sent to, its headers by their names in lower case, and its body. */
export interface ReceivedCallback {
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  /** The fields of the body, if it is a form. */
  readonly form: ReadonlyArray<readonly [name: string, value: string]>
}

const parsedJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/**
 * The content of a callback: JSON, or the fields of a form. Gateways name either type wrongly, so the body decides, unless the
 * signature covers the fields of a form alone.
 */
export const callbackContent = (
  { body, form }: Pick<ReceivedCallback, "body" | "form">,
  signature: CallbackSignature | null
): unknown => {
  const fields = Object.fromEntries(form)
  const parts = signature === null ? [] : placeholdersOf(signature.signed)
  return parts.includes("form") && !parts.includes("body")
    ? fields
    : Option.getOrElse(parsedJson(body), () => fields)
}
