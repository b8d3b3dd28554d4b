/**
 * For receivers: verifies and parses a webhook in one call. This file and all that it imports have no dependencies, so
 * that `@livery/domain/verify` is a few kilobytes and runs on any platform.
 */
import type { EventBody } from "../events/ReceivedEvent.ts"
import { equalInConstantTime } from "../kernel/security/ConstantTime.ts"
import { type Hmac, platformHmac } from "../kernel/security/HmacSha256.ts"
import { includesSignature, parseHeader, requireSecret, SignatureRefused } from "./SignatureHeader.ts"

export { SignatureRefused } from "./SignatureHeader.ts"
export type { EventBody } from "../events/ReceivedEvent.ts"

declare const TextDecoder: new (
  encoding: "utf-8",
  options: { readonly fatal: true; readonly ignoreBOM: true }
) => { readonly decode: (bytes: Uint8Array) => string }

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Decodes the bytes as UTF-8 without changing them, because the signature is over the bytes. */
const textOf = (rawBody: string | Uint8Array): string => {
  if (typeof rawBody === "string") return rawBody
  try {
    return decoder.decode(rawBody)
  } catch {
    throw new SignatureRefused({ reason: "mismatch" })
  }
}

/** The options of `verify`. */
export interface VerifyOptions {
  /** How far the signature's time may be from now, 300 by default; `Infinity` checks no time. */
  readonly toleranceSeconds?: number
}

/** Makes a `verify` with another implementation of HMAC-SHA256 than `node:crypto` or, where that is missing, WebCrypto. */
export const makeVerify =
  (hmac: Hmac) =>
  async (
    header: string | null | undefined,
    rawBody: string | Uint8Array,
    secret: string,
    { toleranceSeconds = 300 }: VerifyOptions = {}
  ): Promise<EventBody> => {
    requireSecret(secret)
    // Any other value accepts every time, because comparisons with NaN are false.
    if (typeof toleranceSeconds !== "number" || !(toleranceSeconds >= 0))
      throw new RangeError("toleranceSeconds is not a number of 0 or more")
    const parsed = parseHeader(header ?? "")
    if (parsed === undefined) throw new SignatureRefused({ reason: "malformed" })
    const { signatures, time } = parsed
    const expected = await hmac(secret, `${time}.`, rawBody)
    if (!includesSignature(signatures, expected, equalInConstantTime))
      throw new SignatureRefused({ reason: "mismatch" })
    if (Math.abs(Date.now() / 1000 - Number(time)) > toleranceSeconds)
      throw new SignatureRefused({ reason: "too_old" })
    const event: EventBody = JSON.parse(textOf(rawBody))
    return event
  }

/**
 * Returns the event in the body if its signature is right and its time is within the tolerance (docs/api/webhooks.md).
 * Otherwise it rejects with:
 *
 * - `RangeError`: the secret is missing or empty, or the tolerance is negative or not a number.
 * - `SignatureRefused`: the header is malformed, no signature matches, or the time is outside the tolerance.
 * - `SyntaxError`: the signature is right, but the body is not JSON.
 *
 * The arguments:
 *
 * - `header`: the value of `X-Service-Signature`; a missing one is refused as malformed. While a secret is being
 *   replaced, there are several signatures, of which one has to match; all are compared in constant time.
 * - `rawBody`: the body as it came, before any parsing; one that was parsed and written again does not verify.
 * - `secret`: the endpoint's, as it was returned when the endpoint was created.
 */
export const verify = makeVerify(platformHmac())
