/** The contract of `TripReferences`. */
import { CarRepository, CustomerRepository, TripReferences } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { contract } from "./Contract.ts"
import { newBusiness, newCar, newCustomer, newTrip, now } from "./Given.ts"

export const tripReferences = contract("the records that trips refer to", (it) => {
  it.effect("are active cars of the business", () =>
    Effect.gen(function* () {
      const references = yield* TripReferences
      const cars = yield* CarRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const [car, inactive, deleted] = [
        yield* newCar(business),
        yield* newCar(business, { active: false }),
        yield* newCar(business)
      ]
      yield* newTrip(business, { car_id: deleted })
      yield* cars.remove(business, deleted, now)
      assert.isTrue(yield* references.lockCar(business, car))
      assert.isFalse(yield* references.lockCar(other, car))
      assert.isFalse(yield* references.lockCar(business, inactive))
      assert.isFalse(yield* references.lockCar(business, deleted))
    })
  )

  it.effect("are customers of the business, by id and by email", () =>
    Effect.gen(function* () {
      const references = yield* TripReferences
      const customers = yield* CustomerRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const email = "ada@example.com"
      const customer = yield* newCustomer(business, { email })
      const elsewhere = yield* newCustomer(other, { email })
      assert.isTrue(yield* references.lockCustomer(business, customer))
      assert.isFalse(yield* references.lockCustomer(business, elsewhere))
      assert.deepStrictEqual(yield* references.lockCustomerByEmail(business, email), Option.some(customer))
      assert.deepStrictEqual(
        yield* references.lockCustomerByEmail(business, "zoe@example.com"),
        Option.none()
      )
      yield* newTrip(business, { customer_id: customer })
      yield* customers.remove(business, customer, now)
      assert.isFalse(yield* references.lockCustomer(business, customer))
      assert.deepStrictEqual(yield* references.lockCustomerByEmail(business, email), Option.none())
    })
  )
})
