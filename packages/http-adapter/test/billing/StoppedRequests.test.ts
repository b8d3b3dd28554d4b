/** A process may end at any point of a request. The repeated request continues from there. */
import { IdempotencyStore, PaymentProvider } from "@livery/domain"
import { assert } from "@effect/vitest"
import { StripePayments } from "@livery/integrations"
import { makeStripeEmulator } from "@livery/stripe-emulator"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { samples } from "../../../integrations/test/files/Samples.ts"
import { formOf, submit } from "../uploads/Submission.ts"
import { setCredits } from "../support/People.ts"
import { type Answer, openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { biller, billingPg } from "./Billing.ts"
import { notify } from "./CardBusiness.ts"

/** The points at which the process of a request ends. */
const points = ["before its response is stored", "after the refund at the provider"] as const
type Point = (typeof points)[number]

/** A business with cards on an emulated account, and a node whose requests end at a point. */
const stopping = Effect.fnUntraced(function* (point: Point) {
  const emulator = yield* makeStripeEmulator()
  const { secretKey, url, webhookSecret } = emulator
  const built = yield* Layer.build(
    Layer.fresh(StripePayments.layer({ secretKey, webhookSecret, apiBase: url, installation: "test" }))
  )
  const provider = yield* PaymentProvider.pipe(Effect.provideContext(built))
  const store = yield* IdempotencyStore
  const end = Effect.die(new Error("the process ends"))
  const ended = Effect.provideService(PaymentProvider, {
    ...provider,
    refund: (request) =>
      point === "after the refund at the provider"
        ? Effect.andThen(provider.refund(request), end)
        : provider.refund(request)
  })
  const unsaved = Effect.provideService(IdempotencyStore, {
    ...store,
    save: (key, lease, request) =>
      request.response === undefined || point !== "before its response is stored"
        ? store.save(key, lease, request)
        : end
  })
  const server = yield* openServer().pipe(Effect.provideService(PaymentProvider, provider))
  const broken = yield* openServer().pipe(ended, unsaved)
  const owner = yield* biller(server)
  const headers = { "Idempotency-Key": "again" }
  /** Sends a request to the node that stops, then twice to another node. */
  const repeated = Effect.fnUntraced(function* (path: string, body: object = {}) {
    const ask = { credential: owner.key, body, headers }
    refusedAs(yield* broken.send("POST", path, ask), 500, "server_error")
    const answer = yield* server.send("POST", path, ask)
    const replay = yield* server.send("POST", path, ask)
    assert.strictEqual(replay.headers.get("idempotency-replayed"), "true")
    assert.deepStrictEqual(replay.body.data, answer.body.data)
    return answer
  })
  const paidByCard = Effect.gen(function* () {
    const made = yield* owner.invoice()
    const secret = record(yield* server.send("POST", `/public/invoices/${String(made["payment_hash"])}/pay`))
    yield* emulator.pay(String(secret["client_secret"]).split("_secret_")[0] ?? "")
    record(yield* notify(server, emulator, "payment_intent.succeeded"))
    const path = `/invoices/${String(made["invoice_id"])}`
    const [card] = records(yield* owner.send("GET", `${path}/payments`))
    return { path, payment: `${path}/payments/${String(card?.["payment_id"])}` }
  })
  const entries = (path: string) =>
    Effect.map(owner.send("GET", `${path}/payments`), (answer) =>
      records(answer).map(({ amount, kind }) => `${String(kind)} ${String(amount)}`)
    )
  return { ...owner, broken, emulator, entries, headers, paidByCard, repeated, server }
})

const created = (answer: Answer) => {
  assert.strictEqual(answer.status, 201, answer.text)
  return record(answer)
}

billingPg("a request with an Idempotency-Key whose process ended", (it) => {
  for (const point of points)
    for (const amount of [40, 100])
      it.effect(`${point} makes one refund of ${amount} by card when it is repeated`, () =>
        Effect.gen(function* () {
          const { emulator, entries, paidByCard, repeated } = yield* stopping(point)
          const { path, payment } = yield* paidByCard
          const entry = created(yield* repeated(`${payment}/refund`, { amount }))
          assert.strictEqual(entry["amount"], amount)
          assert.deepStrictEqual(yield* entries(path), ["payment 100", `refund ${amount}`])
          assert.strictEqual(emulator.charges()[0]?.amount_refunded, amount * 100)
        })
      )

  it.effect(
    "after the refund at the provider makes one refund, also if the notice of it comes in between",
    () =>
      Effect.gen(function* () {
        const { broken, emulator, entries, headers, key, paidByCard, server } = yield* stopping(
          "after the refund at the provider"
        )
        const { path, payment } = yield* paidByCard
        const ask = { credential: key, body: { amount: 40 }, headers }
        refusedAs(yield* broken.send("POST", `${payment}/refund`, ask), 500, "server_error")
        record(yield* notify(server, emulator, "refund.created"))
        created(yield* server.send("POST", `${payment}/refund`, ask))
        assert.deepStrictEqual(yield* entries(path), ["payment 100", "refund 40"])
        assert.strictEqual(emulator.charges()[0]?.amount_refunded, 4000)
      })
  )

  it.effect("makes another refund of the same amount under another key", () =>
    Effect.gen(function* () {
      const { emulator, key, paidByCard, server } = yield* stopping("before its response is stored")
      const { payment } = yield* paidByCard
      for (const name of ["one", "two"])
        created(
          yield* server.send("POST", `${payment}/refund`, {
            credential: key,
            body: { amount: 40 },
            headers: { "Idempotency-Key": name }
          })
        )
      assert.strictEqual(emulator.charges()[0]?.amount_refunded, 8000)
    })
  )

  it.effect("before its response is stored makes one refund by hand, also of all that was paid", () =>
    Effect.gen(function* () {
      const { entries, invoice, payment, repeated } = yield* stopping("before its response is stored")
      const made = yield* invoice()
      const { payment_id } = yield* payment(made["invoice_id"], 100)
      const path = `/invoices/${String(made["invoice_id"])}`
      created(yield* repeated(`${path}/payments/${String(payment_id)}/refund`))
      assert.deepStrictEqual(yield* entries(path), ["payment 100", "refund 100"])
    })
  )

  for (const point of points)
    it.effect(`${point} issues one credit note and refunds it once`, () =>
      Effect.gen(function* () {
        const { emulator, entries, paidByCard, repeated, send } = yield* stopping(point)
        const { path } = yield* paidByCard
        const note = created(
          yield* repeated(`${path}/credit-notes`, { items: [{ description: "Less", unit_price: 30 }] })
        )
        assert.strictEqual(note["number"], "CN-000001")
        assert.strictEqual(records(yield* send("GET", `${path}/credit-notes`)).length, 1)
        assert.deepStrictEqual(yield* entries(path), ["payment 100", "credit 30", "excess_refund 30"])
        assert.strictEqual(emulator.charges()[0]?.amount_refunded, 3000)
      })
    )

  it.effect("before its response is stored raises one invoice for a payment link, with one intent", () =>
    Effect.gen(function* () {
      const { emulator, repeated, send, trip } = yield* stopping("before its response is stored")
      const { trip_id } = yield* trip({ total_amount: 90 })
      const link = created(yield* repeated(`/trips/${String(trip_id)}/payment-link`))
      const listed = records(yield* send("GET", "/invoices"))
      assert.deepStrictEqual(
        listed.map(({ number }) => number),
        [link["number"]]
      )
      assert.strictEqual(emulator.intents().length, 1)
    })
  )

  it.effect("before its response is stored prices a trip once, and keeps a price that was set since", () =>
    Effect.gen(function* () {
      const { broken, headers, key, send, server, trip } = yield* stopping("before its response is stored")
      record(
        yield* send("POST", "/tariffs", {
          name: "Prices",
          currency: "USD",
          classes: [{ vehicle_class: "sedan", distance: [{ base: 45 }] }]
        })
      )
      const { trip_id } = yield* trip({ distance_m: 10_000, vehicle_class: "sedan" })
      const path = `/trips/${String(trip_id)}`
      const ask = { credential: key, body: {}, headers }
      refusedAs(yield* broken.send("POST", `${path}/fare`, ask), 500, "server_error")
      const fare = record(yield* send("GET", `${path}/fare`))
      record(yield* send("PATCH", path, { total_amount: 30 }))
      assert.deepStrictEqual(record(yield* server.send("POST", `${path}/fare`, ask)), fare)
      assert.deepInclude(record(yield* send("GET", path)), { total_amount: 30 })
    })
  )

  it.effect("before its response is stored adds one driver", () =>
    Effect.gen(function* () {
      const { repeated, send } = yield* stopping("before its response is stored")
      const driver = created(yield* repeated("/drivers", { name: "Grace" }))
      assert.deepStrictEqual(
        records(yield* send("GET", "/drivers")).map(({ driver_id }) => driver_id),
        [driver["driver_id"]]
      )
    })
  )

  it.effect("before its response is stored sends one email, and spends one credit", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { businessId, invoice, repeated } = yield* stopping("before its response is stored")
      yield* setCredits(businessId, 1)
      const { invoice_id } = yield* invoice()
      const mails = Effect.map(sql`SELECT FROM mail_outbox`, ({ length }) => length)
      const before = yield* mails
      const to = "once@example.com"
      const answer = yield* repeated(`/invoices/${String(invoice_id)}/email`, { to })
      assert.strictEqual(record(answer)["email_credits"], 0)
      assert.strictEqual((yield* mails) - before, 1)
    })
  )

  it.effect("before its response is stored keeps one upload", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { broken, businessId, headers, key, server } = yield* stopping("before its response is stored")
      const form = formOf(["file", samples.png])
      refusedAs(yield* submit(broken, key, form, headers), 500, "server_error")
      created(yield* submit(server, key, formOf(["file", samples.png]), headers))
      assert.strictEqual((yield* sql`SELECT FROM uploads WHERE business_id = ${businessId}`).length, 1)
    })
  )
})
