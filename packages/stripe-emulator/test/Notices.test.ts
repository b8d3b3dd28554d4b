/** The facts come from Stripe's pages "Receive Stripe events in your webhook endpoint" and "Events". */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Redacted } from "effect"
import { createServer } from "node:http"
import type { Stripe } from "stripe"
import { call, emulated } from "./Sdk.ts"

const params = { amount: 10_000, currency: "usd" }

/** A receiver on the loopback that keeps what arrives; it answers with the statuses in turn, then with 200. */
const receiver = Effect.fnUntraced(function* (enough: number, statuses: ReadonlyArray<number> = []) {
  const arrived: Array<{ readonly body: string; readonly signature: string | undefined }> = []
  const complete = yield* Deferred.make<void>()
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      const signature = request.headers["stripe-signature"]
      arrived.push({ body, signature: typeof signature === "string" ? signature : undefined })
      response.writeHead(statuses[arrived.length - 1] ?? 200).end()
      if (arrived.length === enough) Deferred.doneUnsafe(complete, Effect.void)
    })
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
    () =>
      Effect.promise(() => {
        server.closeAllConnections()
        return new Promise<void>((resolve) => server.close(() => resolve()))
      })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { arrived, url: `http://127.0.0.1:${port}/hook`, complete: Deferred.await(complete) }
})

const event = (events: ReadonlyArray<Stripe.Event>, type: Stripe.Event["type"]) => {
  const found = events.find((it) => it.type === type)
  return found ?? assert.fail(`no ${type}`)
}

describe("events", () => {
  it.live("are recorded with identifier, time, version and the record as it was", () =>
    Effect.gen(function* () {
      const { emulator, stripe } = yield* emulated()
      const intent = yield* call(() => stripe.paymentIntents.create(params, { idempotencyKey: "one" }))
      yield* emulator.pay(intent.id)
      const { data } = yield* call(() => stripe.events.list({ limit: 100 }))
      assert.deepStrictEqual(
        data.map(({ type }) => type),
        ["payment_intent.succeeded", "charge.succeeded", "payment_intent.created"]
      )
      const created = event(data, "payment_intent.created")
      assert.match(created.id, /^evt_/u)
      assert.strictEqual(created.request?.idempotency_key, "one")
      assert.strictEqual((created.data.object as Stripe.PaymentIntent).status, "requires_payment_method")
      assert.strictEqual(created.api_version, stripe.getApiField("version"))
      assert.strictEqual((yield* call(() => stripe.events.retrieve(created.id))).id, created.id)
      const some = yield* call(() => stripe.events.list({ types: ["charge.succeeded"] }))
      assert.strictEqual(some.data.length, 1)
    })
  )

  it.live("are sent as they happen, signed so that the SDK accepts them", () =>
    Effect.gen(function* () {
      const { arrived, complete, url } = yield* receiver(3)
      const { emulator, stripe } = yield* emulated({ webhookUrl: url })
      const intent = yield* call(() => stripe.paymentIntents.create(params))
      yield* emulator.pay(intent.id)
      yield* complete
      const secret = Redacted.value(emulator.webhookSecret)
      const types = arrived.map(
        ({ body, signature }) => stripe.webhooks.constructEvent(body, signature ?? "", secret).type
      )
      assert.sameMembers(types, ["payment_intent.created", "charge.succeeded", "payment_intent.succeeded"])
    })
  )

  it.live("are sent again until the receiver takes them", () =>
    Effect.gen(function* () {
      const { arrived, complete, url } = yield* receiver(2, [500])
      const { stripe } = yield* emulated({ webhookUrl: url })
      yield* call(() => stripe.paymentIntents.create(params))
      yield* complete
      assert.strictEqual(arrived[0]?.body, arrived[1]?.body)
    })
  )

  it.live("are sent twice, in another order, late, altered or wrongly signed when a test orders it", () =>
    Effect.gen(function* () {
      const { arrived, url } = yield* receiver(0)
      const { emulator, stripe } = yield* emulated()
      const intent = yield* call(() => stripe.paymentIntents.create(params))
      yield* emulator.pay(intent.id)
      const created = event(emulator.events(), "payment_intent.created")
      const succeeded = event(emulator.events(), "payment_intent.succeeded")
      assert.strictEqual((yield* emulator.send(url, succeeded)).status, 200)
      yield* emulator.send(url, succeeded)
      yield* emulator.send(url, created)
      yield* emulator.send(url, succeeded, { signedAt: Math.floor(Date.now() / 1000) - 301 })
      yield* emulator.send(url, succeeded, { alter: (body) => body.replace("10000", "20000") })
      yield* emulator.send(url, succeeded, { wrongSecret: true })
      yield* emulator.send(url, succeeded, { unsigned: true })
      const secret = Redacted.value(emulator.webhookSecret)
      const verdicts = arrived.map(({ body, signature }) => {
        try {
          return stripe.webhooks.constructEvent(body, signature ?? "", secret).id
        } catch (refusal) {
          return refusal instanceof Error ? refusal.message.split(".")[0] : ""
        }
      })
      assert.deepStrictEqual(verdicts, [
        succeeded.id,
        succeeded.id,
        created.id,
        "Timestamp outside the tolerance zone",
        "No signatures found matching the expected signature for payload",
        "No signatures found matching the expected signature for payload",
        "No stripe-signature header value was provided"
      ])
    })
  )

  it.live("have no status where the receiver does not answer", () =>
    Effect.gen(function* () {
      const { emulator, stripe } = yield* emulated()
      yield* call(() => stripe.paymentIntents.create(params))
      const created = event(emulator.events(), "payment_intent.created")
      assert.deepStrictEqual(yield* emulator.send("http://127.0.0.1:1/hook", created), { status: null })
    })
  )
})
