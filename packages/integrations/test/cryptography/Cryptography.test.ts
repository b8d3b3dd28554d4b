import { Cryptography, Signature, verify } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { NodeCryptography } from "@livery/integrations"
import { Effect } from "effect"
import * as Hex from "effect/encoding/Hex"
import { Stripe } from "stripe"

/** Key, message, and their HMAC by `openssl dgst -sha256 -mac HMAC -macopt hexkey:…`. */
const macs: ReadonlyArray<readonly [title: string, key: string, message: string, mac: string]> = [
  [
    "plain ASCII",
    "key",
    "The quick brown fox jumps over the lazy dog",
    "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"
  ],
  ["an empty message", "key", "", "5d5d139563c95b5967b9bd9a8c9b233a9dedb45072794cd232dc1b74832607d0"],
  [
    "a key and a message beyond ASCII",
    "schlüssel 🗝",
    "Überführung nach 東京 🚕",
    "f958752fdca7f23cb672da62760e9fb2f679bb809f239083df1024ac43f49cc2"
  ],
  [
    "a key of a block less a byte",
    "k".repeat(63),
    "63",
    "ca20fecd336640344a97372260f13d714b69a74943317d33d370ddc8e1e10cb2"
  ],
  [
    "a key of one block",
    "k".repeat(64),
    "a key of one block",
    "87d4475d303a1ffef49cdd952afe3446f8725596e02389e6edaa379cca48c52b"
  ],
  [
    "a key of a block and a byte",
    "k".repeat(65),
    "a key of more than a block",
    "22cabdb0c6e28cf178a2f26707e1fd09946c1f343ab991e0ec835f50c2333c28"
  ],
  [
    "a long key and a long message",
    "k".repeat(200),
    "x".repeat(10_000),
    "65c26cae74f32fe9bc0ffe4e043965760935b0b6703ce29bb9a89a81dadaa65c"
  ]
]

/** A text and its SHA-256 by `openssl dgst -sha256`. */
const digests: ReadonlyArray<readonly [title: string, text: string, digest: string]> = [
  ["nothing", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  [
    "a text beyond ASCII",
    "Überführung nach 東京 🚕",
    "b81fba262ea3fe012e89aec3ea9d735ba3ef1609c18e764b00e808b8d988ce1d"
  ],
  ["a long text", "x".repeat(10_000), "e4ee97ec252749d2096447e849628d0d7734f51700416eefbb33574bf0b3ee75"]
]

const body = `{"id":"evt_1","note":"Zürich → 東京 🚕"}`
const timestamp = 1_700_000_000

for (const [name, adapter] of [
  ["over node:crypto", NodeCryptography.layer],
  ["over WebCrypto", Cryptography.layerWebCrypto]
] as const) {
  layer(adapter)(`Cryptography ${name}`, (it) => {
    it.effect.each(macs)("authenticates as openssl does: %s", ([, key, message, mac]) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* (yield* Cryptography).hmacSha256(key, message), mac)
      })
    )

    it.effect("authenticates with SHA-1 as RFC 2202 does", () =>
      Effect.gen(function* () {
        assert.strictEqual(
          yield* (yield* Cryptography).hmacSha1("Jefe", "what do ya want for nothing?"),
          "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
        )
      })
    )

    it.effect.each(digests)("digests as openssl does: %s", ([, text, digest]) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* (yield* Cryptography).sha256(text), digest)
      })
    )

    it.effect("reads a lone surrogate as the replacement character", () =>
      Effect.gen(function* () {
        const { sha256 } = yield* Cryptography
        assert.strictEqual(yield* sha256("\uD800"), yield* sha256("\uFFFD"))
      })
    )

    it.effect("returns as many random bytes as requested, different each time", () =>
      Effect.gen(function* () {
        const { randomBytes } = yield* Cryptography
        for (const count of [0, 1, 12, 32, 1000]) assert.lengthOf(yield* randomBytes(count), count)
        const several = yield* Effect.forEach(Array.from({ length: 100 }), () => randomBytes(16))
        assert.strictEqual(new Set(several.map((bytes) => Hex.encode(bytes))).size, 100)
      })
    )

    it.effect("signs a body as openssl does", () =>
      Effect.gen(function* () {
        assert.strictEqual(
          yield* Signature.sign(timestamp, body, ["whsec_openssl"]),
          "t=1700000000,v1=297a326a7b2da0764dedbcad27ec7c9e19e6a35d64956f09fabcfc84386f05ce"
        )
      })
    )

    it.effect("signs as Stripe does, so that Stripe's verifier accepts the signature", () =>
      Effect.gen(function* () {
        const { webhooks } = new Stripe("sk_test_x")
        const header = yield* Signature.sign(timestamp, body, ["whsec_ours"])
        assert.strictEqual(
          header,
          webhooks.generateTestHeaderString({ payload: body, secret: "whsec_ours", timestamp })
        )
        const now = (timestamp + 60) * 1000
        const event = webhooks.constructEvent(body, header, "whsec_ours", 300, undefined, now)
        assert.strictEqual(event.id, "evt_1")
        assert.throws(() => webhooks.constructEvent(`${body} `, header, "whsec_ours", 300, undefined, now))
      })
    )

    it.effect("signs with each of two secrets during a rotation, so that receivers verify with either", () =>
      Effect.gen(function* () {
        const both = yield* Signature.sign(timestamp, body, ["whsec_old", "whsec_new"])
        for (const secret of ["whsec_old", "whsec_new"]) {
          const event = yield* Effect.promise(() =>
            verify(both, body, secret, { toleranceSeconds: Infinity })
          )
          assert.strictEqual(event.id, "evt_1")
        }
      })
    )
  })
}
