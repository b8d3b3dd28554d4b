import {
  type BusinessId,
  maxTripsFound,
  maxTripsMatched,
  maxTripsTested,
  searchedTripWords,
  TripListRepository,
  type TripPage,
  type Trip,
  type TripQuery
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { at, newBusiness, TestPersistence } from "../support/TestPersistence.ts"

const perPage = 20
const trips = maxTripsTested + 1000

/** The number of the earliest trips, which are events and have the word `early`. */
const early = 30

/** The number of the earliest trips that have the word `half`: more than a search returns. */
const half = maxTripsFound + 200

/** Trips one every ten minutes, booked in this order or, if `order` is -1, in the opposite one. All have the word `all`. */
const populate = Effect.fnUntraced(function* (businessId: BusinessId, count = trips, order: 1 | -1 = 1) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
                       dropoff_address, customer_name, currency, created_at, updated_at)
    SELECT ${businessId}, 'TR-' || n, 'confirmed', 'paid', CASE WHEN n <= ${early} THEN 'event' ELSE 'transfer' END,
           '2026-11-20 00:00:00Z'::timestamptz + n * interval '10 minutes', 'a', 'b', 'c', 'USD', '2026-11-01Z', '2026-11-01Z'
    FROM generate_series(1, ${count}::int) AS n ORDER BY n * ${order}`
  yield* sql`
    INSERT INTO trip_search (business_id, trip_id, search)
    SELECT business_id, trip_id, array_to_tsvector(
             ARRAY[business_id || ':all'] ||
             CASE WHEN substr(reference, 4)::int <= ${early} THEN ARRAY[business_id || ':early'] ELSE '{}' END ||
             CASE WHEN substr(reference, 4)::int <= ${half} THEN ARRAY[business_id || ':half'] ELSE '{}' END)
    FROM trips WHERE business_id = ${businessId}`
})

const numbersOf = ({ items }: TripPage<Trip>) => items.map(({ reference }) => Number(reference.slice(3)))

/** The trips of a list from its first page on, by cursor. */
const byCursor = Effect.fnUntraced(function* (business: BusinessId, query: TripQuery) {
  const lists = yield* TripListRepository
  const first = yield* lists.page(business, query, { page: 1, perPage })
  const pages = [first]
  for (let cursor = first.nextCursor; cursor !== undefined;) {
    const next: TripPage<Trip> = Option.getOrThrow(yield* lists.after(business, query, cursor, perPage))
    pages.push(next)
    cursor = next.nextCursor
  }
  return pages.flatMap(numbersOf)
})

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
        assert.deepStrictEqual(yield* byCursor(business, query), downFrom(early, early))
      })
  )

  it.effect(
    "are all found by a search with another filter, also those older than the newest 5,001 matches",
    () =>
      Effect.gen(function* () {
        const lists = yield* TripListRepository
        const business = yield* newBusiness()
        yield* populate(business, 6000)
        const query: TripQuery = { words: searchedTripWords("all"), tripType: "event", order: "latest" }
        const found = yield* lists.page(business, query, { page: 1, perPage })
        assert.deepStrictEqual(
          [numbersOf(found), found.total, found.hasMore],
          [downFrom(early, perPage), early, true]
        )
      })
  )

  it.effect("are all returned by the cursors of a search with more matches than its page numbers reach", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness()
      yield* populate(business, trips, -1)
      const query: TripQuery = { words: searchedTripWords("half"), order: "latest" }
      assert.deepStrictEqual(yield* byCursor(business, query), downFrom(half, half))
    })
  )

  it.effect.each([
    ["than are collected", maxTripsMatched + 1],
    ["in a business so large that the index of words is not read", 4 * maxTripsMatched + 1]
  ] as const)("are tested like the trips of another filter for words that more trips have %s", ([, count]) =>
    Effect.gen(function* () {
      const lists = yield* TripListRepository
      const business = yield* newBusiness()
      yield* populate(business, count)
      const query: TripQuery = { words: searchedTripWords("all"), tripType: "event", order: "latest" }
      const first = yield* lists.page(business, query, { page: 1, perPage })
      assert.deepStrictEqual([first.items.length, first.total, first.hasMore], [0, undefined, true])
      assert.deepStrictEqual(yield* byCursor(business, query), downFrom(early, early))
      const rare: TripQuery = { words: searchedTripWords("early"), order: "latest" }
      assert.deepStrictEqual(yield* byCursor(business, rare), downFrom(early, early))
    })
  )

  it.effect("have another page only if a trip follows those that were tested", () =>
    Effect.gen(function* () {
      const lists = yield* TripListRepository
      for (const [count, hasMore] of [
        [maxTripsTested, false],
        [maxTripsTested + 1, true]
      ] as const) {
        const business = yield* newBusiness()
        yield* populate(business, count)
        const query: TripQuery = { driverStatus: "completed", order: "latest" }
        const page = yield* lists.page(business, query, { page: 1, perPage })
        assert.deepStrictEqual([page.items.length, page.hasMore], [0, hasMore], String(count))
      }
    })
  )

  it.effect(
    "are tested by pickup on as many trips at most, if the list is of the trips changed since an instant",
    () =>
      Effect.gen(function* () {
        const lists = yield* TripListRepository
        const business = yield* newBusiness()
        yield* populate(business)
        const last = DateTime.add(at("00:00:00"), { minutes: 10 * (trips - early + 1) })
        const query: TripQuery = {
          updatedSince: DateTime.makeUnsafe("2026-11-01Z"),
          from: last,
          order: "latest"
        }
        const first = yield* lists.page(business, query, { page: 1, perPage })
        assert.deepStrictEqual([first.items.length, first.hasMore], [0, true])
        assert.deepStrictEqual(yield* byCursor(business, query), downFrom(trips, early).toReversed())
      })
  )

  it.effect("are read by one statement for a page, so that no trip that changes meanwhile is skipped", () =>
    Effect.gen(function* () {
      const lists = yield* TripListRepository
      const business = yield* newBusiness()
      yield* populate(business)
      const queries: ReadonlyArray<Partial<TripQuery>> = [
        {},
        { tripType: "event" },
        { words: searchedTripWords("early") },
        { words: searchedTripWords("none") },
        { driverStatus: "completed", words: searchedTripWords("all") }
      ]
      for (const query of queries)
        for (const page of [1, 40]) {
          let statements = 0
          yield* lists.page(business, { order: "latest", ...query }, { page, perPage }).pipe(
            Effect.ignore,
            Effect.provideService(Statement.CurrentTransformer, (statement) =>
              Effect.sync(() => {
                statements += 1
                return statement
              })
            )
          )
          assert.strictEqual(statements, 1, JSON.stringify([query, page]))
        }
    })
  )
})
