import { CarId, TripReferences, Transaction } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestPersistence, newBusiness, newCar } from "../support/TestPersistence.ts"

layer(TestPersistence)("holding a car", (it) => {
  it.effect("is found by its business; another business's is absent", () =>
    Effect.gen(function* () {
      const references = yield* TripReferences
      const [one, other] = [yield* newBusiness(), yield* newBusiness()]
      const car = CarId.make(yield* newCar(one))
      assert.isTrue(yield* references.lockCar(one, car))
      assert.isFalse(yield* references.lockCar(other, car))
      assert.isFalse(yield* references.lockCar(one, CarId.make(999_999_999)))
    })
  )

  it.effect("is absent if it is inactive or deleted", () =>
    Effect.gen(function* () {
      const references = yield* TripReferences
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness()
      const [idle, gone] = [CarId.make(yield* newCar(business)), CarId.make(yield* newCar(business))]
      yield* sql`UPDATE cars SET active = false WHERE car_id = ${idle}`
      yield* sql`UPDATE cars SET deleted_at = now() WHERE car_id = ${gone}`
      assert.deepStrictEqual(
        [yield* references.lockCar(business, idle), yield* references.lockCar(business, gone)],
        [false, false]
      )
    })
  )

  it.effect("an inactive or deleted one is absent", () =>
    Effect.gen(function* () {
      const references = yield* TripReferences
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness()
      const [idle, gone] = [CarId.make(yield* newCar(business)), CarId.make(yield* newCar(business))]
      yield* sql`UPDATE cars SET active = false WHERE car_id = ${idle}`
      yield* sql`UPDATE cars SET deleted_at = now() WHERE car_id = ${gone}`
      assert.isFalse(yield* references.lockCar(business, idle))
      assert.isFalse(yield* references.lockCar(business, gone))
    })
  )

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
          yield* references.lockCar(business, car)
          assert.isFalse(yield* elsewhere(removable))
          // Neither another trip with the same car nor a new name of the car waits.
          assert.isTrue(yield* elsewhere(references.lockCar(business, car)))
          yield* elsewhere(Effect.orDie(sql`UPDATE cars SET name = 'White' WHERE car_id = ${car}`))
        })
      )
      assert.isTrue(yield* removable)
    })
  )
})
