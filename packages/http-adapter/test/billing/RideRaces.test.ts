/** Concurrent requests never charge a ride on two invoices, and lose no payment. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Answer, record } from "../support/TestServer.ts"
import { billingPg } from "./Billing.ts"
import { itemsOf, rides } from "./RideSeller.ts"

const rounds = Array.from({ length: 6 }, (_, round) => round)

/** The invoices in force whose lines charge a trip. */
const charging = Effect.fnUntraced(function* (tripId: unknown) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ invoice_id: number }>`
    SELECT DISTINCT i.invoice_id::int AS invoice_id FROM invoices i, jsonb_array_elements(i.lines) line
    WHERE (line ->> 'trip_id')::bigint = ${Number(tripId)} AND i.voided_at IS NULL
      AND (i.credited_minor = 0 OR i.credited_minor < i.total_minor)`
  return rows.map(({ invoice_id }) => invoice_id)
})

const atOnce = <A, E, R>(...requests: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.all(requests, { concurrency: "unbounded" })

const succeeded = (answers: ReadonlyArray<Answer>) => answers.map(({ status }) => status < 300)

/** A ride whose invoice has no payments. */
const unpaidRide = Effect.gen(function* () {
  const business = yield* rides
  return { ...business, ...(yield* business.invoiced) }
})

billingPg("a ride", (it) => {
  it.effect("is paid, or detached before its payment becomes credit, if both are asked for at once", () =>
    Effect.gen(function* () {
      for (const round of rounds) {
        const { detach, invoice_id, invoiceOf, month, pay, trip_id } = yield* unpaidRide
        const requests = [detach(invoice_id, trip_id), pay(invoice_id, 90)]
        const answers = yield* atOnce(...(round % 2 === 0 ? requests : requests.toReversed()))
        const [isDetached, isPaid] = succeeded(round % 2 === 0 ? answers : answers.toReversed())
        assert.isTrue(isPaid)
        assert.deepInclude(
          yield* invoiceOf(invoice_id),
          isDetached
            ? { status: "unpaid", total_amount: 0, amount_paid: 0, amount_to_refund: 90 }
            : { status: "paid", total_amount: 90, amount_paid: 90, amount_to_refund: 0 }
        )
        assert.strictEqual((yield* month).status, isDetached ? 201 : 409)
        assert.lengthOf(yield* charging(trip_id), 1)
      }
    })
  )

  it.effect("is charged on one invoice, if it is detached, attached and invoiced at once", () =>
    Effect.gen(function* () {
      for (const _ of rounds) {
        const { attach, booking, detach, invoice, invoice_id, month, payFor, raise, trip_id } =
          yield* unpaidRide
        const [one, two] = [yield* invoice(), yield* invoice()]
        yield* atOnce(
          detach(invoice_id, trip_id),
          attach(one["invoice_id"], trip_id),
          attach(two["invoice_id"], trip_id),
          raise({ trip_ids: [trip_id] }),
          month,
          payFor(booking, 90)
        )
        assert.isAtMost((yield* charging(trip_id)).length, 1)
      }
    })
  )

  it.effect(
    "whose booking is confirmed while its invoice is credited in full can be charged again, once",
    () =>
      Effect.gen(function* () {
        for (const _ of rounds) {
          const { book, invoiceOf, month, payFor, read, send, step } = yield* rides
          const booking = yield* book
          record(yield* payFor(booking, 90))
          const { invoice_id } = yield* read(booking)
          const credit = send("POST", `/invoices/${String(invoice_id)}/credit-notes`, {})
          const answers = yield* atOnce(step(booking, "confirm"), credit)
          assert.deepStrictEqual(succeeded(answers), [true, true])
          assert.deepInclude(yield* invoiceOf(invoice_id), { amount_credited: 90, trip_ids: [] })
          const { invoice_id: now, trip_id } = yield* read(booking)
          assert.isNull(now)
          record(yield* send("PATCH", `/trips/${String(trip_id)}`, { status: "completed" }))
          assert.deepInclude(record(yield* month), { total_amount: 90 })
          assert.lengthOf(yield* charging(trip_id), 1)
        }
      })
  )

  it.effect("has one invoice, if its booking is confirmed and paid for in parts at once", () =>
    Effect.gen(function* () {
      for (const _ of rounds) {
        const { book, invoiceOf, payFor, read, step } = yield* rides
        const booking = yield* book
        const answers = yield* atOnce(payFor(booking, 30), step(booking, "confirm"), payFor(booking, 60))
        assert.deepStrictEqual(succeeded(answers), [true, true, true])
        const { invoice_id, payment_status, trip_id } = yield* read(booking)
        assert.strictEqual(payment_status, "paid")
        const invoice = yield* invoiceOf(invoice_id)
        assert.deepInclude(invoice, { number: "INV-000001", amount_paid: 90, trip_ids: [trip_id] })
        assert.deepStrictEqual(
          itemsOf(invoice).map((item) => item["trip_id"]),
          [trip_id]
        )
        assert.lengthOf(yield* charging(trip_id), 1)
      }
    })
  )

  it.effect(
    "that is deleted while it is attached is on no invoice, or charged by the one that it was on",
    () =>
      Effect.gen(function* () {
        for (const _ of rounds) {
          const { attach, invoice, invoiceOf, send, trip } = yield* rides
          const { trip_id } = yield* trip({ total_amount: 80 })
          const { invoice_id } = yield* invoice()
          const [attached] = yield* atOnce(
            attach(invoice_id, trip_id),
            send("DELETE", `/trips/${String(trip_id)}`, { force: true })
          )
          const isAttached = attached?.status === 200
          assert.deepInclude(yield* invoiceOf(invoice_id), {
            total_amount: isAttached ? 180 : 100,
            trip_ids: []
          })
          assert.lengthOf(yield* charging(trip_id), isAttached ? 1 : 0)
        }
      })
  )
})
