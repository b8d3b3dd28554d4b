import { CustomerId, Customers, maxCount } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { newCustomer } from "../fleet/Roster.ts"
import { assertBounded } from "../sql/ListPlans.ts"
import { acting } from "../support/Acting.ts"
import { newBusiness } from "../support/TestPersistence.ts"
import { UseCases } from "./UseCases.ts"

layer(UseCases)("the trips of a customer", (it) => {
  it.effect("are not counted beyond 1,000", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const customers = yield* Customers
      const business = yield* newBusiness()
      const customer = CustomerId.make(yield* newCustomer(business))
      const book = (count: number) => sql`
        INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
          dropoff_address, customer_name, customer_id, currency, created_at, updated_at)
        SELECT ${business}, 'TR-' || ${count}::int || '-' || n, 'confirmed', 'unpaid', 'transfer', now() + n * interval '1 minute', 'a', 'b', 'c',
          ${customer}, 'USD', now(), now()
        FROM generate_series(1, ${count}::int) n`
      const list = Effect.orDie(customers.trips(acting(business), customer, { page: 1, perPage: 20 }))
      yield* book(30)
      assert.strictEqual((yield* list).total, 30)
      yield* book(maxCount)
      yield* sql`VACUUM ANALYZE trips`.unprepared
      assert.strictEqual((yield* list).total, undefined)
      yield* assertBounded([["the latest trips", list, 20, 1300, 500]])
    })
  )
})
