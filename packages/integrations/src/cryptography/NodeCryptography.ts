/** The domain's `Cryptography` on `node:crypto`. */
import { createHmac, hash, randomFillSync } from "node:crypto"
import { Cryptography } from "@livery/domain"
import { Effect, Layer } from "effect"

/** Random bytes are drawn for many uses at once, and each is given once: what was given is erased here. */
const drawn = new Uint8Array(4096)
let given = drawn.length

/** More than this is drawn by itself. */
const maxBytesFromPool = 64

const randomBytes = (count: number): Uint8Array<ArrayBuffer> => {
  if (count > maxBytesFromPool) return randomFillSync(new Uint8Array(count))
  if (given + count > drawn.length) {
    randomFillSync(drawn)
    given = 0
  }
  const bytes = drawn.slice(given, given + count)
  drawn.fill(0, given, given + count)
  given += count
  return bytes
}

/**
 * The same results as `Cryptography.layerWebCrypto`, computed on the calling thread: a signature takes microseconds and
 * does not queue behind password hashes for one of libuv's threads.
 */
export const layer: Layer.Layer<Cryptography> = Layer.succeed(
  Cryptography,
  Cryptography.of({
    randomBytes: (count) => Effect.sync(() => randomBytes(count)),
    sha256: (text) => Effect.sync(() => hash("sha256", text, "hex")),
    hmacSha256: (key, message) => Effect.sync(() => createHmac("sha256", key).update(message).digest("hex"))
  })
)
