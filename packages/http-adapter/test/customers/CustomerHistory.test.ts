import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { company } from "../support/Fleet.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records } from "../support/TestServer.ts"

layer(Ports)("a customer's history", (it) => {
  it.effect(
    "has the trips booked with the email, before and after the customer was made, the latest first, in pages",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { customer, send, trip } = yield* company(server)
        const stranger = yield* company(server)
        const email = "ada@example.com"
        yield* stranger.trip({ customer_email: email })
        const early = yield* trip({ customer_email: "Ada@example.com", trip_date: "2026-12-01T10:00:00Z" })
        yield* trip({ customer_email: "other@example.com" })
        const { customer_id } = yield* customer({ email })
        const late = yield* trip({ customer_email: email, trip_date: "2026-12-03T10:00:00Z" })
        const middle = yield* trip({ customer_email: "later@example.com", trip_date: "2026-12-02T10:00:00Z" })
        const path = `/customers/${String(customer_id)}`
        const trips = (query = "") =>
          Effect.map(send("GET", `${path}/trips${query}`), (answer) =>
            records(answer).map(({ trip_id }) => trip_id)
          )
        assert.deepStrictEqual(yield* trips(), [late["trip_id"], early["trip_id"]])
        record(yield* send("PATCH", path, { email: "later@example.com" }))
        assert.deepStrictEqual(yield* trips(), [late["trip_id"], middle["trip_id"], early["trip_id"]])
        assert.deepStrictEqual(yield* trips("?per_page=1&page=2"), [middle["trip_id"]])
        const [first] = records(yield* send("GET", `${path}/trips`))
        assert.deepStrictEqual(first, record(yield* send("GET", `/trips/${String(late["trip_id"])}`)))
      })
  )

  it.effect("has the trips that are booked while the customer is made or gets the email", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, customer, send, trip } = yield* company(server)
      for (let round = 0; round < 8; round++) {
        const email = `ada${round}@example.com`
        const made = yield* customer()
        const book = trip({ customer_email: email })
        const give =
          round % 2 === 0
            ? send("POST", "/customers", { name: "Ada", email })
            : send("PATCH", `/customers/${String(made["customer_id"])}`, { email })
        yield* Effect.all([book, book, give, book, book], { concurrency: "unbounded" })
      }
      assert.isEmpty(yield* sql`SELECT FROM trips WHERE business_id = ${businessId} AND customer_id IS NULL`)
    })
  )

  it.effect("holds the invoices, the newest first, overdue from the day after they were due", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, customer, send, trip } = yield* company(server)
      const { customer_id } = yield* customer()
      const invoice = (number: string, due: string, status: string, paid: number) => sql`
        INSERT INTO invoices (business_id, number, payment_hash, customer_id, status, currency, subtotal_minor, tax_minor,
                              total_minor, paid_minor, due_date, created_at, updated_at)
        VALUES (${businessId}, ${number}, ${number}, ${Number(customer_id)}, ${status}, 'USD', 10000, 770, 10770, ${paid},
                ${due}, now(), now())
        RETURNING invoice_id`
      yield* invoice("INV-000001", "2026-11-19", "partial", 70)
      yield* invoice("INV-000002", "2026-11-20", "unpaid", 0)
      yield* invoice("INV-000003", "2026-11-01", "paid", 10770)
      yield* invoice("INV-000004", "2026-11-01", "void", 0)
      const { trip_id } = yield* trip()
      yield* sql`
        UPDATE trips SET invoice_id = (SELECT min(invoice_id) FROM invoices WHERE business_id = ${businessId})
        WHERE trip_id = ${Number(trip_id)}`
      const path = `/customers/${String(customer_id)}/invoices`
      const listed = records(yield* send("GET", path))
      assert.deepStrictEqual(
        listed.map(({ amount_due, amount_paid, number, overdue, status }) => [
          number,
          status,
          amount_paid,
          amount_due,
          overdue
        ]),
        [
          ["INV-000004", "void", 0, 0, false],
          ["INV-000003", "paid", 107.7, 0, false],
          ["INV-000002", "unpaid", 0, 107.7, false],
          ["INV-000001", "partial", 0.7, 107, true]
        ]
      )
      assert.deepInclude(listed[3], {
        subtotal: 100,
        tax_total: 7.7,
        total_amount: 107.7,
        trip_ids: [trip_id]
      })
      assert.lengthOf(records(yield* send("GET", `${path}?per_page=3&page=2`)), 1)
    })
  )
})
