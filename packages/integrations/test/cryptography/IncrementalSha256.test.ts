import { assert, layer } from "@effect/vitest"
import { Cryptography } from "@livery/domain"
import { NodeCryptography } from "@livery/integrations"
import { Effect } from "effect"

for (const [name, adapter] of [
  ["NodeCryptography", NodeCryptography.layer],
  ["Cryptography.layerWebCrypto", Cryptography.layerWebCrypto]
] as const) {
  layer(adapter)(name, (it) => {
    it.effect("digests a text that comes in pieces as the whole text", () =>
      Effect.gen(function* () {
        const { incrementalSha256, sha256 } = yield* Cryptography
        for (const pieces of [[], [""], ["abc"], ["Zoë ", "🚗", "\u2028"], ["x".repeat(100_000), "y"]]) {
          const digest = yield* incrementalSha256
          for (const piece of pieces) digest.add(piece)
          assert.strictEqual(yield* digest.digest, yield* sha256(pieces.join("")))
        }
      })
    )
  })
}
