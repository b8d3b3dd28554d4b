import { type BusinessId, CustomerInput, Customers } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import { newCustomer, newTrip } from "../fleet/Roster.ts"
import { acting } from "../support/Acting.ts"
import { newBusiness } from "../support/TestPersistence.ts"
import { UseCases } from "./UseCases.ts"

const email = "ada@example.com"
const ada = Schema.decodeSync(CustomerInput)({ name: "Ada", email })

/** Adds a customer with the email. Returns the number of statements. */
const addCustomer = Effect.fnUntraced(function* (business: BusinessId) {
  const customers = yield* Customers
  let statements = 0
  const { customer_id } = yield* Effect.provideService(
    customers.create(acting(business), ada),
    Statement.CurrentTransformer,
    (statement) =>
      Effect.sync(() => {
        statements += 1
        return statement
      })
  )
  return { customer_id, statements }
})

const bookMany = Effect.fnUntraced(function* (business: BusinessId, count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
      dropoff_address, customer_name, customer_email, currency, created_at, updated_at)
    SELECT ${business}, 'TR-' || n, 'confirmed', 'unpaid', 'transfer', now(), 'a', 'b', 'c', ${email}, 'USD',
      '2026-01-01', '2026-01-01'
    FROM generate_series(1, ${count}::int) n`
})

layer(UseCases)("linking trips to a new customer by email", (it) => {
  it.effect("links the business's trips with that email and without a customer, and no others", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [business, other] = [yield* newBusiness(), yield* newBusiness()]
      const bob = yield* newCustomer(business)
      const expected = [yield* newTrip(business, { email }), yield* newTrip(business, { email })]
      yield* newTrip(business, { email, customerId: bob })
      yield* newTrip(business, { email: "other@example.com" })
      const deleted = yield* newTrip(business, { email })
      yield* sql`UPDATE trips SET deleted_at = now() WHERE trip_id = ${deleted}`
      yield* newTrip(other, { email })
      const { customer_id } = yield* addCustomer(business)
      const rows = yield* sql<{ trip_id: number }>`
        SELECT trip_id FROM trips WHERE customer_id = ${customer_id} ORDER BY trip_id`
      assert.deepStrictEqual<unknown>(
        rows.map(({ trip_id }) => trip_id),
        expected
      )
    })
  )

  it.effect("gives each trip one entry in its timeline, and sends no event", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* TestClock.setTime(Date.parse("2026-11-20T09:00:00Z"))
      const business = yield* newBusiness()
      yield* bookMany(business, 3)
      const { customer_id } = yield* addCustomer(business)
      const entries = yield* sql<object>`
        SELECT change, before, after FROM trip_changes WHERE business_id = ${business}`
      const entry = { change: "updated", before: { customer_id: null }, after: { customer_id } }
      assert.deepStrictEqual(
        entries.map((row) => ({ ...row })),
        [entry, entry, entry]
      )
      assert.lengthOf(yield* sql`SELECT FROM events WHERE business_id = ${business}`, 0)
      assert.lengthOf(
        yield* sql`SELECT FROM trips WHERE business_id = ${business} AND updated_at = '2026-11-20T09:00:00Z'`,
        3
      )
    })
  )

  it.effect("takes the same number of statements for each batch of trips", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const counts: Array<number> = []
      for (const count of [1, 200, 600]) {
        const business = yield* newBusiness()
        yield* bookMany(business, count)
        const { customer_id, statements } = yield* addCustomer(business)
        counts.push(statements)
        assert.lengthOf(yield* sql`SELECT FROM trips WHERE customer_id = ${customer_id}`, count)
      }
      const [one = 0, batch = 0, threeBatches = 0] = counts
      assert.strictEqual(batch, one)
      assert.isAtMost(threeBatches, one + 8)
    })
  )
})
