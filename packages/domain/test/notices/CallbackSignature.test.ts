/** Signatures of callbacks, with the examples of the gateways' own documentation. */
import { CallbackSignature, callbackContent, isSigned, type ReceivedCallback } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { createHmac } from "node:crypto"
import { decoded } from "../support/Decoding.ts"
import { synchronousCryptography } from "../support/Notices.ts"

const received = (changes: Partial<ReceivedCallback>): ReceivedCallback => ({
  url: "https://livery.example/api/v1/public/text-callbacks/lvx_1",
  headers: {},
  body: "",
  form: [...new URLSearchParams(changes.body ?? "")],
  ...changes
})

const isGenuine = (signature: CallbackSignature, key: string, callback: Partial<ReceivedCallback>) =>
  Effect.provide(isSigned(signature, key, received(callback)), synchronousCryptography)

const twilio = decoded(CallbackSignature, {
  header: "X-Twilio-Signature",
  algorithm: "sha1",
  encoding: "base64",
  signed: "{{url}}{{form}}"
})

const conversation = decoded(CallbackSignature, {
  header: "x-sinch-webhook-signature",
  algorithm: "sha256",
  encoding: "base64",
  signed: "{{body}}.{{nonce}}.{{timestamp}}",
  timestamp_header: "x-sinch-webhook-signature-timestamp",
  nonce_header: "x-sinch-webhook-signature-nonce"
})

const plivo = decoded(CallbackSignature, {
  header: "X-Plivo-Signature-V2",
  algorithm: "sha256",
  encoding: "base64",
  signed: "{{url}}{{nonce}}",
  nonce_header: "X-Plivo-Signature-V2-Nonce"
})

describe("the signature of a callback", () => {
  const call = {
    url: "https://mycompany.com/myapp.php?foo=1&bar=2",
    body: "To=%2B18005551212&CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309",
    headers: { "x-twilio-signature": "RSOYDt4T1cUTdK1PDd93/VVr8B8=" }
  }

  it.effect("is the one in Twilio's documentation: the address and the fields by their names", () =>
    Effect.gen(function* () {
      assert.isTrue(yield* isGenuine(twilio, "12345", call))
      assert.isFalse(yield* isGenuine(twilio, "12346", call))
      assert.isFalse(yield* isGenuine(twilio, "12345", { ...call, url: "https://mycompany.com/myapp.php" }))
      assert.isFalse(yield* isGenuine(twilio, "12345", { ...call, body: `${call.body}&Digits=1` }))
      assert.isFalse(yield* isGenuine(twilio, "12345", { ...call, headers: {} }))
    })
  )

  it.effect("is the one in Sinch's documentation: the body, a number used once and the time", () =>
    Effect.gen(function* () {
      const body =
        '{"app_id":"","accepted_time":"2021-10-18T17:49:13.813615Z","project_id":"e2df3a34-a71b-4448-9db5-a8d2baad28e4",' +
        '"contact_create_notification":{"contact":{"id":"01FJA8B466Y0R2GNXD78MD9SM1","channel_identities":[{"channel":"SMS",' +
        '"identity":"48123456789","app_id":""}],"display_name":"New Test Contact","email":"new.contact@email.com",' +
        '"external_id":"","metadata":"","language":"EN_US"}},"message_metadata":""}'
      const headers = {
        "x-sinch-webhook-signature": "6bpJoRmFoXVjfJIVglMoJzYXxnoxRujzR4k2GOXewOE=",
        "x-sinch-webhook-signature-timestamp": "1634579353",
        "x-sinch-webhook-signature-nonce": "01FJA8B4A7BM43YGWSG9GBV067"
      }
      yield* TestClock.setTime(1_634_579_353_000)
      assert.isTrue(yield* isGenuine(conversation, "foo_secret1234", { body, headers }))
      assert.isFalse(yield* isGenuine(conversation, "foo_secret1234", { body: `${body} `, headers }))
      yield* TestClock.adjust("301 seconds")
      assert.isFalse(yield* isGenuine(conversation, "foo_secret1234", { body, headers }))
    })
  )

  it.effect("is made as in Plivo's documentation: the address and a number used once", () =>
    Effect.gen(function* () {
      const [url, nonce] = ["https://livery.example/answer/", "05429567804466091622"]
      const code = createHmac("sha256", "token").update(`${url}${nonce}`).digest("base64")
      const headers = { "x-plivo-signature-v2": code, "x-plivo-signature-v2-nonce": nonce }
      assert.isTrue(yield* isGenuine(plivo, "token", { url, headers }))
      assert.isFalse(
        yield* isGenuine(plivo, "token", { url, headers: { ...headers, "x-plivo-signature-v2-nonce": "1" } })
      )
    })
  )

  it.effect(
    "may be hexadecimal, with its algorithm before it, and its time in milliseconds or as a date",
    () =>
      Effect.gen(function* () {
        const signature = decoded(CallbackSignature, {
          header: "x-signature",
          algorithm: "sha256",
          encoding: "hex",
          signed: "{{timestamp}}.{{body}}",
          timestamp_header: "x-timestamp",
          tolerance_seconds: 10
        })
        yield* TestClock.setTime(Date.parse("2026-11-20T09:30:00Z"))
        for (const time of ["1795167000", "1795167000000", "2026-11-20T09:29:55Z"]) {
          const code = createHmac("sha256", "key").update(`${time}.Zoë`).digest("hex")
          for (const written of [code, code.toUpperCase(), `sha256=${code}`])
            assert.isTrue(
              yield* isGenuine(signature, "key", {
                body: "Zoë",
                headers: { "x-signature": written, "x-timestamp": time }
              }),
              time
            )
        }
        const headers = (time: string) => ({
          "x-timestamp": time,
          "x-signature": createHmac("sha256", "key").update(`${time}.`).digest("hex")
        })
        for (const time of ["1795167011", "1795166989", "", "soon"])
          assert.isFalse(yield* isGenuine(signature, "key", { headers: headers(time) }), time)
      })
  )

  it("that covers the fields of a form leaves nothing to be read from a body of another type", () => {
    const body = '{"From":"41446681800","Body":"STOP"}'
    const form = [...new URLSearchParams(body)]
    assert.deepStrictEqual(callbackContent({ body, form }, null), JSON.parse(body))
    assert.deepStrictEqual(callbackContent({ body, form }, twilio), { [body]: "" })
  })
})
