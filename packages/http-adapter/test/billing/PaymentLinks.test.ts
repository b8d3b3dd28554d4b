import { assert } from "@effect/vitest"
import { PaymentPage, PaymentProvider, Unavailable } from "@livery/domain"
import { Effect } from "effect"
import { openServer, record, refusedAs } from "../support/TestServer.ts"
import { assertStatuses, biller, billing, billingPg, wrongFields } from "./Billing.ts"
import { seller } from "./BookingSeller.ts"
import { cards } from "./CardBusiness.ts"

billing("the payment link of a trip", (it) => {
  it.effect(
    "and an invoice of trips name a field of the request if the tax takes the total over the limit",
    () =>
      Effect.gen(function* () {
        const { customer, send, trip } = yield* cards
        const { customer_id } = yield* customer()
        const { trip_id } = yield* trip({ customer_id, total_amount: 10_000_000_000 })
        assert.deepStrictEqual(
          wrongFields(yield* send("POST", `/trips/${String(trip_id)}/payment-link`, { tax_rate: 19 })),
          { tax_rate: "out_of_range" }
        )
        assert.deepStrictEqual(
          wrongFields(yield* send("POST", "/invoices", { customer_id, trip_ids: [trip_id], tax_rate: 19 })),
          { trip_ids: "out_of_range" }
        )
      })
  )

  it.effect("raises the trip's invoice once, and a payment makes both paid", () =>
    Effect.gen(function* () {
      const { customer, payByCard, paymentStatusOf, read, send, succeeded, trip } = yield* cards.pipe(
        Effect.provideService(PaymentPage, (hash: string) => `https://app.example.com/pay#invoice=${hash}`)
      )
      const { customer_id } = yield* customer()
      const { trip_id } = yield* trip({ customer_id, total_amount: 90 })
      const link = send("POST", `/trips/${String(trip_id)}/payment-link`, { tax_rate: 10 })
      const answer = yield* link
      assert.strictEqual(answer.status, 201)
      const made = record(answer)
      assert.deepStrictEqual(made, {
        url: `https://app.example.com/pay#invoice=${String(made["payment_hash"])}`,
        payment_hash: made["payment_hash"],
        invoice_id: made["invoice_id"],
        number: "INV-000001",
        amount_due: 99,
        currency: "USD"
      })
      assert.deepStrictEqual(record(yield* link), made)
      assert.deepInclude(yield* read(made["invoice_id"]), {
        customer_id,
        total_amount: 99,
        trip_ids: [trip_id]
      })
      yield* payByCard(made)
      yield* succeeded
      assert.strictEqual(yield* paymentStatusOf(trip_id), "paid")
      refusedAs(yield* link, 422, "payment_link_failed")
    })
  )

  it.effect("is 422 payment_link_failed when nothing is outstanding, and raises no invoice", () =>
    Effect.gen(function* () {
      const { paymentStatusOf, raise, send, trip } = yield* cards
      const link = (tripId: unknown) => send("POST", `/trips/${String(tripId)}/payment-link`)
      const free = yield* trip()
      const cancelled = yield* trip({ total_amount: 90 })
      record(yield* send("PATCH", `/trips/${String(cancelled["trip_id"])}`, { status: "cancelled" }))
      const covered = yield* trip({ total_amount: 90 })
      record(
        yield* raise({ trip_ids: [covered["trip_id"]], items: [{ description: "Nothing", unit_price: 0 }] })
      )
      for (const { trip_id } of [free, cancelled, covered]) {
        refusedAs(yield* link(trip_id), 422, "payment_link_failed")
        assert.strictEqual(yield* paymentStatusOf(trip_id), "unpaid")
      }
      const { number } = record(yield* raise())
      assert.strictEqual(number, "INV-000002")
    })
  )

  it.effect("is 503 without a provider and raises no invoice; with a fault, a later request finishes", () =>
    Effect.gen(function* () {
      const without = yield* biller(yield* openServer())
      const unpaid = yield* without.trip({ total_amount: 90 })
      refusedAs(
        yield* without.send("POST", `/trips/${String(unpaid["trip_id"])}/payment-link`),
        503,
        "payment_provider_unavailable"
      )
      assert.strictEqual((yield* without.invoice())["number"], "INV-000001")
      const { emulator, send, trip } = yield* cards
      const { trip_id } = yield* trip({ total_amount: 90 })
      const link = send("POST", `/trips/${String(trip_id)}/payment-link`)
      yield* emulator.fault({ operation: "payment_intents.create", kind: "refusal" })
      refusedAs(yield* link, 502, "payment_link_failed")
      assert.strictEqual(record(yield* link)["number"], "INV-000001")
      assert.lengthOf(emulator.intents(), 1)
    })
  )

  it.effect(
    "does not say that nothing was changed when the database fails after the invoice was raised",
    () =>
      Effect.gen(function* () {
        const { key, invoice, send, trip, withProvider } = yield* cards
        const provider = yield* withProvider(PaymentProvider)
        const failing = yield* openServer().pipe(
          Effect.provideService(PaymentProvider, {
            ...provider,
            createIntent: () =>
              Effect.die(new Unavailable({ reason: "The database is not reachable", retryAfterSeconds: 5 }))
          })
        )
        const { book } = yield* seller({ send })
        const { trip_id } = yield* trip({ total_amount: 90 })
        const paths = [
          `/trips/${String(trip_id)}/payment-link`,
          `/bookings/${String(yield* book())}/payment-link`
        ]
        for (const [index, path] of paths.entries()) {
          const link = failing.send("POST", path, { credential: key })
          const first = yield* link
          refusedAs(first, 500, "server_error")
          assert.include(first.text, "It is unknown whether the change was saved")
          // The invoice was raised before this request.
          const second = yield* link
          refusedAs(second, 500, "server_error")
          assert.include(second.text, "nothing was changed")
          assert.strictEqual(record(yield* send("POST", path))["number"], `INV-00000${index + 1}`)
        }
        assert.strictEqual((yield* invoice())["number"], "INV-000003")
      })
  )

  it.effect("is 402 beyond the plan's invoices, and 404 for another business", () =>
    Effect.gen(function* () {
      const { send, server, trip } = yield* cards
      const { trip_id } = yield* trip({ total_amount: 90 })
      const other = yield* biller(server, "free")
      refusedAs(yield* other.send("POST", `/trips/${String(trip_id)}/payment-link`), 404, "not_found")
      for (let count = 0; count < 10; count++) yield* other.invoice()
      const beyond = yield* other.trip({ total_amount: 90 })
      const path = `/trips/${String(beyond["trip_id"])}/payment-link`
      refusedAs(yield* other.send("POST", path), 402, "plan_limit_exceeded")
      assert.deepStrictEqual(
        wrongFields(yield* send("POST", `/trips/${String(trip_id)}/payment-link`, { tax_rate: 101 })),
        {
          tax_rate: "out_of_range"
        }
      )
    })
  )
})

billingPg("the payment link of a trip", (it) => {
  it.effect("makes one invoice and one payment for concurrent requests", () =>
    Effect.gen(function* () {
      const { emulator, send, trip } = yield* cards
      const { trip_id } = yield* trip({ total_amount: 90 })
      const answers = yield* Effect.all(
        Array.from({ length: 5 }, () => send("POST", `/trips/${String(trip_id)}/payment-link`)),
        { concurrency: "unbounded" }
      )
      assertStatuses(answers, [201, 201, 201, 201, 201])
      assert.lengthOf(new Set(answers.map((answer) => record(answer)["invoice_id"])), 1)
      assert.lengthOf(emulator.intents(), 1)
    })
  )
})
