/** The port for random bytes, digests and message authentication, with a layer over WebCrypto. */
import { Context, Effect, Layer } from "effect"
import * as Hex from "effect/encoding/Hex"
import { webCryptoHmac } from "./HmacSha256.ts"

/** The part of WebCrypto that is used here. The domain compiles without the types of any platform. */
interface WebCrypto {
  readonly getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>
  readonly subtle: {
    readonly digest: (algorithm: "SHA-256", bytes: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>
  }
}

declare const crypto: WebCrypto
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array<ArrayBuffer> }

const utf8 = new TextEncoder()

const sha256OfBytes = (bytes: Uint8Array<ArrayBuffer>): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", bytes)),
    (digest) => Hex.encode(new Uint8Array(digest))
  )

const sha256 = (text: string): Effect.Effect<string> => sha256OfBytes(utf8.encode(text))

const joined = (pieces: ReadonlyArray<Uint8Array>): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

/** A SHA-256 of pieces: bytes, or texts as UTF-8. `digest` ends it and returns the hex digest. */
export interface IncrementalSha256 {
  readonly add: (piece: string | Uint8Array) => void
  readonly digest: Effect.Effect<string>
}

/**
 * - `randomBytes(n)`: `n` bytes of a cryptographically secure generator.
 * - `sha256(text)`: the hex digest of the text's UTF-8 bytes.
 * - `incrementalSha256`: starts the digest of a text or of bytes that are too long to be held at once.
 * - `hmacSha256(key, message)`: the hex HMAC-SHA256 of the message's UTF-8 bytes under the key's UTF-8 bytes.
 * - `hmacSha1(key, message)`: the same with SHA-1, with which some services sign what they send.
 */
export class Cryptography extends Context.Service<
  Cryptography,
  {
    readonly randomBytes: (count: number) => Effect.Effect<Uint8Array>
    readonly sha256: (text: string) => Effect.Effect<string>
    readonly incrementalSha256: Effect.Effect<IncrementalSha256>
    readonly hmacSha256: (key: string, message: string) => Effect.Effect<string>
    readonly hmacSha1: (key: string, message: string) => Effect.Effect<string>
  }
>()("@livery/domain/Cryptography") {
  /** On WebCrypto, which browsers, edge runtimes, Deno, Bun and Node have. */
  static readonly layerWebCrypto = Layer.sync(Cryptography, () =>
    Cryptography.of({
      randomBytes: (count) => Effect.sync(() => crypto.getRandomValues(new Uint8Array(count))),
      sha256,
      // WebCrypto digests whole messages only, so that this one keeps the pieces.
      incrementalSha256: Effect.sync(() => {
        const pieces: Array<Uint8Array> = []
        return {
          add: (piece) => void pieces.push(typeof piece === "string" ? utf8.encode(piece) : piece.slice()),
          digest: Effect.suspend(() => sha256OfBytes(joined(pieces)))
        }
      }),
      hmacSha256: (key, message) => Effect.promise(() => webCryptoHmac(key, "", message)),
      hmacSha1: (key, message) => Effect.promise(() => webCryptoHmac(key, "", message, "SHA-1"))
    })
  )
}
