import { assert, describe, it } from "@effect/vitest"
import { type Hmac, makeHmac, makePortableHmac } from "@livery/domain"
import { createHmac, randomBytes } from "node:crypto"

const expected = (secret: string, message: string | Uint8Array) =>
  createHmac("sha256", secret).update(message).digest("hex")

describe.each<[string, () => Hmac]>([
  ["of the platform", makeHmac],
  ["that runs everywhere", makePortableHmac]
])("the HMAC-SHA256 %s is the standard one", (_, make) => {
  it("for messages and secrets of each length around the blocks of the hash", () => {
    const hmac = make()
    for (let length = 0; length <= 200; length++) {
      const message = "m".repeat(length)
      const secret = `s${"k".repeat(length)}`
      assert.strictEqual(
        hmac("whsec_1", "1700000000.", message),
        expected("whsec_1", `1700000000.${message}`)
      )
      assert.strictEqual(hmac(secret, "", message), expected(secret, message))
    }
  })

  it("for text as its UTF-8 bytes, and for bytes that are no text", () => {
    const hmac = make()
    assert.strictEqual(hmac("clé 🔑", "1.", "Zoë 🚗"), expected("clé 🔑", "1.Zoë 🚗"))
    for (const length of [0, 1, 55, 56, 63, 64, 65, 1_000]) {
      const bytes = randomBytes(length)
      assert.strictEqual(
        hmac("secret", "1.", bytes),
        expected("secret", Buffer.concat([Buffer.from("1."), bytes]))
      )
    }
  })

  it("for a mebibyte", () => {
    const bytes = randomBytes(1 << 20)
    assert.strictEqual(make()("secret", "", bytes), expected("secret", bytes))
  })

  it("for more secrets than it keeps", () => {
    const hmac = make()
    for (let round = 0; round < 2; round++)
      for (let nth = 0; nth < 250; nth++)
        assert.strictEqual(hmac(`secret ${nth}`, "1.", "{}"), expected(`secret ${nth}`, "1.{}"))
  })
})
