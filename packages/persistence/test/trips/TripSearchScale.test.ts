import {
  type BusinessId,
  maxTripsFound,
  maxTripsTested,
  searchedTripWords,
  TripListRepository,
  type TripPage,
  type Trip,
  type TripQuery
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { newBusiness, TestPersistence } from "../support/TestPersistence.ts"

const perPage = 20
const trips = maxTripsTested + 1000

/** The number of the earliest trips, which are events and have the word `early`. */
const early = 30

/** The number of the earliest trips that have the word `half`: more than a search returns. */
const half = maxTripsFound + 200

/** Trips one every ten minutes, which are booked in this order. All have the word `all`. */
const populate = Effect.fnUntraced(function* (businessId: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
                       dropoff_address, customer_name, currency, created_at, updated_at)
    SELECT ${businessId}, 'TR-' || n, 'confirmed', 'paid', CASE WHEN n <= ${early} THEN 'event' ELSE 'transfer' END,
           '2026-11-20 00:00:00Z'::timestamptz + n * interval '10 minutes', 'a', 'b', 'c', 'USD', '2026-11-01Z', '2026-11-01Z'
    FROM generate_series(1, ${trips}::int) AS n ORDER BY n`
  yield* sql`
    INSERT INTO trip_search (business_id, trip_id, search)
    SELECT business_id, trip_id, array_to_tsvector(
             ARRAY[business_id || ':all'] ||
             CASE WHEN substr(reference, 4)::int <= ${early} THEN ARRAY[business_id || ':early'] ELSE '{}' END ||
             CASE WHEN substr(reference, 4)::int <= ${half} THEN ARRAY[business_id || ':half'] ELSE '{}' END)
    FROM trips WHERE business_id = ${businessId}`
})

const numbersOf = ({ items }: TripPage<Trip>) => items.map(({ reference }) => Number(reference.slice(3)))

const downFrom = (first: number, length: number) => Array.from({ length }, (_, index) => first - index)

layer(TestPersistence)("the trips of a list of more trips than are tested at once", (it) => {
  it.effect("are searched from the start of the list if many match, and else by the index of words", () =>
    Effect.gen(function* () {
      const lists = yield* TripListRepository
      const business = yield* newBusiness()
      yield* populate(business)
      const page = (word: string, number: number) =>
        lists.page(business, { words: searchedTripWords(word), order: "latest" }, { page: number, perPage })
      for (const number of [1, 2, 12]) {
        const found = yield* page("all", number)
        assert.deepStrictEqual(numbersOf(found), downFrom(trips - (number - 1) * perPage, perPage))
        assert.deepStrictEqual([found.total, found.hasMore], [undefined, true])
      }
      const first = yield* page("early all", 1)
      assert.deepStrictEqual(
        [numbersOf(first), first.total, first.hasMore],
        [downFrom(early, 20), early, true]
      )
      const second = yield* page("early", 2)
      assert.deepStrictEqual(
        [numbersOf(second), second.total, second.hasMore],
        [downFrom(10, 10), early, false]
      )
      const beyond = yield* page("early", 3)
      assert.deepStrictEqual([numbersOf(beyond), beyond.total, beyond.hasMore], [[], early, false])
      const byCursor = yield* lists.after(
        business,
        { words: searchedTripWords("early"), order: "latest" },
        first.nextCursor ?? "",
        perPage
      )
      assert.deepStrictEqual(numbersOf(Option.getOrThrow(byCursor)), downFrom(10, 10))
      const newest = yield* page("half", 1)
      assert.deepStrictEqual([numbersOf(newest), newest.total], [downFrom(half, 20), undefined])
      const last = yield* page("half", maxTripsFound / perPage)
      assert.deepStrictEqual(numbersOf(last), downFrom(half - maxTripsFound + perPage, perPage))
      assert.isEmpty((yield* page("none", 1)).items)
    })
  )

  it.effect(
    "end a page after the trips that are tested; the cursor continues, and the page number is refused",
    () =>
      Effect.gen(function* () {
        const lists = yield* TripListRepository
        const business = yield* newBusiness()
        yield* populate(business)
        const query: TripQuery = { tripType: "event", order: "latest" }
        const first = yield* lists.page(business, query, { page: 1, perPage })
        assert.deepStrictEqual([first.items.length, first.total, first.hasMore], [0, undefined, true])
        const refused = yield* Effect.flip(lists.page(business, query, { page: 2, perPage }))
        assert.deepStrictEqual(refused.issues, [{ field: "page", issue: "out_of_range" }])
        const seen: Array<number> = []
        for (let cursor = first.nextCursor; cursor !== undefined;) {
          const next: TripPage<Trip> = Option.getOrThrow(yield* lists.after(business, query, cursor, perPage))
          seen.push(...numbersOf(next))
          cursor = next.nextCursor
        }
        assert.deepStrictEqual(seen, downFrom(early, early))
      })
  )
})
