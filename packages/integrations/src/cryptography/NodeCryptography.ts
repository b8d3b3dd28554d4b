/** The domain's `Cryptography` over `node:crypto`. */
import { createHmac, hash, randomFillSync } from "node:crypto"
import { Cryptography } from "@livery/domain"
import { Effect, Layer } from "effect"

/**
 * Gives the same answers as `Cryptography.layerWebCrypto`, but at once and on the calling thread: a signature
 * costs microseconds, and never queues behind password hashes for one of libuv's threads.
 */
export const layer: Layer.Layer<Cryptography> = Layer.succeed(
  Cryptography,
  Cryptography.of({
    randomBytes: (count) => Effect.sync(() => randomFillSync(new Uint8Array(count))),
    sha256: (text) => Effect.sync(() => hash("sha256", text, "hex")),
    hmacSha256: (key, message) => Effect.sync(() => createHmac("sha256", key).update(message).digest("hex"))
  })
)
