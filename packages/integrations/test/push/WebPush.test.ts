import { assert, describe, it } from "@effect/vitest"
import { type OutgoingRequest, OutgoingRequests, PushMessages } from "@livery/domain"
import { SecretKeys, WebPush } from "@livery/integrations"
import { Effect, Layer, Redacted } from "effect"
import { importJWK, jwtVerify } from "jose"
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto"

/** A browser's subscription, with the keys that decrypt its messages. */
const browser = () => {
  const keys = createECDH("prime256v1")
  keys.generateKeys()
  const auth = randomBytes(16)
  const token = JSON.stringify({
    endpoint: "https://push.example.com/send/abc",
    expirationTime: null,
    keys: { p256dh: keys.getPublicKey("base64url"), auth: auth.toString("base64url") }
  })
  /** Decrypts a body of one record, as RFC 8188 and RFC 8291 say. */
  const decrypt = (body: Uint8Array): string => {
    const bytes = Buffer.from(body)
    const [salt, keyLength] = [bytes.subarray(0, 16), bytes.readUInt8(20)]
    const sender = bytes.subarray(21, 21 + keyLength)
    const record = bytes.subarray(21 + keyLength)
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), keys.getPublicKey(), sender])
    const secret = Buffer.from(hkdfSync("sha256", keys.computeSecret(sender), auth, info, 32))
    const key = Buffer.from(hkdfSync("sha256", secret, salt, "Content-Encoding: aes128gcm\0", 16))
    const nonce = Buffer.from(hkdfSync("sha256", secret, salt, "Content-Encoding: nonce\0", 12))
    const decipher = createDecipheriv("aes-128-gcm", key, nonce)
    decipher.setAuthTag(record.subarray(-16))
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
    const end = padded.findLastIndex((byte) => byte !== 0)
    assert.strictEqual(padded[end], 2, "the delimiter of the last record, before its padding")
    return padded.subarray(0, end).toString("utf8")
  }
  return { token, decrypt }
}

/** A sender whose push service responds with a status, and the requests that it got. */
const sender = (status: number) => {
  const requests: Array<OutgoingRequest> = []
  const Requests = Layer.succeed(
    OutgoingRequests,
    OutgoingRequests.of({
      send: (request) => {
        requests.push(request)
        return Effect.succeed({ status, body: "" })
      }
    })
  )
  const push = Effect.flatMap(PushMessages, Effect.fromNullishOr).pipe(
    Effect.orDie,
    Effect.provide(
      WebPush.layer({ subject: "mailto:cars@example.com" }).pipe(
        Layer.provide(Requests),
        Layer.provide(SecretKeys.layer(Redacted.make("a secret for tests, of no use to anyone")))
      )
    )
  )
  return { push, requests }
}

const content = { title: "New trip", body: "Ärger & Zoë 🚗", url: "https://livery.example/drive" }

describe("a push message", () => {
  it.live("is decrypted by the browser alone, and signed for its push service", () =>
    Effect.gen(function* () {
      const { push, requests } = sender(201)
      const { publicKey, send } = yield* push
      const { decrypt, token } = browser()
      assert.strictEqual(yield* send(token, content), "sent")
      const request = yield* Effect.fromNullishOr(requests[0])
      assert.strictEqual(request.url, "https://push.example.com/send/abc")
      assert.deepInclude(request.headers, { "content-encoding": "aes128gcm", ttl: "3600", urgency: "high" })
      const body = request.body as Uint8Array
      assert.deepStrictEqual(JSON.parse(decrypt(body)), content)
      assert.throws(() => browser().decrypt(body))

      const [, jwt = "", key = ""] =
        /^vapid t=([^,]+), k=(.+)$/u.exec(request.headers["authorization"] ?? "") ?? []
      assert.strictEqual(key, yield* publicKey)
      const point = Buffer.from(key, "base64url")
      const verifying = yield* Effect.promise(() =>
        importJWK(
          {
            kty: "EC",
            crv: "P-256",
            x: point.subarray(1, 33).toString("base64url"),
            y: point.subarray(33).toString("base64url")
          },
          "ES256"
        )
      )
      const { payload } = yield* Effect.promise(() => jwtVerify(jwt, verifying))
      assert.deepInclude(payload, { aud: "https://push.example.com", sub: "mailto:cars@example.com" })
    })
  )

  it.live("has the same key on each node", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* sender(201).push, yield* sender(201).push]
      assert.strictEqual(yield* one.publicKey, yield* other.publicKey)
      assert.lengthOf(Buffer.from(yield* one.publicKey, "base64url"), 65)
    })
  )

  it.live("is for nobody if the subscription has ended or is none", () =>
    Effect.gen(function* () {
      const { send } = yield* sender(410).push
      assert.strictEqual(yield* send(browser().token, content), "gone")
      const other = yield* sender(201).push
      for (const token of ["abc", "{}", '{"endpoint":"x","keys":{"p256dh":"x","auth":"x"}}'])
        assert.strictEqual(yield* other.send(token, content), "gone")
    })
  )

  it.live("is tried again if the push service is busy", () =>
    Effect.gen(function* () {
      const { send } = yield* sender(503).push
      const refusal = yield* Effect.flip(send(browser().token, content))
      assert.strictEqual(refusal.reason, "the push service responded with 503")
    })
  )
})
