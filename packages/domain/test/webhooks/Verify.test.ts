import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import {
  Cryptography,
  makePortableHmac,
  makeVerify,
  Signature,
  verify as verifyByPlatform
} from "@livery/domain"
import { Effect } from "effect"

const secret = "whsec_test"
const event = {
  id: "evt_1",
  type: "trip.created",
  created: 1,
  data: { note: "Zoë 🚗" },
  meta: { business_id: 1 }
}
const body = JSON.stringify(event)

const now = () => Math.floor(Date.now() / 1000)

const signed = (at: number, ...secrets: [string, ...Array<string>]) =>
  Effect.runPromise(Signature.sign(at, body, secrets).pipe(Effect.provide(Cryptography.layerWebCrypto)))

const bytes = (text: string) => new TextEncoder().encode(text)

describe.each([
  ["by node:crypto", verifyByPlatform],
  ["without node:crypto", makeVerify(makePortableHmac())]
] as const)("verify %s", (_, verify) => {
  /** The reason for a refusal, or `accepted`. */
  const verdict = (...given: Parameters<typeof verifyByPlatform>) =>
    verify(...given).then(
      () => "accepted",
      (error: unknown) => (error instanceof Signature.SignatureRefused ? error.reason : String(error))
    )

  it("returns the event of a body with a right signature, from a string as from bytes", async () => {
    const header = await signed(now(), secret)
    assert.deepStrictEqual<unknown>(await verify(header, body, secret), event)
    assert.deepStrictEqual<unknown>(await verify(header, bytes(body), secret), event)
    assert.deepStrictEqual<unknown>(await verify(header, Buffer.from(body), secret), event)
  })

  it("accepts any of several signatures, while a secret is being replaced", async () => {
    const header = await signed(now(), "new", "old")
    assert.strictEqual(await verdict(header, body, "new"), "accepted")
    assert.strictEqual(await verdict(header, body, "old"), "accepted")
    assert.strictEqual(await verdict(header, body, "other"), "mismatch")
  })

  it("refuses another body, another secret, another time, and a malformed signature", async () => {
    const at = now()
    const header = await signed(at, secret)
    assert.strictEqual(await verdict(header, `${body} `, secret), "mismatch")
    assert.strictEqual(await verdict(header, body, "whsec_other"), "mismatch")
    assert.strictEqual(await verdict(header.replace(`t=${at}`, `t=${at + 1}`), body, secret), "mismatch")
    for (const nothing of ["", "v1=x", "t=1", undefined, null])
      assert.strictEqual(await verdict(nothing, body, secret), "malformed")
  })

  it("refuses bytes that were not signed, also where they decode to the same text", async () => {
    const text = '{"note":"\uFFFD"}'
    const header = await Effect.runPromise(
      Signature.sign(now(), text, [secret]).pipe(Effect.provide(Cryptography.layerWebCrypto))
    )
    const garbled = Uint8Array.from([...bytes('{"note":"'), 0xff, ...bytes('"}')])
    assert.strictEqual(await verdict(header, bytes(text), secret), "accepted")
    assert.strictEqual(await verdict(header, garbled, secret), "mismatch")
    assert.strictEqual(
      await verdict(header, Uint8Array.from([0xef, 0xbb, 0xbf, ...bytes(text)]), secret),
      "mismatch"
    )
  })

  it("refuses a time further away than the tolerance, five minutes by default", async () => {
    for (const [age, options, expected] of [
      [280, {}, "accepted"],
      [320, {}, "too_old"],
      [-280, {}, "accepted"],
      [-320, {}, "too_old"],
      [280, { toleranceSeconds: 60 }, "too_old"],
      [1_000_000, { toleranceSeconds: Infinity }, "accepted"]
    ] as const)
      assert.strictEqual(await verdict(await signed(now() - age, secret), body, secret, options), expected)
  })

  it("rejects a tolerance that is not a number", async () => {
    const header = await signed(now() - 1_000_000, secret)
    for (const toleranceSeconds of [Number.NaN, -1])
      assert.match(await verdict(header, body, secret, { toleranceSeconds }), /RangeError/u)
  })

  it("rejects an empty secret, with which anyone could have signed", async () => {
    const header = await signed(now(), secret)
    const forged = createHmac("sha256", "").update(`${now()}.${body}`).digest("hex")
    for (const given of [header, `t=${now()},v1=${forged}`])
      assert.match(await verdict(given, body, ""), /RangeError/u)
  })
})
