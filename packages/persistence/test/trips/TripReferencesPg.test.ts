import { CarId, TripReferences, Transaction } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestPersistence, newBusiness, newCar } from "../support/TestPersistence.ts"

layer(TestPersistence)("holding a car", (it) => {
  it.effect("prevents its deletion until the transaction ends, and blocks no other change", () =>
    Effect.gen(function* () {
      const references = yield* TripReferences
      const transaction = yield* Transaction
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness()
      const car = CarId.make(yield* newCar(business))
      // On a connection outside of the open transaction.
      const outside = yield* Effect.context()
      const elsewhere = <A>(effect: Effect.Effect<A>) =>
        Effect.promise(() => Effect.runPromiseWith(outside)(effect))
      const removable = Effect.map(
        Effect.orDie(sql`SELECT FROM cars WHERE car_id = ${car} FOR UPDATE SKIP LOCKED`),
        (rows) => rows.length === 1
      )
      yield* transaction.run(
        Effect.gen(function* () {
          yield* references.lockCars(business, [car])
          assert.isFalse(yield* elsewhere(removable))
          // Neither another trip with the same car nor a new name of the car waits.
          assert.deepStrictEqual(yield* elsewhere(references.lockCars(business, [car])), [car])
          yield* elsewhere(Effect.orDie(sql`UPDATE cars SET name = 'White' WHERE car_id = ${car}`))
        })
      )
      assert.isTrue(yield* removable)
    })
  )
})
