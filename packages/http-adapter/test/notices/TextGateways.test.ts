import { BusinessId, Cryptography, NoticeRepository, NoticeSettingsRepository } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { createHmac } from "node:crypto"
import { company } from "../support/Fleet.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"
import { textGateway } from "../support/Tenant.ts"

const path = "/settings/text-gateway"

const signature = {
  header: "X-Signature",
  algorithm: "sha256",
  encoding: "hex",
  signed: "{{timestamp}}.{{body}}",
  timestamp_header: "X-Timestamp",
  secret: "of callbacks"
}

/** A company whose gateway has callbacks, and functions that call it back. */
const gateway = Effect.fnUntraced(function* (changes: object = {}) {
  const server = yield* openServer()
  const own = yield* company(server)
  const callbacks = { ...textGateway.callbacks, ...changes }
  record(yield* own.send("POST", path, { ...textGateway, callbacks }))
  const business = BusinessId.make(own.businessId)
  const address = Effect.map(
    (yield* NoticeSettingsRepository).gateway(business),
    (stored) => `/public/text-callbacks/${Option.getOrThrow(stored).callbackToken}`
  )
  const call = (body: object, headers: Readonly<Record<string, string>> = {}) =>
    Effect.flatMap(address, (to) => server.send("POST", to, { body, headers }))
  const hash = yield* (yield* Cryptography).sha256("+41446681800")
  const isStopped = Effect.flatMap(NoticeRepository, (it) => it.isStopped(business, hash))
  return { ...own, server, address, call, isStopped }
})

layer(PortsInMemory)("the gateway for text messages", (it) => {
  it.effect("is read without its secrets, and its callbacks prove themselves by their address", () =>
    Effect.gen(function* () {
      const { address, call, isStopped, send, server } = yield* gateway()
      const stored = record(yield* send("GET", path))
      assert.notInclude(JSON.stringify(stored), 'secret"')
      assert.deepInclude(stored, {
        url: "https://gateway.example.com/messages",
        headers: [{ name: "authorization", value: "Bearer {{token}}" }],
        has_token: true
      })
      refusedAs(yield* server.send("POST", "/public/text-callbacks/lvx_none", { body: {} }), 404, "not_found")
      assert.deepStrictEqual(record(yield* call({ from: "41446681800", text: "Stop" })), { received: true })
      assert.isTrue(yield* isStopped)
      record(yield* call({ from: "+41 44 668 18 00", text: "START" }))
      assert.isFalse(yield* isStopped)
      assert.deepStrictEqual(record(yield* call({ id: "unknown", status: "delivered" })), { received: true })
      const ended = yield* address
      assert.deepStrictEqual(record(yield* send("DELETE", path)), { deleted: true })
      refusedAs(yield* server.send("POST", ended, { body: {} }), 404, "not_found")
      assert.deepStrictEqual(record(yield* send("DELETE", path)), { deleted: false })
    })
  )

  it.effect("hides what may be a secret, if it has no token", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
      const headers = [{ name: "authorization", value: "Bearer hidden" }]
      const body = '{"key":"hidden","to":"{{to}}"}'
      const url = "https://gateway.example.com/messages?key=hidden"
      record(yield* send("POST", path, { ...textGateway, url, headers, body, token: null }))
      const stored = record(yield* send("GET", path))
      assert.notInclude(JSON.stringify(stored), "hidden")
      assert.deepInclude(stored, { headers: [{ name: "authorization", value: null }], body: null })
    })
  )

  it.effect("keeps its secrets and the address of its callbacks when it is set again without them", () =>
    Effect.gen(function* () {
      const { address, call, send } = yield* gateway({ signature })
      const before = yield* address
      const { token: _, ...withoutToken } = textGateway
      const { secret: __, ...withoutSecret } = signature
      const callbacks = { ...textGateway.callbacks, signature: withoutSecret }
      record(yield* send("POST", path, { ...withoutToken, callbacks, sender: "Lovelace" }))
      assert.strictEqual(yield* address, before)
      const result = record(yield* send("POST", `${path}/test`, { to: "044 668 18 00", text: "x" }))
      assert.strictEqual(result["response_body"], '{"id":"SM1","seen":"Bearer …"}')
      refusedAs(yield* call({}), 401, "unauthorized")
    })
  )

  it.effect("gives its token to no other server", () =>
    Effect.gen(function* () {
      const { send } = yield* gateway()
      const { token: _, ...withoutToken } = textGateway
      const moved = { ...withoutToken, url: "https://elsewhere.example.com/messages" }
      const refusal = yield* send("POST", path, moved)
      assert.deepStrictEqual(refusedAs(refusal, 422, "invalid_request"), [
        { field: "token", issue: "required" }
      ])
      assert.deepInclude(record(yield* send("GET", path)), { url: textGateway.url })
    })
  )

  it.effect("names each wrong field, and stores nothing", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
      const callbacks = { ...textGateway.callbacks, signature: { ...signature, secret: null } }
      const refusal = yield* send("POST", path, {
        ...textGateway,
        url: "https://10.0.0.1/",
        token: null,
        callbacks
      })
      assert.deepStrictEqual(refusedAs(refusal, 422, "invalid_request"), [
        { field: "url", issue: "invalid" },
        { field: "token", issue: "required" },
        { field: "callbacks.signature.secret", issue: "required" }
      ])
      const { timestamp_header: _, ...timeless } = { ...signature, algorithm: "md5" }
      const wrong = yield* send("POST", path, {
        ...textGateway,
        sender: "",
        callbacks: { ...textGateway.callbacks, signature: timeless }
      })
      const details = refusedAs(wrong, 422, "invalid_request") as ReadonlyArray<{ field: string }>
      assert.sameMembers(
        details.map(({ field }) => field),
        ["sender", "callbacks.signature.algorithm", "callbacks.signature.timestamp_header"]
      )
      assert.strictEqual((yield* send("GET", path)).body["data"], null)
    })
  )

  it.effect("sends a test message, and tells what the gateway responded", () =>
    Effect.gen(function* () {
      const { call, send } = yield* gateway()
      const message = { to: "+41 44 668 18 00", text: "Does it work?" }
      assert.deepStrictEqual(record(yield* send("POST", `${path}/test`, message)), {
        taken: true,
        reference: "SM1",
        reason: null,
        response_status: 201,
        response_body: '{"id":"SM1","seen":"Bearer …"}',
        segments: 1
      })
      refusedAs(yield* send("POST", `${path}/test`, { ...message, to: "nobody" }), 422, "invalid_request")
      record(yield* call({ from: "+41446681800", text: "STOP" }))
      refusedAs(yield* send("POST", `${path}/test`, message), 422, "invalid_request")
      record(yield* send("DELETE", path))
      refusedAs(yield* send("POST", `${path}/test`, message), 404, "not_found")
    })
  )

  it.effect(
    "refuses callbacks without its signature, with a wrong one, and old ones, and stores nothing of them",
    () =>
      Effect.gen(function* () {
        const { call, isStopped } = yield* gateway({ signature })
        const stop = { from: "+41446681800", text: "STOP" }
        const seconds = Math.floor(DateTime.toEpochMillis(yield* DateTime.now) / 1000)
        const signed = (time: number, body: object = stop) => ({
          "x-timestamp": String(time),
          "x-signature": createHmac("sha256", "of callbacks")
            .update(`${time}.${JSON.stringify(body)}`)
            .digest("hex")
        })
        refusedAs(yield* call(stop), 401, "unauthorized")
        refusedAs(yield* call(stop, signed(seconds, { ...stop, from: "+41446681801" })), 401, "unauthorized")
        refusedAs(
          yield* call(stop, { ...signed(seconds), "x-timestamp": String(seconds + 1) }),
          401,
          "unauthorized"
        )
        refusedAs(yield* call(stop, signed(seconds - 301)), 401, "unauthorized")
        assert.isFalse(yield* isStopped)
        record(yield* call(stop, signed(seconds - 299)))
        assert.isTrue(yield* isStopped)
      })
  )
})
