import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { constraintOf } from "../../src/sql/statements/PgErrors.ts"
import { TestPersistence, newBusiness, newCar } from "../support/TestPersistence.ts"
import { newCustomer, newDriver } from "./Roster.ts"

const refusalOf = (statement: Statement.Statement<unknown>) =>
  Effect.map(Effect.flip(statement), constraintOf)

layer(TestPersistence)("the schema itself refuses", (it) => {
  it.effect("a reference to a car, a driver or a customer of another business in every table", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [own, other] = [yield* newBusiness(), yield* newBusiness()]
      const car = yield* newCar(other)
      const [mine, theirs] = [yield* newDriver(own), yield* newDriver(other)]
      const customer = yield* newCustomer(other)
      const inserted = sql`now(), now()`
      for (const [constraint, statement] of [
        [
          "drivers_business_id_default_car_id_fkey",
          sql`UPDATE drivers SET default_car_id = ${car} WHERE driver_id = ${mine}`
        ],
        [
          "driver_seats_business_id_driver_id_fkey",
          sql`INSERT INTO driver_seats (business_id, driver_id, price_minor, currency, started_at)
              VALUES (${own}, ${theirs}, 1, 'USD', now())`
        ],
        [
          "driver_invitations_business_id_driver_id_fkey",
          sql`INSERT INTO driver_invitations (code_hash, business_id, driver_id, email, expires_at, created_at)
              VALUES ('hash', ${own}, ${theirs}, 'a@example.com', ${inserted})`
        ],
        [
          "invoices_business_id_customer_id_fkey",
          sql`INSERT INTO invoices (business_id, number, payment_hash, customer_id, currency, created_at, updated_at)
              VALUES (${own}, 'INV-000001', 'hash', ${customer}, 'USD', ${inserted})`
        ],
        [
          "trips_business_id_customer_id_fkey",
          sql`INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
                                 dropoff_address, customer_name, customer_id, currency, created_at, updated_at)
              VALUES (${own}, 'TR-1', 'confirmed', 'unpaid', 'transfer', now(), 'A', 'B', 'C', ${customer}, 'USD',
                      ${inserted})`
        ]
      ] as const)
        assert.strictEqual(yield* refusalOf(statement), constraint)
    })
  )
})
