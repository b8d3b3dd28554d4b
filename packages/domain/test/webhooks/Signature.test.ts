import { assert, describe, it } from "@effect/vitest"
import { Cryptography, Signature } from "@livery/domain"
import { Effect, Layer, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Stripe } from "stripe"

const provided = Effect.provide(Cryptography.layerWebCrypto)
const { webhooks } = new Stripe("sk_test_x")

const at = 1_790_000_000
const body = '{"id":"evt_1"}'
const secret = "whsec_test"

/** Made with `printf '%s' '<t>.<body>' | openssl dgst -sha256 -hmac '<secret>'`. */
const vectors = [
  [at, body, secret, "e32657f3e678d33b41ec084c16ac0e125d25480a06cb3902286dc5942c6fd259"],
  [0, "", "whsec_x", "4e8c2621ad6b7e8ee9325e803d12429025d82e5abc79b476cf0efabfaf9a6e57"],
  [
    at,
    '{"name":"Zoë → 東京 🚗"}',
    "whsec_clé",
    "d93b9b29e185a2a88436c0012227e66866f0f5b396aa59ff260e6b5d55348332"
  ]
] as const

const Text = Schema.String.check(Schema.makeFilter((text: string) => text.isWellFormed()))
const Secret = Text.check(Schema.isMinLength(1))
const Time = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4_000_000_000 }))
const Place = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))

/** The result of verifying a header: `accepted`, or the reason of the error. */
const verdict = (...given: Parameters<typeof Signature.verify>) =>
  Effect.map(
    Effect.result(Signature.verify(...given)),
    Result.match({ onSuccess: () => "accepted" as const, onFailure: ({ reason }) => reason })
  )

/** The text with one character replaced by another one. */
const flipped = (text: string, place: number) => {
  const index = place % text.length
  return `${text.slice(0, index)}${text.charAt(index) === "0" ? "1" : "0"}${text.slice(index + 1)}`
}

describe("sign", () => {
  it.effect.each(vectors)("gives openssl's code for t=%d", ([t, text, key, expected]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* Signature.sign(t, text, [key]), `t=${t},v1=${expected}`)
    }).pipe(provided)
  )

  it.effect("signs with each secret that is valid while secrets rotate", () =>
    Effect.gen(function* () {
      const header = yield* Signature.sign(at, body, ["old", "new"])
      const [old, fresh] = yield* Effect.all([
        Signature.sign(at, body, ["old"]),
        Signature.sign(at, body, ["new"])
      ])
      assert.strictEqual(header, `${old},${fresh.replace(`t=${at},`, "")}`)
      yield* TestClock.setTime(at * 1000)
      assert.strictEqual(yield* verdict(header, body, "old"), "accepted")
      assert.strictEqual(yield* verdict(header, body, "new"), "accepted")
      assert.strictEqual(yield* verdict(header, body, "other"), "mismatch")
    }).pipe(provided)
  )
})

describe("Stripe's own SDK", () => {
  it.effect.prop(
    "makes headers that verify accepts, and accepts the headers that sign makes",
    [Text, Text, Time],
    ([text, random, t]) =>
      Effect.gen(function* () {
        const key = `whsec_${random}`
        const payload = JSON.stringify({ object: "event", text })
        const theirs = webhooks.generateTestHeaderString({ payload, secret: key, timestamp: t })
        yield* Signature.verify(theirs, payload, key, { tolerance: "Infinity" })
        const ours = yield* Signature.sign(t, payload, [key])
        assert.strictEqual(Reflect.get(webhooks.constructEvent(payload, ours, key, 0), "text"), text)
      }).pipe(provided),
    { arbitrary: { runs: 60 } }
  )

  it.effect("checks our header's age by its own default too", () =>
    Effect.gen(function* () {
      const now = Math.floor(Date.now() / 1000)
      const fresh = yield* Signature.sign(now, body, ["other", secret])
      assert.strictEqual(webhooks.constructEvent(body, fresh, secret).id, "evt_1")
      const stale = yield* Signature.sign(now - 400, body, [secret])
      assert.throws(() => webhooks.constructEvent(body, stale, secret), /tolerance/u)
    }).pipe(provided)
  )
})

describe("verify", () => {
  it.effect.prop(
    "refuses any change of body, secret, time or signature, by a single character",
    [Text.check(Schema.isMinLength(1)), Secret, Time, Place],
    ([text, key, t, place]) =>
      Effect.gen(function* () {
        const header = yield* Signature.sign(t, text, [key])
        const lenient = { tolerance: "Infinity" } as const
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
        assert.strictEqual(yield* verdict(header, text, key, lenient), "accepted")
        for (const [given, raw, used] of forged)
          assert.strictEqual(yield* verdict(given, raw, used, lenient), "mismatch", given)
      }).pipe(provided),
    { arbitrary: { runs: 60 } }
  )

  it.effect("accepts one right signature among others, wherever it stands", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(at * 1000)
      const v1 = vectors[0][3]
      const wrong = "0".repeat(64)
      for (const header of [
        `t=${at},v1=${wrong},v1=${v1}`,
        `t=${at},v1=${v1},v1=${wrong}`,
        `v1=${v1},t=${at}`,
        ` t=${at} , v0=old , v1=${v1} `
      ])
        assert.strictEqual(yield* verdict(header, body, secret), "accepted", header)
      assert.strictEqual(yield* verdict(`t=${at},v1=${wrong},v1=`, body, secret), "mismatch")
    }).pipe(provided)
  )

  it.effect("accepts five minutes of difference either way by default, or the given tolerance", () =>
    Effect.gen(function* () {
      const header = `t=${at},v1=${vectors[0][3]}`
      const seen = Effect.fnUntraced(function* (
        seconds: number,
        tolerance?: "0 seconds" | "1 hour" | "Infinity"
      ) {
        yield* TestClock.setTime((at + seconds) * 1000)
        return yield* verdict(header, body, secret, tolerance === undefined ? {} : { tolerance })
      })
      for (const seconds of [0, 300, -300]) assert.strictEqual(yield* seen(seconds), "accepted")
      for (const seconds of [301, -301, -at]) assert.strictEqual(yield* seen(seconds), "too_old")
      assert.strictEqual(yield* seen(0, "0 seconds"), "accepted")
      assert.strictEqual(yield* seen(1, "0 seconds"), "too_old")
      assert.strictEqual(yield* seen(3600, "1 hour"), "accepted")
      assert.strictEqual(yield* seen(-3601, "1 hour"), "too_old")
      assert.strictEqual(yield* seen(1_000_000_000, "Infinity"), "accepted")
    }).pipe(provided)
  )

  it.effect("reports an old time only if the signature matches", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* verdict(`t=1,v1=${"0".repeat(64)}`, body, secret), "mismatch")
    }).pipe(provided)
  )

  it.effect("reports a header of another form as malformed, and never throws", () =>
    Effect.gen(function* () {
      const v1 = `v1=${vectors[0][3]}`
      for (const header of [
        "",
        ",",
        "=",
        "t",
        "t=",
        v1,
        `t=${at}`,
        `t=,${v1}`,
        `t=${at},v0=${vectors[0][3]}`,
        `t=${at},t=${at},${v1}`,
        `t=-${at},${v1}`,
        `t=${at}.5,${v1}`,
        `t=1e9,${v1}`,
        `t=0x6ab1,${v1}`,
        `t= ${at},${v1}`,
        `t=now,${v1}`,
        `t=${"9".repeat(13)},${v1}`,
        `t=${at}=1,${v1}`,
        `T=${at},V1=${vectors[0][3]}`,
        "x".repeat(1_000_000),
        ",".repeat(100_000),
        "t=\u0000\ud800,v1=\u0000"
      ])
        assert.strictEqual(yield* verdict(header, body, secret), "malformed", header.slice(0, 80))
    }).pipe(provided)
  )

  it.effect.prop("gives a verdict on any text at all", [Schema.String, Schema.String], ([header, text]) =>
    Effect.gen(function* () {
      assert.notStrictEqual(yield* verdict(header, text, secret), "accepted")
      assert.notStrictEqual(yield* verdict(`t=${header},v1=${text}`, text, secret), "accepted")
    }).pipe(provided)
  )

  it.effect("compares the code with every signature, however many there are", () =>
    Effect.gen(function* () {
      let codes = 0
      const Counting = Layer.mock(Cryptography)({
        hmacSha256: () => Effect.sync(() => (codes++, "f00d"))
      })
      yield* TestClock.setTime(1000)
      const header = `t=1,${"v1=beef,".repeat(500)}v1=f00d`
      assert.strictEqual(yield* Effect.provide(verdict(header, body, secret), Counting), "accepted")
      assert.strictEqual(codes, 1)
    })
  )
})
