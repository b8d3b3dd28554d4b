import { assert, describe, it } from "@effect/vitest"
import { Cryptography, Signature, verify } from "@livery/domain"
import { Effect, Schema } from "effect"
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
const Time = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4_000_000_000 }))

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
    }).pipe(provided)
  )
})

describe("a missing or empty secret", () => {
  const absent = ["", undefined, null, Number.NaN]

  it.effect.each(absent)("is a defect: %j", (given) =>
    Effect.gen(function* () {
      const key = given as unknown as string
      for (const secrets of [[key], [secret, key]] as const)
        assert.strictEqual(
          yield* Effect.catchDefect(Signature.sign(at, body, secrets), (defect) =>
            Effect.succeed(String(defect))
          ),
          "RangeError: secret is missing or empty"
        )
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
        const event = yield* Effect.promise(() =>
          verify(theirs, payload, key, { toleranceSeconds: Infinity })
        )
        assert.strictEqual(Reflect.get(event, "text"), text)
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
