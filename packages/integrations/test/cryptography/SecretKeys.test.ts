import { assert, describe, it } from "@effect/vitest"
import { SecretKeys } from "@livery/integrations"
import { Effect, Redacted } from "effect"

const keysOf = (secret: string) =>
  Effect.map(SecretKeys, ({ current: { tokens, sealing } }) => ({
    tokens: tokens.export().toString("hex"),
    sealing: sealing.export().toString("hex")
  })).pipe(Effect.provide(SecretKeys.layer(Redacted.make(secret))))

describe("SecretKeys", () => {
  it.effect("derives for each purpose the key that openssl's HKDF derives", () =>
    Effect.gen(function* () {
      // openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt key:… -kdfopt salt:livery -kdfopt info:… HKDF
      assert.deepStrictEqual(yield* keysOf("0123456789abcdef0123456789abcdef"), {
        tokens: "cbef983b993b2cb455204c86cb8151727872d3e822f490c3bda884badfa4fddc",
        sealing: "65f1fe0ddd0df0fcbb7a1e591c4c10f1e51977b8b03d18666b39c6237e07c7b7"
      })
    })
  )

  it.effect("derives other keys from another secret", () =>
    Effect.gen(function* () {
      const one = yield* keysOf("0123456789abcdef0123456789abcdef")
      const other = yield* keysOf("0123456789abcdef0123456789abcdeg")
      assert.notStrictEqual(one.tokens, other.tokens)
      assert.notStrictEqual(one.sealing, other.sealing)
    })
  )

  it.effect("refuses a secret of 31 characters, without repeating it", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(keysOf("a".repeat(31)))
      assert.strictEqual(refused._tag, "SecretTooShort")
      assert.strictEqual(refused.message, "LIVERY_SECRET has fewer than 32 characters")
    })
  )

  it.effect("refuses a previous secret of 31 characters, by its own setting", () =>
    Effect.gen(function* () {
      const layer = SecretKeys.layer(Redacted.make("a".repeat(32)), Redacted.make("b".repeat(31)))
      const refused = yield* Effect.flip(SecretKeys.pipe(Effect.provide(layer)))
      assert.strictEqual(refused.message, "LIVERY_SECRET_PREVIOUS has fewer than 32 characters")
    })
  )
})
