import { assert, describe, it } from "@effect/vitest"
import { crockford, Cryptography, equalInConstantTime, masked, readCrockford } from "@livery/domain"
import { Effect, Schema } from "effect"

const Bytes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))).check(
  Schema.isMaxLength(70)
)
const wellFormed = Schema.String.check(Schema.makeFilter((text: string) => text.isWellFormed()))

describe("encodings", () => {
  it.prop(
    "a code reads back as printed, in either case, with hyphens, spaces and mistaken letters",
    [Bytes],
    ([bytes]) => {
      const code = crockford(Uint8Array.from(bytes))
      assert.match(code, /^[0-9A-HJKMNP-TV-Z]*$/u)
      assert.strictEqual(code.length, bytes.length)
      assert.strictEqual(readCrockford(code), code)
      const typed = code.toLowerCase().replaceAll(/.{4}/gu, "$&- ").replaceAll("0", "o").replaceAll("1", "l")
      assert.strictEqual(readCrockford(typed), code)
      assert.strictEqual(readCrockford(code.replaceAll("1", "I")), code)
    }
  )

  it("a code's symbols are equally likely", () => {
    const counts = new Map<string, number>()
    for (const symbol of crockford(Uint8Array.from({ length: 256 }, (_, byte) => byte)))
      counts.set(symbol, (counts.get(symbol) ?? 0) + 1)
    assert.deepStrictEqual([counts.size, ...new Set(counts.values())], [32, 8])
  })

  it("a masked key shows its start and its end, and no more than eight secret characters", () => {
    const key = `lvk_ab12${"x".repeat(35)}yz89`
    assert.strictEqual(masked(key), "lvk_ab12…yz89")
  })
})

describe("equalInConstantTime", () => {
  it.prop("agrees with equality", [Schema.String, Schema.String], ([left, right]) => {
    assert.strictEqual(equalInConstantTime(left, right), left === right)
    assert.isTrue(equalInConstantTime(left, left))
    for (const longer of [`${left}\u0000`, `\u0000${left}`, `${left}a`]) {
      assert.isFalse(equalInConstantTime(left, longer))
      assert.isFalse(equalInConstantTime(longer, left))
    }
  })
})

describe("Cryptography.layerWebCrypto", () => {
  it.effect("digests and authenticates the standards' examples correctly", () =>
    Effect.gen(function* () {
      const cryptography = yield* Cryptography
      // FIPS 180-2, B.1, and RFC 4231, test case 2.
      assert.strictEqual(
        yield* cryptography.sha256("abc"),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
      )
      assert.strictEqual(
        yield* cryptography.hmacSha256("Jefe", "what do ya want for nothing?"),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      )
    }).pipe(Effect.provide(Cryptography.layerWebCrypto))
  )

  it.effect("returns as many random bytes as requested, different each time", () =>
    Effect.gen(function* () {
      const { randomBytes } = yield* Cryptography
      const [left, right] = [yield* randomBytes(32), yield* randomBytes(32)]
      assert.deepStrictEqual([left.length, right.length], [32, 32])
      assert.notDeepEqual(left, right)
    }).pipe(Effect.provide(Cryptography.layerWebCrypto))
  )

  it.effect.prop(
    "another key or message gives another code",
    [wellFormed.check(Schema.isMinLength(1)), wellFormed],
    ([key, message]) =>
      Effect.gen(function* () {
        const { hmacSha256 } = yield* Cryptography
        const code = yield* hmacSha256(key, message)
        assert.match(code, /^[0-9a-f]{64}$/u)
        assert.strictEqual(yield* hmacSha256(key, message), code)
        assert.notStrictEqual(yield* hmacSha256(`${key}!`, message), code)
        assert.notStrictEqual(yield* hmacSha256(key, `${message}!`), code)
      }).pipe(Effect.provide(Cryptography.layerWebCrypto)),
    { arbitrary: { runs: 40 } }
  )
})
