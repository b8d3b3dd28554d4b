import { createHmac } from "node:crypto"
import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import {
  Cryptography,
  type EventBody,
  makeVerify,
  Signature,
  SignatureRefused,
  verify as verifyByPlatform,
  webCryptoHmac
} from "@livery/domain"
import { Effect, Schema } from "effect"
import { afterEach, vi } from "vitest"

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

const signedText = (at: number, text: string, ...secrets: [string, ...Array<string>]) =>
  Effect.runPromise(Signature.sign(at, text, secrets).pipe(Effect.provide(Cryptography.layerWebCrypto)))

const signed = (at: number, ...secrets: [string, ...Array<string>]) => signedText(at, body, ...secrets)

const bytes = (text: string) => new TextEncoder().encode(text)

const Text = Schema.String.check(Schema.makeFilter((text: string) => text.isWellFormed()))
const Secret = Text.check(Schema.isMinLength(1))
const Time = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4_000_000_000 }))
const Place = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))

const lenient = { toleranceSeconds: Infinity }

/** The text with one character replaced by another one. */
const flipped = (text: string, place: number) => {
  const index = place % text.length
  return `${text.slice(0, index)}${text.charAt(index) === "0" ? "1" : "0"}${text.slice(index + 1)}`
}

afterEach(() => {
  vi.useRealTimers()
})

describe.each([
  ["by node:crypto", verifyByPlatform],
  ["by WebCrypto", makeVerify(webCryptoHmac)]
] as const)("verify %s", (_, verify) => {
  /** The reason for a refusal, or `accepted`. */
  const verdict = (...given: Parameters<typeof verifyByPlatform>) =>
    verify(...given).then(
      () => "accepted",
      (error: unknown) => (error instanceof SignatureRefused ? error.reason : String(error))
    )

  it("returns the event of a body with a right signature, from a string as from bytes", async () => {
    const header = await signed(now(), secret)
    assert.deepStrictEqual<unknown>(await verify(header, body, secret), event)
    assert.deepStrictEqual<unknown>(await verify(header, bytes(body), secret), event)
    assert.deepStrictEqual<unknown>(await verify(header, Buffer.from(body), secret), event)
  })

  it("has the type of the events that Livery makes", () => {
    expectTypeOf<Awaited<ReturnType<typeof verify>>>().toEqualTypeOf<EventBody>()
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
    const header = await signedText(now(), text, secret)
    const garbled = Uint8Array.from([...bytes('{"note":"'), 0xff, ...bytes('"}')])
    assert.strictEqual(await verdict(header, bytes(text), secret), "accepted")
    assert.strictEqual(await verdict(header, garbled, secret), "mismatch")
    assert.strictEqual(
      await verdict(header, Uint8Array.from([0xef, 0xbb, 0xbf, ...bytes(text)]), secret),
      "mismatch"
    )
  })

  it.effect.prop(
    "refuses any change of body, secret, time or signature, by a single character",
    [Text, Secret, Time, Place],
    ([note, key, at, place]) =>
      Effect.promise(async () => {
        const text = JSON.stringify({ note })
        const header = await signedText(at, text, key)
        const [time = "", signature = ""] = header.slice(2).split(",v1=")
        const forged = [
          [header, flipped(text, place), key],
          [header, `${text} `, key],
          [header, text, flipped(key, place)],
          [`t=${flipped(time, place)},v1=${signature}`, text, key],
          [`t=0${time},v1=${signature}`, text, key],
          [`t=${time},v1=${flipped(signature, place)}`, text, key],
          [`t=${time},v1=${signature.slice(0, -1)}`, text, key],
          [`t=${time},v1=${signature}0`, text, key],
          [`t=${time},v1=${signature}=0`, text, key],
          [`t=${time},v0=${signature},v1=0`, text, key]
        ] as const
        assert.strictEqual(await verdict(header, text, key, lenient), "accepted")
        for (const [given, raw, used] of forged)
          assert.strictEqual(await verdict(given, raw, used, lenient), "mismatch", given)
      }),
    { arbitrary: { runs: 60 } }
  )

  it("accepts one right signature among others, wherever it stands", async () => {
    const at = now()
    const v1 = (await signed(at, secret)).slice(`t=${at},v1=`.length)
    const wrong = "0".repeat(64)
    for (const header of [
      `t=${at},v1=${wrong},v1=${v1}`,
      `t=${at},v1=${v1},v1=${wrong}`,
      `v1=${v1},t=${at}`,
      ` t=${at} , v0=old , v1=${v1} `
    ])
      assert.strictEqual(await verdict(header, body, secret), "accepted", header)
    assert.strictEqual(await verdict(`t=${at},v1=${wrong},v1=`, body, secret), "mismatch")
  })

  it("accepts five minutes of difference either way by default, or the given tolerance", async () => {
    const at = 1_790_000_000
    const header = await signed(at, secret)
    for (const [seconds, options, expected] of [
      [0, {}, "accepted"],
      [300, {}, "accepted"],
      [-300, {}, "accepted"],
      [301, {}, "too_old"],
      [-301, {}, "too_old"],
      [-at, {}, "too_old"],
      [0, { toleranceSeconds: 0 }, "accepted"],
      [1, { toleranceSeconds: 0 }, "too_old"],
      [3600, { toleranceSeconds: 3600 }, "accepted"],
      [-3601, { toleranceSeconds: 3600 }, "too_old"],
      [1_000_000_000, lenient, "accepted"]
    ] as const) {
      vi.setSystemTime((at + seconds) * 1000)
      assert.strictEqual(await verdict(header, body, secret, options), expected, String(seconds))
    }
  })

  it("reports an old time only if the signature matches", async () => {
    assert.strictEqual(await verdict(`t=1,v1=${"0".repeat(64)}`, body, secret), "mismatch")
  })

  it("reports a header of another form as malformed", async () => {
    const at = now()
    const code = (await signed(at, secret)).slice(`t=${at},v1=`.length)
    const v1 = `v1=${code}`
    for (const header of [
      ",",
      "=",
      "t",
      "t=",
      v1,
      `t=${at}`,
      `t=,${v1}`,
      `t=${at},v0=${code}`,
      `t=${at},t=${at},${v1}`,
      `t=-${at},${v1}`,
      `t=${at}.5,${v1}`,
      `t=1e9,${v1}`,
      `t=0x6ab1,${v1}`,
      `t= ${at},${v1}`,
      `t=now,${v1}`,
      `t=${"9".repeat(13)},${v1}`,
      `t=${at}=1,${v1}`,
      `T=${at},V1=${code}`,
      "x".repeat(1_000_000),
      ",".repeat(100_000),
      "t=\u0000\ud800,v1=\u0000"
    ])
      assert.strictEqual(await verdict(header, body, secret), "malformed", header.slice(0, 80))
  })

  it.effect.prop("gives a reason for any text at all", [Schema.String, Schema.String], ([header, text]) =>
    Effect.promise(async () => {
      for (const given of [header, `t=${header},v1=${text}`])
        assert.include(["malformed", "mismatch"], await verdict(given, text, secret))
    })
  )

  it("rejects with a SyntaxError if the signed body is not JSON", async () => {
    const text = "not JSON"
    assert.match(await verdict(await signedText(now(), text, secret), text, secret), /^SyntaxError/u)
  })

  it("rejects a tolerance that is not a number", async () => {
    const header = await signed(now() - 1_000_000, secret)
    for (const toleranceSeconds of [Number.NaN, -1, "soon", "300", null, {}])
      assert.match(
        await verdict(header, body, secret, { toleranceSeconds: toleranceSeconds as number }),
        /RangeError/u,
        JSON.stringify(toleranceSeconds)
      )
  })

  it("rejects an empty secret, with which anyone could have signed", async () => {
    const header = await signed(now(), secret)
    const forged = createHmac("sha256", "").update(`${now()}.${body}`).digest("hex")
    for (const given of [header, `t=${now()},v1=${forged}`])
      assert.match(await verdict(given, body, ""), /RangeError/u)
  })

  it("rejects a secret that is not a string, as which some platforms read a missing setting", async () => {
    const at = now()
    // HMAC turns such a secret into the key "", "null" or "NaN", which anyone can guess.
    const absent: ReadonlyArray<readonly [secret: unknown, text: string]> = [
      [undefined, "undefined"],
      [null, "null"],
      [Number.NaN, "NaN"],
      [0, "0"],
      [false, "false"],
      [{}, "[object Object]"],
      [[], ""]
    ]
    for (const [given, text] of absent)
      for (const key of ["", text]) {
        const forged = createHmac("sha256", key).update(`${at}.${body}`).digest("hex")
        const outcome = await verdict(`t=${at},v1=${forged}`, body, given as string)
        assert.strictEqual(outcome, "RangeError: secret is missing or empty", `${text} as "${key}"`)
      }
  })
})

it("computes the code once, however many signatures there are", async () => {
  let codes = 0
  const verify = makeVerify(() => {
    codes++
    return "f00d"
  })
  const header = `t=${now()},${"v1=beef,".repeat(500)}v1=f00d`
  assert.deepStrictEqual<unknown>(await verify(header, body, secret), event)
  assert.strictEqual(codes, 1)
})
