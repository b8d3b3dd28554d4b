/** The domain's `Cryptography` on `node:crypto`. */
import { createHmac, hash, randomFillSync } from "node:crypto"
import { Cryptography } from "@livery/domain"
import { Effect, Layer } from "effect"

/**
 * The same results as `Cryptography.layerWebCrypto`, computed on the calling thread: a signature takes microseconds and
 * does not queue behind password hashes for one of libuv's threads.
 */
export const layer: Layer.Layer<Cryptography> = Layer.succeed(
  Cryptography,
  Cryptography.of({
    randomBytes: (count) => Effect.sync(() => randomFillSync(new Uint8Array(count))),
    sha256: (text) => Effect.sync(() => hash("sha256", text, "hex")),
    hmacSha256: (key, message) => Effect.sync(() => createHmac("sha256", key).update(message).digest("hex"))
  })
)
