/** The contract of `TripReferences`. */
import { CarRepository, CustomerRepository, Transaction, TripReferences } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { contract } from "./Contract.ts"
import { changeTrip, newBusiness, newCar, newCustomer, newTrip, now } from "./Given.ts"

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
      assert.deepStrictEqual(yield* references.lockCars(other, [car]), [])
      assert.deepStrictEqual(yield* references.lockCars(business, [inactive, deleted]), [])
      const second = yield* newCar(business)
      const all = [second, deleted, inactive, yield* newCar(other), car]
      assert.sameMembers([...(yield* references.lockCars(business, all))], [car, second])
      assert.deepStrictEqual(yield* references.lockCars(business, []), [])
    })
  )

  it.effect("are customers of the business, by id and by email", () =>
    Effect.gen(function* () {
      const references = yield* TripReferences
      const customers = yield* CustomerRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const email = "ada@example.com"
      const customer = yield* newCustomer(business, { email, phone: "+41" })
      const elsewhere = yield* newCustomer(other, { email })
      assert.deepStrictEqual(
        yield* references.lockCustomer(business, customer),
        Option.some({ name: "Ada", email, phone: "+41" })
      )
      assert.deepStrictEqual(yield* references.lockCustomer(business, elsewhere), Option.none())
      const byEmail = references.lockCustomersByEmail(business, [email, "zoe@example.com"])
      assert.deepStrictEqual([...(yield* byEmail)], [[email, customer]])
      const byId = references.lockCustomers(business, [customer, elsewhere])
      assert.deepStrictEqual([...(yield* byId)], [[customer, { name: "Ada", email, phone: "+41" }]])
      yield* newTrip(business, { customer_id: customer })
      yield* customers.remove(business, customer, now)
      assert.deepStrictEqual(yield* references.lockCustomer(business, customer), Option.none())
      assert.strictEqual((yield* byEmail).size, 0)
      assert.strictEqual((yield* byId).size, 0)
    })
  )

  it.effect("are trips of the business that are not deleted, by id and by external_ref", () =>
    Effect.gen(function* () {
      const references = yield* TripReferences
      const transaction = yield* Transaction
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const trip = yield* newTrip(business, { external_ref: "PMS-1" })
      const elsewhere = yield* newTrip(other, { external_ref: "PMS-1" })
      const byRef = (...externalRefs: ReadonlyArray<string>) =>
        Effect.map(transaction.run(references.lockExternalRefs(business, externalRefs)), (found) => [
          ...found
        ])
      assert.isTrue(yield* references.lockTrip(business, trip.trip_id))
      assert.isFalse(yield* references.lockTrip(business, elsewhere.trip_id))
      assert.deepStrictEqual(yield* byRef("PMS-1", "PMS-2"), [["PMS-1", trip.trip_id]])
      assert.deepStrictEqual(yield* byRef("pms-1"), [])
      yield* changeTrip(business, trip.trip_id, { deleted_at: now })
      assert.isFalse(yield* references.lockTrip(business, trip.trip_id))
      assert.deepStrictEqual(yield* byRef("PMS-1"), [])
    })
  )
})
