import { type BusinessId, CustomerInput, CustomerRepository } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { newTrip } from "../fleet/Roster.ts"
import { at, TestPersistence, newBusiness } from "../support/TestPersistence.ts"

const now = at("09:30:00")
const page = { page: 1, perPage: 100 }
const input = Schema.decodeUnknownSync(CustomerInput)

const made = Effect.fnUntraced(function* (business: BusinessId, given: object = {}) {
  const customers = yield* CustomerRepository
  return yield* customers.insert(business, input({ name: "Ada", ...given }), now)
})

layer(TestPersistence)("customers", (it) => {
  it.effect("are deleted if no trip and no invoice refers to them, else hidden", () =>
    Effect.gen(function* () {
      const customers = yield* CustomerRepository
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness()
      const [unused, driven, billed] = [yield* made(business), yield* made(business), yield* made(business)]
      yield* newTrip(business, { customerId: driven.customer_id })
      yield* sql`
        INSERT INTO invoices (business_id, number, payment_hash, customer_id, currency, created_at, updated_at)
        VALUES (${business}, 'INV-000001', 'hash', ${billed.customer_id}, 'USD', now(), now())`
      for (const { customer_id } of [unused, driven, billed])
        yield* customers.remove(business, customer_id, now)
      assert.lengthOf(yield* sql`SELECT FROM customers WHERE business_id = ${business}`, 2)
      for (const read of [customers.find, customers.lock, customers.lockForDelete])
        assert.isTrue(Option.isNone(yield* read(business, driven.customer_id)))
      assert.isEmpty((yield* customers.list(business, undefined, page)).items)
    })
  )
})

layer(TestPersistence)("a search", (it) => {
  it.effect("reads twenty customers for each on the page and what it finds, and not the others", () =>
    Effect.gen(function* () {
      const customers = yield* CustomerRepository
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness()
      yield* sql`
        INSERT INTO customers (business_id, name, search, created_at, updated_at)
        SELECT ${business}, 'Customer ' || n, array_to_tsvector(ARRAY[${`${business}:`} || n]), now(), now()
        FROM generate_series(1, 20000) n`
      yield* sql`ANALYZE customers`
      // A transaction can query its own reads before they are added to the statistics.
      const fetched = Effect.map(
        sql<{ fetched: number }>`
          SELECT (idx_tup_fetch + seq_tup_read)::int AS fetched FROM pg_stat_xact_user_tables
          WHERE relname = 'customers'`,
        ([row]) => row?.fetched ?? 0
      )
      const [found, read] = yield* sql.withTransaction(
        Effect.gen(function* () {
          const before = yield* fetched
          const found = yield* customers.list(business, [["1234"]], page)
          return [found, (yield* fetched) - before] as const
        })
      )
      assert.strictEqual(found.total, 11)
      assert.isAtMost(read, 20 * (page.perPage + 1) + 11)
    })
  )
})

layer(TestPersistence)("a distributed database", (it) => {
  it.effect("names the constraint of a taken email with the number of its shard at the end", () =>
    Effect.gen(function* () {
      const customers = yield* CustomerRepository
      const sql = yield* SqlClient.SqlClient
      yield* sql`ALTER INDEX customers_by_email RENAME TO customers_by_email_102008`
      const business = yield* newBusiness()
      const email = "ada@example.com"
      yield* made(business, { email })
      const second = yield* made(business)
      const taken = customers.update(business, second.customer_id, { ...second, email }, now)
      assert.strictEqual((yield* Effect.flip(taken))._tag, "EmailExists")
    })
  )
})
