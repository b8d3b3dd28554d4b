import { assert, it } from "@effect/vitest"
import { BusinessId, Cryptography } from "@livery/domain"
import { Effect, Option, Schema } from "effect"
import { businessOfToken, newBusinessToken } from "../../../src/kernel/security/BusinessToken.ts"

it.effect.prop(
  "a token names its business, and no token of another kind does",
  { businessId: BusinessId },
  ({ businessId }) =>
    Effect.gen(function* () {
      const { token, tokenHash } = yield* newBusinessToken("driver", businessId)
      assert.deepStrictEqual(businessOfToken("driver", token), Option.some(businessId))
      assert.isTrue(Option.isNone(businessOfToken("tracking", token)))
      assert.strictEqual(tokenHash, yield* Cryptography.use(({ sha256 }) => sha256(token)))
      const again = yield* newBusinessToken("driver", businessId)
      assert.notStrictEqual(again.token, token)
    }).pipe(Effect.provide(Cryptography.layerWebCrypto))
)

it.effect.prop("any other text names no business", { text: Schema.String }, ({ text }) =>
  Effect.sync(() => assert.isTrue(Option.isNone(businessOfToken("driver", text))))
)
