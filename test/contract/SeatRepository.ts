/** The contract of `SeatRepository`. */
import { Currency, DriverRepository, SeatRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { contract } from "./Contract.ts"
import { newBusiness, newDriver, now } from "./Given.ts"

const price = { minor: 1500, currency: Currency.make("USD") }

export const seatRepository = contract("seats", (it) => {
  it.effect("are counted beside the active drivers of their business", () =>
    Effect.gen(function* () {
      const seats = yield* SeatRepository
      const drivers = yield* DriverRepository
      const business = yield* newBusiness
      const [first, second, third] = [
        yield* newDriver(business),
        yield* newDriver(business),
        yield* newDriver(business, { active: false })
      ]
      for (const driver of [first, second, third]) yield* seats.take(business, driver, price, now)
      assert.deepStrictEqual(yield* seats.count(business), { active: 2, seats: 3 })
      yield* drivers.remove(business, first, now)
      assert.deepStrictEqual(yield* seats.count(business), { active: 1, seats: 3 })
      assert.deepStrictEqual(yield* seats.count(yield* newBusiness), { active: 0, seats: 0 })
    })
  )

  it.effect("end as many as are asked for, and in their own business alone", () =>
    Effect.gen(function* () {
      const seats = yield* SeatRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const [first, second] = [yield* newDriver(business), yield* newDriver(business)]
      for (const driver of [first, second]) yield* seats.take(business, driver, price, now)
      yield* seats.take(other, yield* newDriver(other), price, now)
      yield* seats.end(business, 1, first, now)
      assert.strictEqual((yield* seats.count(business)).seats, 1)
      yield* seats.end(business, 5, undefined, now)
      assert.strictEqual((yield* seats.count(business)).seats, 0)
      assert.strictEqual((yield* seats.count(other)).seats, 1)
    })
  )
})
