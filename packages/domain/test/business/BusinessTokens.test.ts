import { assert, it } from "@effect/vitest"
import { BusinessId, BusinessRepository, Cryptography, makeBusinessTokens } from "@livery/domain"
import { Memory } from "@livery/memory"
import { Effect, Option, Schema } from "effect"

const newBusiness = { name: "Ada Cars", email: "ada@example.com", planId: 1, websiteUrl: null }

it.effect("a token names its business without its number, and no token of another kind does", () =>
  Effect.gen(function* () {
    const businesses = yield* BusinessRepository
    const { businessOfToken, newToken } = yield* makeBusinessTokens
    for (let number = 1; number <= 40; number += 1) {
      const businessId = Option.getOrThrow(
        yield* businesses.insert({ ...newBusiness, slug: `ada-${number}` })
      )
      const { token, tokenHash } = yield* newToken("driver", businessId)
      assert.match(token, /^drv_b[0-9a-f]{11}_[\w-]{43}$/u)
      assert.deepStrictEqual(yield* businessOfToken("driver", token), Option.some(businessId))
      assert.isTrue(Option.isNone(yield* businessOfToken("tracking", token)))
      assert.strictEqual(tokenHash, yield* Cryptography.use(({ sha256 }) => sha256(token)))
      const again = yield* newToken("driver", businessId)
      assert.notStrictEqual(again.token, token)
    }
  }).pipe(Effect.provide(Memory.layer))
)

it.effect.prop(
  "a token from before there were link keys names the business of its id",
  { businessId: BusinessId },
  ({ businessId }) =>
    Effect.gen(function* () {
      const { businessOfToken } = yield* makeBusinessTokens
      const former = `drv_${businessId}_${"a".repeat(43)}`
      assert.deepStrictEqual(yield* businessOfToken("driver", former), Option.some(businessId))
    }).pipe(Effect.provide(Memory.layer))
)

it.effect.prop("any other text names no business", { text: Schema.String }, ({ text }) =>
  Effect.gen(function* () {
    const { businessOfToken } = yield* makeBusinessTokens
    assert.isTrue(Option.isNone(yield* businessOfToken("driver", text)))
  }).pipe(Effect.provide(Memory.layer))
)
