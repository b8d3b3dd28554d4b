/** The contract of `ProductRepository`. */
import {
  type BusinessId,
  Currency,
  type NewProduct,
  type Places,
  type ProductId,
  ProductRepository,
  Transaction
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { at, atOnce, contract } from "./Contract.ts"
import { newBusiness, now, wholeList } from "./Given.ts"

export const productOf = (business_id: BusinessId, change: Partial<NewProduct> = {}): NewProduct => ({
  business_id,
  name: "Tour",
  description: null,
  kind: "tour",
  price_minor: 4500,
  currency: Currency.make("USD"),
  duration_minutes: 60,
  capacity: 8,
  taxes: [
    { name: "GST", rate: 5 },
    { name: null, rate: 9.975 }
  ],
  tax_included: true,
  departures: [],
  pickup_address: "Here",
  dropoff_address: null,
  active: true,
  created_at: now,
  updated_at: now,
  ...change
})

const placesFrom = (productId: ProductId, from: string, to: string, count: number): Places => ({
  productId,
  from: at(from),
  to: at(to),
  count
})

/** A product, and how its places are taken: each time in a transaction that has locked it. */
const offered = Effect.fnUntraced(function* (change: Partial<NewProduct> = {}) {
  const products = yield* ProductRepository
  const transaction = yield* Transaction
  const business = yield* newBusiness
  const product = yield* products.insert(productOf(business, change))
  const locked = <A>(work: Effect.Effect<A>) =>
    transaction.run(Effect.andThen(products.lockPlaces(business, product.product_id), work))
  const places = (from: string, to: string, count: number) => placesFrom(product.product_id, from, to, count)
  return {
    business,
    product,
    reserve: (from: string, to: string, count: number) =>
      locked(products.reserve(business, places(from, to, count))),
    release: (from: string, to: string, count: number) =>
      locked(products.release(business, places(from, to, count))),
    resize: (capacity: number | null, time = now) => locked(products.update({ ...product, capacity }, time))
  }
})

export const productRepository = contract("a product", (it) => {
  it.effect("is returned as stored, to its own business alone", () =>
    Effect.gen(function* () {
      const products = yield* ProductRepository
      const other = yield* newBusiness
      const { business, product } = yield* offered()
      const changed = {
        ...product,
        name: "Harbour",
        price_minor: 5000,
        capacity: null,
        departures: [{ weekdays: ["sat" as const], times: ["10:00", "14:30"], seats: 8 }],
        active: false
      }
      assert.isTrue(yield* products.update(changed, now))
      for (const read of [products.find, products.lock]) {
        assert.deepStrictEqual(yield* read(business, product.product_id), Option.some(changed))
        assert.deepStrictEqual(yield* read(other, product.product_id), Option.none())
      }
      yield* products.remove(other, product.product_id, now)
      assert.isTrue(Option.isSome(yield* products.find(business, product.product_id)))
      yield* products.remove(business, product.product_id, now)
      for (const read of [products.find, products.lock])
        assert.deepStrictEqual(yield* read(business, product.product_id), Option.none())
      assert.deepStrictEqual((yield* products.list(business, undefined, wholeList)).items, [])
    })
  )

  it.effect("is listed by name, all or those that are active or not", () =>
    Effect.gen(function* () {
      const products = yield* ProductRepository
      const business = yield* newBusiness
      const b = yield* products.insert(productOf(business, { name: "B" }))
      const a = yield* products.insert(productOf(business, { name: "A", active: false }))
      const c = yield* products.insert(productOf(business, { name: "B" }))
      const listed = (active?: boolean) =>
        Effect.map(products.list(business, active, wholeList), ({ items }) => items)
      assert.deepStrictEqual(yield* listed(), [a, b, c])
      assert.deepStrictEqual(yield* listed(true), [b, c])
      assert.deepStrictEqual(yield* listed(false), [a])
    })
  )

  it.effect("has its capacity at each time, summed over the windows that overlap", () =>
    Effect.gen(function* () {
      const { release, reserve } = yield* offered({ capacity: 5 })
      assert.isTrue(yield* reserve("10:00:00", "12:00:00", 3))
      assert.isTrue(yield* reserve("11:00:00", "13:00:00", 2))
      // From 11 to 12 all are taken.
      assert.isFalse(yield* reserve("11:30:00", "11:45:00", 1))
      assert.isFalse(yield* reserve("09:00:00", "14:00:00", 1))
      assert.isFalse(yield* reserve("10:59:59", "11:00:01", 1))
      // A window ends before the next one starts.
      assert.isTrue(yield* reserve("10:00:00", "11:00:00", 2))
      assert.isFalse(yield* reserve("10:00:00", "11:00:00", 1))
      assert.isTrue(yield* reserve("12:00:00", "13:00:00", 3))
      assert.isTrue(yield* reserve("13:00:00", "14:00:00", 5))
      assert.isTrue(yield* reserve("08:00:00", "10:00:00", 5))
      assert.isFalse(yield* reserve("14:00:00", "15:00:00", 6))
      yield* release("11:00:00", "13:00:00", 2)
      assert.isFalse(yield* reserve("11:00:00", "13:00:00", 3))
      assert.isTrue(yield* reserve("11:00:00", "13:00:00", 2))
    })
  )

  it.effect("of no capacity has no limit", () =>
    Effect.gen(function* () {
      const { reserve, resize } = yield* offered({ capacity: null })
      for (const count of [10_000, 10_000]) assert.isTrue(yield* reserve("10:00:00", "12:00:00", count))
      assert.isFalse(yield* resize(19_999))
      assert.isTrue(yield* resize(20_000))
      assert.isFalse(yield* reserve("11:00:00", "11:30:00", 1))
    })
  )

  it.effect("keeps its capacity while more places are taken at some time from now on", () =>
    Effect.gen(function* () {
      const products = yield* ProductRepository
      const { business, product, reserve, resize } = yield* offered({ capacity: 8 })
      yield* reserve("10:00:00", "12:00:00", 7)
      yield* reserve("14:00:00", "15:00:00", 3)
      for (const time of ["09:00:00", "10:00:00", "11:59:59"])
        assert.isFalse(yield* resize(6, at(time)), time)
      assert.deepStrictEqual(yield* products.find(business, product.product_id), Option.some(product))
      // What is past no longer counts.
      assert.isFalse(yield* resize(2, at("12:00:00")))
      assert.isTrue(yield* resize(3, at("12:00:00")))
      assert.isFalse(yield* reserve("14:30:00", "14:45:00", 1))
      assert.isTrue(yield* reserve("12:00:00", "13:00:00", 3))
      assert.isTrue(yield* resize(9, at("12:00:00")))
      assert.isTrue(yield* reserve("14:30:00", "14:45:00", 6))
    })
  )

  it.effect("is never oversold by concurrent reservations of windows that overlap", () =>
    Effect.gen(function* () {
      const { reserve } = yield* offered({ capacity: 5 })
      const taken = yield* atOnce(30, (index) =>
        reserve(index % 2 === 0 ? "10:00:00" : "10:30:00", index % 3 === 0 ? "11:00:00" : "12:00:00", 1)
      )
      assert.lengthOf(
        taken.filter((isTaken) => isTaken),
        5
      )
    })
  )
})
