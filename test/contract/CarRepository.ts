/** The contract of `CarRepository`. */
import { CarRepository, DriverRepository, Transaction } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { at, contract } from "./Contract.ts"
import { assign, carInput, newBusiness, newCar, newDriver, newTrip, now, wholeList } from "./Given.ts"

export const carRepository = contract("a car", (it) => {
  it.effect("is returned as it was stored, to its own business alone", () =>
    Effect.gen(function* () {
      const cars = yield* CarRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const input = carInput({ plate_number: "ZH 1", seats: 4, vehicle_class: "van", active: false })
      const stored = yield* cars.insert(business, input, now)
      const { car_id } = stored
      assert.deepStrictEqual(stored, {
        ...input,
        car_id,
        business_id: business,
        created_at: now,
        updated_at: now
      })
      for (const read of [cars.find, cars.lock, cars.lockForDelete]) {
        assert.deepStrictEqual(yield* read(business, car_id), Option.some(stored))
        assert.deepStrictEqual(yield* read(other, car_id), Option.none())
      }
      const changed = carInput({ name: "White", seats: 5 })
      const expected = { ...stored, ...changed, updated_at: at("10:00:00") }
      assert.deepStrictEqual(yield* cars.update(business, car_id, changed, at("10:00:00")), expected)
      assert.deepStrictEqual(yield* cars.find(business, car_id), Option.some(expected))
    })
  )

  it.effect("is listed by name, then id, and counted while it is active", () =>
    Effect.gen(function* () {
      const cars = yield* CarRepository
      const business = yield* newBusiness
      yield* newCar(yield* newBusiness)
      const white = yield* newCar(business, { name: "White" })
      const black = yield* newCar(business, { name: "Black", active: false })
      const another = yield* newCar(business, { name: "Black" })
      const ids = (active?: boolean, page = wholeList) =>
        Effect.map(cars.list(business, { active }, page), ({ hasMore, items, total }) => ({
          ids: items.map(({ car_id }) => car_id),
          total,
          hasMore
        }))
      assert.deepStrictEqual(yield* ids(), { ids: [black, another, white], total: 3, hasMore: false })
      assert.deepStrictEqual(yield* ids(true), { ids: [another, white], total: 2, hasMore: false })
      assert.deepStrictEqual(yield* ids(false), { ids: [black], total: 1, hasMore: false })
      const page = (number: number) => ids(undefined, { page: number, perPage: 2 })
      assert.deepStrictEqual(yield* page(1), { ids: [black, another], total: 3, hasMore: true })
      assert.deepStrictEqual(yield* page(2), { ids: [white], total: 3, hasMore: false })
      assert.deepStrictEqual(yield* page(3), { ids: [], total: 3, hasMore: false })
      assert.strictEqual(yield* cars.countActive(business), 2)
      const isActive = (id: typeof white) => cars.lockActive(business, id)
      assert.deepStrictEqual([yield* isActive(black), yield* isActive(white)], [false, true])
    })
  )

  it.effect("is listed in the order of code points", () =>
    Effect.gen(function* () {
      const cars = yield* CarRepository
      const business = yield* newBusiness
      const names = ["A", "AB", "Z", "a", "é", "\uffe5", "\u{1f600}", "\u{1f600} A"]
      for (const name of names.toReversed()) yield* newCar(business, { name })
      const { items } = yield* cars.list(business, { active: undefined }, wholeList)
      assert.deepStrictEqual(
        items.map(({ name }) => name),
        names
      )
    })
  )

  it.effect("that is deleted is found by nothing, also if a trip refers to it", () =>
    Effect.gen(function* () {
      const cars = yield* CarRepository
      const business = yield* newBusiness
      const [used, driven, unused] = [
        yield* newCar(business),
        yield* newCar(business),
        yield* newCar(business)
      ]
      const trip = yield* newTrip(business, { car_id: used })
      yield* assign(trip, yield* newDriver(business), "assigned", driven)
      for (const car of [used, driven, unused]) {
        yield* cars.remove(business, car, now)
        assert.deepStrictEqual(yield* cars.find(business, car), Option.none())
        assert.isFalse(yield* cars.lockActive(business, car))
      }
      assert.strictEqual(yield* cars.countActive(business), 0)
      assert.deepStrictEqual((yield* cars.list(business, {}, wholeList)).total, 0)
      assert.isTrue(Exit.hasDies(yield* Effect.exit(cars.update(business, used, carInput(), now))))
    })
  )

  it.effect("that is deleted is there again if the transaction is rolled back", () =>
    Effect.gen(function* () {
      const cars = yield* CarRepository
      const transaction = yield* Transaction
      const business = yield* newBusiness
      const [first, second] = [yield* newCar(business), yield* newCar(business)]
      yield* Effect.flip(
        transaction.run(Effect.andThen(cars.remove(business, first, now), Effect.fail("no")))
      )
      const { items } = yield* cars.list(business, {}, wholeList)
      assert.deepStrictEqual(
        items.map(({ car_id }) => car_id),
        [first, second]
      )
    })
  )

  it.effect("stops being the default car of drivers", () =>
    Effect.gen(function* () {
      const cars = yield* CarRepository
      const drivers = yield* DriverRepository
      const business = yield* newBusiness
      const [car, other] = [yield* newCar(business), yield* newCar(business)]
      const ids = [
        yield* newDriver(business, { default_car_id: car }),
        yield* newDriver(business, { default_car_id: other })
      ]
      yield* cars.clearDefaultCar(business, car)
      const found = yield* Effect.forEach(ids, (id) => drivers.find(business, id))
      assert.deepStrictEqual(
        found.map((driver) => Option.getOrThrow(driver).default_car_id),
        [null, other]
      )
    })
  )
})
