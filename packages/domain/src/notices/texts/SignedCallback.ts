/** Whether a callback of a gateway is signed by it. */
import { DateTime, Effect, Option, Result } from "effect"
import * as Base64 from "effect/encoding/Base64"
import * as Hex from "effect/encoding/Hex"
import { equalInConstantTime } from "../../kernel/security/ConstantTime.ts"
import { Cryptography } from "../../kernel/security/Cryptography.ts"
import { filled } from "../../mail/Template.ts"
import type { CallbackSignature, ReceivedCallback } from "./CallbackSignature.ts"

/** A call's age that is accepted unless the template says otherwise, in seconds. */
const defaultTolerance = 300

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
