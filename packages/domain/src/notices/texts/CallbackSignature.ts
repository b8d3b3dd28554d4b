/** How a gateway signs its callbacks: an HMAC, in a header, of a text that a template describes (docs/api/text-messages.md). */
import { DateTime, Effect, Option, Result, Schema } from "effect"
import * as Base64 from "effect/encoding/Base64"
import * as Hex from "effect/encoding/Hex"
import { between, check, requiredUnless } from "../../kernel/fields/FieldIssue.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { orNull } from "../../kernel/fields/Optional.ts"
import { text } from "../../kernel/fields/Text.ts"
import { equalInConstantTime } from "../../kernel/security/ConstantTime.ts"
import { Cryptography } from "../../kernel/security/Cryptography.ts"
import { filled, knownPlaceholders, placeholdersOf } from "../../mail/Template.ts"
import { HeaderName } from "./HeaderName.ts"

/**
 * What a signature can cover: the address of the callback, its body, the fields of its form in the order of their names without
 * separators, and the headers with the time and a number used once.
 */
const signedParts = ["url", "body", "form", "timestamp", "nonce"] as const

/** A call's age that is accepted unless the template says otherwise, in seconds. */
const defaultTolerance = 300

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

/** The fields of a form as they are signed: each name with its value, in the order of the names; a repeated field counts once. */
const signedForm = (form: ReceivedCallback["form"]) =>
  [...new Set(form.map(([name, value]) => JSON.stringify([name, value])))]
    .map((field) => JSON.parse(field) as [string, string])
    .toSorted(([one, first], [other, second]) =>
      one === other ? (first < second ? -1 : 1) : one < other ? -1 : 1
    )
    .flat()
    .join("")

/** The milliseconds of a time in a header: seconds or milliseconds since 1970, or a date and time. */
const timeOf = (written: string): number | undefined => {
  if (/^\d{1,15}$/u.test(written)) return Number(written) * (Number(written) < 1e11 ? 1000 : 1)
  return Option.getOrUndefined(Option.map(DateTime.make(written), DateTime.toEpochMillis))
}

/** Whether a callback has the signature of the gateway, and is not older than the tolerance. */
export const isSigned = Effect.fnUntraced(function* (
  signature: CallbackSignature,
  key: string,
  { body, form, headers, url }: ReceivedCallback
): Effect.fn.Return<boolean, never, Cryptography> {
  const header = (name: string | null) => (name === null ? "" : (headers[name.toLowerCase()] ?? ""))
  const given = header(signature.header).trim()
  const timestamp = header(signature.timestamp_header)
  const signed = filled(signature.signed, {
    url,
    body,
    form: signedForm(form),
    timestamp,
    nonce: header(signature.nonce_header)
  })
  const { hmacSha1, hmacSha256 } = yield* Cryptography
  const hex = yield* (signature.algorithm === "sha1" ? hmacSha1 : hmacSha256)(key, signed)
  const isHex = signature.encoding === "hex"
  const expected = isHex ? hex : Base64.encode(Result.getOrThrow(Hex.decode(hex)))
  // Some gateways write the algorithm before the code.
  const prefix = `${signature.algorithm}=`
  const code = given.startsWith(prefix) ? given.slice(prefix.length) : given
  if (!equalInConstantTime(expected, isHex ? code.toLowerCase() : code)) return false
  if (signature.timestamp_header === null) return true
  const time = timeOf(timestamp)
  const age = time === undefined ? Number.NaN : Math.abs(DateTime.toEpochMillis(yield* DateTime.now) - time)
  return age <= (signature.tolerance_seconds ?? defaultTolerance) * 1000
})
