import {
  type BusinessId,
  CarId,
  type Currency,
  type NewTrip,
  Transaction,
  TripId,
  type TripQuery,
  TripRepository
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { at, atOnce, Ground, newBusiness, newCar, unique } from "../platform/Ground.ts"

const now = at("09:30:00")

const tripOf = (business_id: BusinessId, change: Partial<NewTrip> = {}): NewTrip => ({
  business_id,
  reference: unique("TR"),
  status: "confirmed",
  payment_status: "unpaid",
  trip_type: "transfer",
  trip_date: at("18:00:00"),
  pickup_address: "Here",
  pickup_postal_code: null,
  pickup_lat: null,
  pickup_lng: null,
  dropoff_address: "There",
  dropoff_postal_code: null,
  dropoff_lat: null,
  dropoff_lng: null,
  customer_name: "Ada",
  customer_email: null,
  customer_phone: null,
  car_id: null,
  total_minor: null,
  currency: "USD" as Currency,
  flight_number: null,
  terminal: null,
  participants_count: null,
  notes: null,
  special_requirements: null,
  ...change
})

const insert = Effect.fnUntraced(function* (business: BusinessId, change: Partial<NewTrip> = {}) {
  const trips = yield* TripRepository
  return Option.getOrThrow(yield* trips.insert(tripOf(business, change), now))
})

const idsOf = Effect.fnUntraced(function* (
  business: BusinessId,
  query: Partial<TripQuery> = {},
  page = { page: 1, perPage: 20 }
) {
  const trips = yield* TripRepository
  const { items } = yield* trips.list(business, { order: "latest", ...query }, page)
  return items.map(({ trip_id }) => trip_id)
})

layer(Ground)("a trip", (it) => {
  it.effect("is read as it was stored, to the last digit", () =>
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const business = yield* newBusiness()
      const given = tripOf(business, {
        trip_type: "airport_arrival",
        trip_date: at("23:59:59"),
        pickup_postal_code: "8058",
        pickup_lat: -89.999999999999,
        pickup_lng: 8.12345678901234,
        dropoff_postal_code: "",
        dropoff_lat: 0.1 + 0.2,
        dropoff_lng: 180,
        customer_email: "ada@example.com",
        customer_phone: "+44",
        car_id: CarId.make(yield* newCar(business)),
        total_minor: 1_000_000_000_000,
        currency: "KWD" as Currency,
        flight_number: "LX 1611",
        terminal: "2E",
        participants_count: 10_000,
        notes: 'it\'s "quoted"; $1 \\ 🚘\n',
        special_requirements: "車椅子"
      })
      const stored = Option.getOrThrow(yield* trips.insert(given, now))
      const { trip_id } = stored
      assert.deepStrictEqual(
        { ...stored },
        { ...given, trip_id, driver_status: "unassigned", created_at: now, updated_at: now }
      )
      assert.deepStrictEqual(yield* trips.find(business, trip_id), Option.some(stored))
      const { items } = yield* trips.list(business, { order: "latest" }, { page: 1, perPage: 20 })
      assert.deepStrictEqual(items, [stored])
    })
  )

  it.effect("is its business's alone", () =>
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const [one, other] = [yield* newBusiness(), yield* newBusiness()]
      const { trip_id } = yield* insert(one)
      assert.isTrue(Option.isNone(yield* trips.find(other, trip_id)))
      assert.isTrue(Option.isNone(yield* trips.find(one, TripId.make(999_999_999))))
      assert.deepStrictEqual(yield* idsOf(other), [])
    })
  )

  it.effect("has a reference that is the business's once, at once too, and another's as well", () =>
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const transaction = yield* Transaction
      const business = yield* newBusiness()
      const trip = tripOf(business)
      const stored = yield* atOnce(8, () => trips.insert(trip, now))
      assert.lengthOf(stored.filter(Option.isSome), 1)
      assert.isTrue(Option.isSome(yield* trips.insert({ ...trip, business_id: yield* newBusiness() }, now)))
      // A clash leaves the transaction usable: the next reference is tried in it.
      const second = transaction.run(
        Effect.andThen(trips.insert(trip, now), trips.insert(tripOf(business), now))
      )
      assert.isTrue(Option.isSome(yield* second))
    })
  )

  it.effect("of a change that was taken back is not there", () =>
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const business = yield* newBusiness()
      yield* Effect.ignore(transaction.run(Effect.andThen(insert(business), Effect.fail("no"))))
      assert.deepStrictEqual(yield* idsOf(business), [])
    })
  )
})

layer(Ground)("the list", (it) => {
  it.effect("includes `from` and excludes `before`", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness()
      const moments = [at("17:59:59"), at("18:00:00"), at("18:00:01")]
      const [early, middle, late] = yield* Effect.forEach(moments, (trip_date) =>
        Effect.map(insert(business, { trip_date }), ({ trip_id }) => trip_id)
      )
      const from = at("18:00:00")
      assert.deepStrictEqual(yield* idsOf(business, { from }), [late, middle])
      assert.deepStrictEqual(yield* idsOf(business, { before: from }), [early])
      assert.deepStrictEqual(yield* idsOf(business, { from, before: at("18:00:01") }), [middle])
      assert.deepStrictEqual(yield* idsOf(business, { from, before: from }), [])
      assert.deepStrictEqual(yield* idsOf(business, { order: "soonest" }), [early, middle, late])
    })
  )

  it.effect("breaks ties by id, in the direction of its order", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness()
      const ids = yield* Effect.forEach(Array.from({ length: 7 }), () =>
        Effect.map(insert(business), ({ trip_id }) => trip_id)
      )
      const sql = yield* SqlClient.SqlClient
      const transaction = yield* Transaction
      // Rows lie out of order, and no index brings them into one: only the statement itself can.
      yield* sql`UPDATE trips SET notes = 'moved' WHERE business_id = ${business} AND trip_id % 2 = 0`
      const paged = (order: "soonest" | "latest") =>
        transaction.run(
          Effect.gen(function* () {
            yield* sql`SELECT set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`
            const pages = yield* Effect.forEach([1, 2, 3, 4], (page) =>
              idsOf(business, { order }, { page, perPage: 2 })
            )
            return pages.flat()
          })
        )
      assert.deepStrictEqual(yield* paged("soonest"), ids)
      assert.deepStrictEqual(yield* paged("latest"), ids.toReversed())
    })
  )

  it.effect("tells the total and whether more follows, also behind the last page", () =>
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const business = yield* newBusiness()
      yield* atOnce(5, (index) => insert(business, { status: index === 0 ? "cancelled" : "confirmed" }))
      const page = (page: number, query: Partial<TripQuery> = {}) =>
        Effect.map(
          trips.list(business, { order: "latest", ...query }, { page, perPage: 2 }),
          ({ hasMore, items, total }) => [items.length, total, hasMore]
        )
      assert.deepStrictEqual(yield* page(1), [2, 5, true])
      assert.deepStrictEqual(yield* page(3), [1, 5, false])
      assert.deepStrictEqual(yield* page(4), [0, 5, false])
      assert.deepStrictEqual(yield* page(2, { status: "confirmed" }), [2, 4, false])
      assert.deepStrictEqual(yield* page(1, { paymentStatus: "paid" }), [0, 0, false])
      assert.deepStrictEqual(yield* page(2, { from: DateTime.add(now, { days: 1 }) }), [0, 0, false])
    })
  )
})
