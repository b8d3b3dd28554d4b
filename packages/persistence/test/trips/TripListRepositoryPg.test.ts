import {
  BusinessId,
  PaymentStatus,
  Transaction,
  TripListRepository,
  type TripQuery,
  TripStatus
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Array as Arr, DateTime, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { at, atOnce, TestPersistence, newBusiness } from "../support/TestPersistence.ts"
import { insert, now } from "./StoredTrips.ts"

const idsOf = Effect.fnUntraced(function* (
  business: BusinessId,
  query: Partial<TripQuery> = {},
  page = { page: 1, perPage: 20 }
) {
  const trips = yield* TripListRepository
  const { items } = yield* trips.page(business, { order: "latest", ...query }, page)
  return items.map(({ trip_id }) => trip_id)
})

const SomeTrip = Schema.Struct({
  second: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 })),
  status: TripStatus,
  paymentStatus: PaymentStatus,
  deleted: Schema.Boolean
})

const bound = Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 })))

const SomeQuery = Schema.Struct({
  status: Schema.optionalKey(TripStatus),
  paymentStatus: Schema.optionalKey(PaymentStatus),
  from: bound,
  before: bound,
  order: Schema.Literals(["soonest", "latest"])
})

const PerPage = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7 }))

const second = (offset: number) => DateTime.add(now, { seconds: offset })

const row =
  (business_id: BusinessId) =>
  (trip: typeof SomeTrip.Type, place: number): Record<string, unknown> => ({
    business_id,
    reference: `TR-${place}`,
    status: trip.status,
    payment_status: trip.paymentStatus,
    trip_type: "transfer",
    trip_date: DateTime.toDateUtc(second(trip.second)),
    pickup_address: "Here",
    dropoff_address: "There",
    customer_name: "Ada",
    currency: "USD",
    created_at: DateTime.toDateUtc(now),
    updated_at: DateTime.toDateUtc(now),
    deleted_at: trip.deleted ? DateTime.toDateUtc(now) : null
  })

const nobody = BusinessId.make(999_999_999)

const AnyNumber = Schema.Union([
  Schema.Literals([-1, 0, 1, 2, 8.64e15, -8.64e15, Date.UTC(2026, 10, 20), Number.MAX_SAFE_INTEGER]),
  Schema.Int,
  Schema.Finite
])

/** A cursor of a caller: any text, that text encoded as a cursor, or any three numbers. */
const MadeUp = Schema.Struct({
  text: Schema.String,
  numbers: Schema.Tuple([AnyNumber, AnyNumber, AnyNumber])
})

layer(TestPersistence)("the list", (it) => {
  it.effect.prop(
    "continues from any forged cursor without a fault, and never with the first page",
    { madeUp: MadeUp, order: Schema.Literals(["soonest", "latest"]) },
    ({ madeUp: { numbers, text }, order }) =>
      Effect.gen(function* () {
        const trips = yield* TripListRepository
        for (const cursor of [
          text,
          Buffer.from(text).toString("base64url"),
          Buffer.from(numbers.join(".")).toString("base64url")
        ]) {
          const found = yield* trips.after(nobody, { order }, cursor, 20)
          assert.isAbove(Option.match(found, { onNone: () => 2, onSome: ({ page }) => page }), 1, cursor)
        }
      }),
    { arbitrary: { runs: 300 } }
  )

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
      // The rows are stored out of order and have no sorted index, so the order comes from the statement.
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

  it.effect("returns the total and whether more follow, also beyond the last page", () =>
    Effect.gen(function* () {
      const trips = yield* TripListRepository
      const business = yield* newBusiness()
      yield* atOnce(5, (index) => insert(business, { status: index === 0 ? "cancelled" : "confirmed" }))
      const page = (page: number, query: Partial<TripQuery> = {}) =>
        Effect.map(
          trips.page(business, { order: "latest", ...query }, { page, perPage: 2 }),
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

  it.effect.prop(
    "has exactly the trips that its query selects, in the same order by pages and by cursor",
    {
      trips: Schema.Array(SomeTrip).check(Schema.isMinLength(12), Schema.isMaxLength(40)),
      query: SomeQuery,
      perPage: PerPage
    },
    ({ perPage, query: { before, from, ...exact }, trips }) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const lists = yield* TripListRepository
        const business = yield* newBusiness()
        const rows = trips.map(row(business))
        if (Arr.isReadonlyArrayNonEmpty(rows)) yield* sql`INSERT INTO trips ${sql.insert(rows)}`
        const stored = yield* sql<{ trip_id: number; place: number }>`
          SELECT trip_id, substr(reference, 4)::int AS place FROM trips WHERE business_id = ${business}`
        const idOf = new Map(stored.map(({ place, trip_id }) => [place, trip_id]))
        const query: TripQuery = {
          ...exact,
          from: from === undefined ? undefined : second(from),
          before: before === undefined ? undefined : second(before)
        }
        const expected = trips
          .map((trip, place) => ({ ...trip, id: idOf.get(place) ?? 0 }))
          .filter(
            (trip) =>
              !trip.deleted &&
              (query.status === undefined || trip.status === query.status) &&
              (query.paymentStatus === undefined || trip.paymentStatus === query.paymentStatus) &&
              (from === undefined || trip.second >= from) &&
              (before === undefined || trip.second < before)
          )
          .toSorted(
            (one, other) =>
              (query.order === "soonest" ? 1 : -1) * (one.second - other.second || one.id - other.id)
          )
          .map(({ id }) => id)
        const pages = Math.ceil(expected.length / perPage)
        const [byPage, byCursor]: [Array<number>, Array<number>] = [[], []]
        let cursor: string | undefined
        for (let page = 1; page <= Math.max(1, pages); page++) {
          const found = yield* lists.page(business, query, { page, perPage })
          byPage.push(...found.items.map(({ trip_id }) => trip_id))
          assert.deepStrictEqual([found.total, found.hasMore], [expected.length, page < pages])
          const walked =
            cursor === undefined
              ? found
              : Option.getOrThrow(yield* lists.after(business, query, cursor, perPage))
          byCursor.push(...walked.items.map(({ trip_id }) => trip_id))
          assert.deepStrictEqual([walked.page, walked.nextCursor], [page, found.nextCursor])
          cursor = walked.nextCursor
        }
        assert.isUndefined(cursor)
        assert.deepStrictEqual(byPage, expected)
        assert.deepStrictEqual(byCursor, expected)
      }),
    { arbitrary: { runs: 60 } }
  )
})
