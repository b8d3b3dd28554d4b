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

const sha256 = (text: string): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", utf8.encode(text))),
    (digest) => Hex.encode(new Uint8Array(digest))
  )

/** A SHA-256 of a text that comes in pieces. `digest` ends it and returns the hex digest of their UTF-8 bytes. */
export interface IncrementalSha256 {
  readonly add: (piece: string) => void
  readonly digest: Effect.Effect<string>
}

/**
 * - `randomBytes(n)`: `n` bytes of a cryptographically secure generator.
 * - `sha256(text)`: the hex digest of the text's UTF-8 bytes.
 * - `incrementalSha256`: starts the digest of a text that is too long to be held at once.
 * - `hmacSha256(key, message)`: the hex HMAC-SHA256 of the message's UTF-8 bytes under the key's UTF-8 bytes.
 */
export class Cryptography extends Context.Service<
  Cryptography,
  {
    readonly randomBytes: (count: number) => Effect.Effect<Uint8Array>
    readonly sha256: (text: string) => Effect.Effect<string>
    readonly incrementalSha256: Effect.Effect<IncrementalSha256>
    readonly hmacSha256: (key: string, message: string) => Effect.Effect<string>
  }
>()("@livery/domain/Cryptography") {
  /** On WebCrypto, which browsers, edge runtimes, Deno, Bun and Node have. */
  static readonly layerWebCrypto = Layer.sync(Cryptography, () =>
    Cryptography.of({
      randomBytes: (count) => Effect.sync(() => crypto.getRandomValues(new Uint8Array(count))),
      sha256,
      // WebCrypto digests whole messages only, so that this one keeps the pieces.
      incrementalSha256: Effect.sync(() => {
        const pieces: Array<string> = []
        return {
          add: (piece) => void pieces.push(piece),
          digest: Effect.suspend(() => sha256(pieces.join("")))
        }
      }),
      hmacSha256: (key, message) => Effect.promise(() => webCryptoHmac(key, "", message))
    })
  )
}
