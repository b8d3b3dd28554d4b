/** The domain's `Cryptography` on `node:crypto`. */
import { createHash, createHmac, hash, randomFillSync } from "node:crypto"
import { Cryptography } from "@livery/domain"
import { Effect, Layer } from "effect"

/** A pool of random bytes, which one call fills for many uses. Bytes are erased from it when they are used. */
const pool = new Uint8Array(4096)
let usedBytes = pool.length

/** A request for more bytes than this does not use the pool. */
const maxBytesFromPool = 64

const randomBytes = (count: number): Uint8Array<ArrayBuffer> => {
  if (count > maxBytesFromPool) return randomFillSync(new Uint8Array(count))
  if (usedBytes + count > pool.length) {
    randomFillSync(pool)
    usedBytes = 0
  }
  const bytes = pool.slice(usedBytes, usedBytes + count)
  pool.fill(0, usedBytes, usedBytes + count)
  usedBytes += count
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
    incrementalSha256: Effect.sync(() => {
      const digest = createHash("sha256")
      return {
        add: (piece) => void digest.update(piece),
        digest: Effect.sync(() => digest.digest("hex"))
      }
    }),
    hmacSha256: (key, message) => Effect.sync(() => createHmac("sha256", key).update(message).digest("hex")),
    hmacSha1: (key, message) => Effect.sync(() => createHmac("sha1", key).update(message).digest("hex"))
  })
)
