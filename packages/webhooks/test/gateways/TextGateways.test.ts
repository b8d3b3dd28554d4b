/** The recipes of docs/api/text-messages.md against gateways that answer as recorded. */
import { assert, describe, it } from "@effect/vitest"
import {
  gatewayAnswer,
  gatewayCallback,
  gatewayRequest,
  OutgoingRequests,
  segmentsOf,
  TextGateway
} from "@livery/domain"
import { GuardedRequests } from "@livery/webhooks"
import { Effect, Schema } from "effect"
import { readFileSync } from "node:fs"
import type { IncomingMessage } from "node:http"
import { webServer } from "../support/LoopbackServers.ts"

const guide = readFileSync(new URL("../../../../docs/api/text-messages.md", import.meta.url), "utf8")
const decode = Schema.decodeUnknownSync(TextGateway)

/** The recipes of the guide, in its order. */
const recipes = [...guide.matchAll(/```json\n(.*?)```/gsu)].map(([, json = ""]) => decode(JSON.parse(json)))
const [twilio, vonage, messageBird] = recipes as [TextGateway, TextGateway, TextGateway]

interface Recorded {
  readonly status: number
  readonly body: unknown
}

/** A gateway on loopback. `answer` responds to a request as the recorded gateway does. */
const emulated = (answer: (request: IncomingMessage, body: string) => Recorded) =>
  Effect.map(
    webServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const { body, status } = answer(request, Buffer.concat(chunks).toString("utf8"))
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
      })
    }),
    (port) => `http://127.0.0.1:${port}`
  )

/** Sends a message by a recipe whose host is replaced, and reads the answer. */
const send = Effect.fnUntraced(
  function* (recipe: TextGateway, host: string, to: string, text: string) {
    const gateway = { ...recipe, url: recipe.url.replace(/^https:\/\/[^/]+/u, host) }
    const requests = yield* OutgoingRequests
    const request = gatewayRequest(gateway, {
      to,
      to_digits: to.slice(1),
      text,
      sender: gateway.sender,
      id: "m-1",
      callback_url: "https://livery.example/api/v1/public/text-callbacks/lvx_1"
    })
    return gatewayAnswer(gateway, yield* requests.send(request))
  },
  Effect.provide(GuardedRequests.layer({ allowInsecure: true })),
  Effect.scoped
)

const tricky = 'Zoë "Ö" \\ & = % \n → 12 €'

describe("a gateway for text messages", () => {
  it("has a recipe for each of five gateways", () => {
    assert.lengthOf(recipes, 5)
  })

  it.live("is Twilio: a form with basic authentication, whose refusal of a number is final", () =>
    Effect.gen(function* () {
      const host = yield* emulated((request, body) => {
        const form = new URLSearchParams(body)
        if (request.headers.authorization !== `Basic ${Buffer.from("ACCOUNT:TOKEN").toString("base64")}`)
          return { status: 401, body: { code: 20003, message: "Authenticate", status: 401 } }
        assert.strictEqual(request.url, "/2010-04-01/Accounts/ACCOUNT/Messages.json")
        if (!/^\+[1-9]\d{6,14}$/u.test(form.get("To") ?? ""))
          return { status: 400, body: { code: 21211, message: "Invalid 'To' Phone Number", status: 400 } }
        assert.deepStrictEqual(
          [form.get("Body"), form.get("From"), form.get("StatusCallback")],
          [tricky, "+15005550006", "https://livery.example/api/v1/public/text-callbacks/lvx_1"]
        )
        return {
          status: 201,
          body: { sid: "SM1b7f", status: "queued", error_code: null, num_segments: "1", to: form.get("To") }
        }
      })
      assert.deepStrictEqual(yield* send(twilio, host, "+41446681800", tricky), {
        taken: true,
        reference: "SM1b7f"
      })
      assert.deepStrictEqual(yield* send(twilio, host, "+0", tricky), {
        taken: false,
        isFinal: true,
        reason: "the gateway responded with 400"
      })
      const receipt = { MessageSid: "SM1b7f", MessageStatus: "delivered", To: "+41446681800" }
      assert.deepInclude<object>(gatewayCallback(twilio, receipt), {
        status: "delivered",
        reference: "SM1b7f"
      })
      const reply = { From: "+41446681800", To: "+15005550006", Body: " stop. thanks", MessageSid: "SM2" }
      assert.deepStrictEqual(gatewayCallback(twilio, reply), { type: "stop", from: "+41446681800" })
    }).pipe(Effect.scoped)
  )

  it.live("is Vonage: JSON, whose refusal has the status 200", () =>
    Effect.gen(function* () {
      const host = yield* emulated((_, body) => {
        const sent = JSON.parse(body) as Record<string, string>
        assert.deepInclude(sent, { from: "Livery", text: tricky, type: "unicode", api_key: "KEY" })
        const ok = {
          to: sent["to"],
          "message-id": "0A0000000123ABCD1",
          status: "0",
          "remaining-balance": "3.1"
        }
        const refused = { status: "6", "error-text": "Unroutable message - rejected" }
        return { status: 200, body: { "message-count": "1", messages: [sent["to"] === "1" ? refused : ok] } }
      })
      assert.deepStrictEqual(yield* send(vonage, host, "+41446681800", tricky), {
        taken: true,
        reference: "0A0000000123ABCD1"
      })
      assert.deepStrictEqual(yield* send(vonage, host, "+1", tricky), {
        taken: false,
        isFinal: true,
        reason: "messages.0.status is 6"
      })
      const receipt = {
        msisdn: "41446681800",
        messageId: "0A0000000123ABCD1",
        status: "expired",
        "err-code": "5"
      }
      assert.deepInclude<object>(gatewayCallback(vonage, receipt), { type: "receipt", status: "failed" })
      assert.deepStrictEqual(gatewayCallback(vonage, { msisdn: "41446681800", text: "START" }), {
        type: "start",
        from: "41446681800"
      })
    }).pipe(Effect.scoped)
  )

  it.live("is MessageBird: JSON with a header, which may be busy for a moment", () =>
    Effect.gen(function* () {
      let isBusy = true
      const host = yield* emulated((request, body) => {
        assert.strictEqual(request.headers.authorization, "AccessKey KEY")
        assert.deepInclude(JSON.parse(body) as object, { recipients: ["41446681800"], body: tricky })
        if (isBusy) return { status: 429, body: { errors: [{ code: 98, description: "Too many requests" }] } }
        return {
          status: 201,
          body: { id: "e8077d803532c0b5937c639b60216938", recipients: { totalCount: 1, totalSentCount: 1 } }
        }
      })
      assert.deepStrictEqual(yield* send(messageBird, host, "+41446681800", tricky), {
        taken: false,
        isFinal: false,
        reason: "the gateway responded with 429"
      })
      isBusy = false
      assert.deepStrictEqual(yield* send(messageBird, host, "+41446681800", tricky), {
        taken: true,
        reference: "e8077d803532c0b5937c639b60216938"
      })
    }).pipe(Effect.scoped)
  )

  it.live("on a private address is not reached", () =>
    Effect.gen(function* () {
      const requests = yield* OutgoingRequests
      for (const url of [
        "https://127.0.0.1/x",
        "https://10.0.0.1/x",
        "http://example.com/x",
        "https://gateway.local/x"
      ]) {
        const refusal = yield* Effect.flip(requests.send({ url, method: "POST", headers: {}, body: "" }))
        assert.strictEqual(refusal.reason, "the address is not allowed")
      }
    }).pipe(Effect.provide(GuardedRequests.layer()))
  )
})

describe("the segments of a text message", () => {
  it("are 160 signs of GSM-7 alone, and 153 in each part of more", () => {
    assert.deepStrictEqual(segmentsOf("a".repeat(160)), { encoding: "gsm-7", segments: 1 })
    assert.deepStrictEqual(segmentsOf("a".repeat(161)), { encoding: "gsm-7", segments: 2 })
    assert.deepStrictEqual(segmentsOf("a".repeat(307)), { encoding: "gsm-7", segments: 3 })
  })

  it("count a sign of the extension twice, and never divide it", () => {
    assert.deepStrictEqual(segmentsOf("€".repeat(80)), { encoding: "gsm-7", segments: 1 })
    assert.deepStrictEqual(segmentsOf("€".repeat(81)), { encoding: "gsm-7", segments: 2 })
    assert.deepStrictEqual(segmentsOf(`${"€".repeat(76)}a€${"a".repeat(152)}`).segments, 3)
  })

  it("are 70 code units with any other sign, and 67 in each part of more", () => {
    assert.deepStrictEqual(segmentsOf("ї".repeat(70)), { encoding: "ucs-2", segments: 1 })
    assert.deepStrictEqual(segmentsOf("ї".repeat(71)), { encoding: "ucs-2", segments: 2 })
    assert.deepStrictEqual(segmentsOf("🚗".repeat(35)), { encoding: "ucs-2", segments: 1 })
    assert.deepStrictEqual(segmentsOf("🚗".repeat(67)), { encoding: "ucs-2", segments: 3 })
  })
})
