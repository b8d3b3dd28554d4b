/** For receivers that do not use Effect: verifying and reading a webhook with one `await`. */
import { Duration, Effect } from "effect"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import type { EventBody } from "../events/DomainEvent.ts"
import * as Signature from "./Signature.ts"

declare const TextDecoder: new (
  encoding: "utf-8",
  options: { readonly fatal: true; readonly ignoreBOM: true }
) => { readonly decode: (bytes: Uint8Array) => string }

/** Exactly the text whose UTF-8 form the bytes are: what a signature over the bytes vouches for. */
const textOf = (rawBody: string | Uint8Array): Effect.Effect<string, Signature.SignatureRefused> =>
  typeof rawBody === "string"
    ? Effect.succeed(rawBody)
    : Effect.try({
        try: () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(rawBody),
        catch: () => new Signature.SignatureRefused({ reason: "mismatch" })
      })

const toleranceOf = (seconds: number) => {
  // A tolerance that is no number would compare as if everything were within it.
  if (Number.isNaN(seconds) || seconds < 0) throw new RangeError("toleranceSeconds is 0 or more")
  return Duration.seconds(seconds)
}

const present = (secret: string) => {
  // A missing setting often reads as an empty text, and any sender could sign with that.
  if (secret === "") throw new RangeError("secret is empty")
  return secret
}

/**
 * The event in the body if its signature is valid; rejects with `Signature.SignatureRefused` otherwise
 * (docs/api/webhooks.md). Runs wherever there is WebCrypto.
 *
 * - `header`: the value of `X-Service-Signature`; an absent header is refused as malformed. While a secret is being
 *   replaced, the header has several signatures, of which one must match; all are compared in constant time.
 * - `rawBody`: the body as received, before any parsing. A body that was parsed and serialised again does not verify.
 * - `secret`: the endpoint's secret, as returned by its creation; an empty one is a `RangeError`.
 * - `toleranceSeconds`: how far the signature's time may be from now, 300 by default; `Infinity` checks no time.
 */
export const verify = (
  header: string | null | undefined,
  rawBody: string | Uint8Array,
  secret: string,
  { toleranceSeconds = 300 }: { readonly toleranceSeconds?: number } = {}
): Promise<EventBody> =>
  Effect.gen(function* () {
    const tolerance = toleranceOf(toleranceSeconds)
    const body = yield* textOf(rawBody)
    yield* Signature.verify(header ?? "", body, present(secret), { tolerance })
    const event: EventBody = JSON.parse(body)
    return event
  }).pipe(Effect.provide(Cryptography.layerWebCrypto), Effect.runPromise)
