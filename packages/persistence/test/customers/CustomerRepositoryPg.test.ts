import {
  type BusinessId,
  CustomerInput,
  CustomerRepository,
  searchedWords,
  TripReferences
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { newTrip } from "../fleet/Roster.ts"
import { at, atOnce, TestPersistence, newBusiness } from "../support/TestPersistence.ts"

const now = at("09:30:00")
const page = { page: 1, perPage: 100 }
const input = Schema.decodeUnknownSync(CustomerInput)

const made = Effect.fnUntraced(function* (business: BusinessId, given: object = {}) {
  const customers = yield* CustomerRepository
  return yield* customers.insert(business, input({ name: "Ada", ...given }), now)
})

layer(TestPersistence)("customers", (it) => {
  it.effect("are stored as given, and changed in the given fields", () =>
    Effect.gen(function* () {
      const customers = yield* CustomerRepository
      const business = yield* newBusiness()
      const customer = yield* made(business, { email: "ada@example.com", notes: "n" })
      assert.deepStrictEqual(yield* customers.find(business, customer.customer_id), Option.some(customer))
      const standing = { ...customer, email: null, name: "Bea" }
      const changed = yield* customers.update(business, customer.customer_id, standing, at("10:00:00"))
      assert.deepStrictEqual({ ...changed }, { ...standing, updated_at: at("10:00:00") })
      assert.isTrue(Option.isNone(yield* customers.find(yield* newBusiness(), customer.customer_id)))
    })
  )

  it.effect(
    "of one business have different emails unless they are deleted, also under concurrent inserts",
    () =>
      Effect.gen(function* () {
        const customers = yield* CustomerRepository
        const references = yield* TripReferences
        const [business, other] = [yield* newBusiness(), yield* newBusiness()]
        const email = "ada@example.com"
        const answers = yield* atOnce(8, () => Effect.exit(made(business, { email })))
        const [first, ...others] = answers.flatMap((exit) => (exit._tag === "Success" ? [exit.value] : []))
        assert.isEmpty(others)
        yield* made(other, { email })
        const second = yield* made(business)
        const taken = customers.update(business, second.customer_id, { ...second, email }, now)
        assert.strictEqual((yield* Effect.flip(taken))._tag, "EmailExists")
        if (first === undefined) return assert.fail("no customer was made")
        assert.deepStrictEqual(
          yield* references.lockCustomerByEmail(business, email),
          Option.some(first.customer_id)
        )
        yield* customers.remove(business, first.customer_id, now)
        assert.isTrue(Option.isNone(yield* references.lockCustomerByEmail(business, email)))
        assert.deepInclude(yield* taken, { email })
      })
  )

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
  it.effect(
    "finds customers by the beginnings of words, ordered by name, then id, in pages, of the business alone",
    () =>
      Effect.gen(function* () {
        const customers = yield* CustomerRepository
        const [business, other] = [yield* newBusiness(), yield* newBusiness()]
        yield* made(other, { name: "Ada Stranger" })
        const bob = yield* made(business, { name: "Bob Adams" })
        const [first, second] = [
          yield* made(business, { name: "Ada" }),
          yield* made(business, { name: "Ada" })
        ]
        const found = (search: string, request = page) =>
          Effect.map(customers.list(business, searchedWords(search), request), ({ items, total }) => [
            total,
            items.map(({ customer_id }) => customer_id)
          ])
        assert.deepStrictEqual(yield* found("ada"), [
          3,
          [first.customer_id, second.customer_id, bob.customer_id]
        ])
        assert.deepStrictEqual(yield* found("ada", { page: 2, perPage: 2 }), [3, [bob.customer_id]])
        assert.deepStrictEqual(yield* found("ada", { page: 9, perPage: 2 }), [3, []])
        assert.deepStrictEqual(yield* found("--"), [0, []])
        for (const text of ["'", "\\", "a'b\\c@d", ":*", "a:b@c & d"]) yield* found(text)
      })
  )

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
