import { assert, describe, it } from "@effect/vitest"
import { platformHmac, webCryptoHmac } from "@livery/domain"
import { createHmac, randomBytes } from "node:crypto"

const expected = (secret: string, message: string | Uint8Array) =>
  createHmac("sha256", secret).update(message).digest("hex")

describe.each([
  ["the platform", platformHmac()],
  ["WebCrypto", webCryptoHmac]
] as const)("the HMAC-SHA256 of %s is the standard one", (_, hmac) => {
  it("for text as its UTF-8 bytes, and for bytes that are no text", async () => {
    assert.strictEqual(await hmac("clé 🔑", "1.", "Zoë 🚗"), expected("clé 🔑", "1.Zoë 🚗"))
    for (const length of [0, 1, 55, 56, 63, 64, 65, 1_000, 1 << 20]) {
      const bytes = randomBytes(length)
      const whole = Buffer.concat([Buffer.from("1."), bytes])
      assert.strictEqual(await hmac("secret", "1.", bytes), expected("secret", whole))
    }
  })

  it("for an empty secret, and for one that is longer than a block of the hash", async () => {
    for (const secret of ["", "k".repeat(200)])
      assert.strictEqual(await hmac(secret, "1.", "{}"), expected(secret, "1.{}"))
  })
})
