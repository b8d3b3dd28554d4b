import {
  type BusinessId,
  maxCount,
  maxTripsTested,
  searchedTripWords,
  TripListRepository,
  type TripQuery
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { at, newBusiness, TestPersistence } from "../support/TestPersistence.ts"
import { stepsOf } from "./Plans.ts"

const firstPage = { page: 1, perPage: 20 }

/** The number of unpaid trips. */
const unpaid = 600

/**
 * Trips of which more than an index of words is read for at once have the word `zurich`, and the paid ones `north`. The
 * first {@link unpaid} ones, which the latest first has last, are not paid for; ten of these have the word `north` too.
 * Thirty of them, and as many that are paid, were changed lately. Eight hundred paid ones have the word `south`, none of which a sample has.
 */
const populate = Effect.fnUntraced(function* (businessId: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
                       dropoff_address, customer_name, currency, created_at, updated_at)
    SELECT ${businessId}, 'TR-' || n, 'confirmed', CASE WHEN n <= ${unpaid} THEN 'unpaid' ELSE 'paid' END, 'transfer',
           '2026-11-20 00:00:00Z'::timestamptz + n * interval '10 minutes', 'a', 'b', 'c', 'USD', '2026-11-01Z',
           CASE WHEN n % 20 = 0 AND n <= ${2 * unpaid} THEN '2026-11-19Z' ELSE '2026-11-01Z' END::timestamptz
    FROM generate_series(1, ${maxCount + 2 * unpaid}::int) AS n`
  yield* sql`
    INSERT INTO trip_search (business_id, trip_id, search)
    SELECT business_id, trip_id, array_to_tsvector(
             CASE WHEN substr(reference, 4)::int BETWEEN 3101 AND 3900
                  THEN ARRAY[business_id || ':zurich', business_id || ':north', business_id || ':south']
                  WHEN payment_status = 'paid' OR substr(reference, 4)::int <= 10
                  THEN ARRAY[business_id || ':zurich', business_id || ':north']
                  WHEN substr(reference, 4)::int <= 20 THEN ARRAY[business_id || ':zurich', business_id || ':west']
                  ELSE ARRAY[business_id || ':zurich'] END)
    FROM trips WHERE business_id = ${businessId}`
})

const common = searchedTripWords("north")
const changed = { updatedSince: DateTime.subtract(at("00:00:00"), { days: 1 }) }

/** The searches, each with its total and the references of its first page. */
const searches: ReadonlyArray<
  readonly [string, Omit<TripQuery, "order">, number, (index: number) => number]
> = [
  ["unpaid", { words: common, paymentStatus: "unpaid" }, 10, (index) => 10 - index],
  ["changed lately", { words: common, ...changed }, 30, (index) => 2 * unpaid - 20 * index],
  [
    "changed lately and unpaid",
    { words: searchedTripWords("zurich"), ...changed, paymentStatus: "unpaid" },
    30,
    (index) => unpaid - 20 * index
  ]
]

layer(TestPersistence, { excludeTestServices: true })("a search by a word that most trips have", (it) => {
  it.effect("reads the few trips that its other filters find, with generic and custom plans", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const trips = yield* TripListRepository
      const business = yield* newBusiness()
      yield* populate(business)
      for (const table of ["trips", "trip_search"]) yield* sql.unsafe(`VACUUM ANALYZE ${table}`).unprepared
      for (const [name, criteria, total, numberAt] of searches) {
        const query: TripQuery = { ...criteria, order: "latest" }
        const page = yield* trips.page(business, query, firstPage)
        assert.deepStrictEqual(
          [page.total, page.items.map(({ reference }) => reference)],
          [total, Array.from({ length: Math.min(20, total) }, (_, index) => `TR-${numberAt(index)}`)],
          name
        )
        for (const planned of ["force_custom_plan", "force_generic_plan"] as const) {
          const steps = yield* stepsOf(trips.page(business, query, firstPage), planned)
          const shown = JSON.stringify({
            name,
            planned,
            steps: steps.map((step) => [
              step["Node Type"],
              step["Index Name"],
              step["Actual Rows"],
              step["Actual Loops"]
            ])
          })
          // The index of words is read up to the largest total. Trips are looked up one by one for the small index alone.
          for (const step of steps) {
            assert.notMatch(step["Node Type"], /Seq Scan|Hash Join/u, shown)
            const rows = (step["Actual Rows"] + (step["Rows Removed by Filter"] ?? 0)) * step["Actual Loops"]
            if (step["Relation Name"] === "trips") assert.isAtMost(rows, 2 * unpaid, shown)
            else if (step["Node Type"] !== "Bitmap Index Scan") assert.isAtMost(rows, maxCount + 1, shown)
          }
        }
      }
    })
  )

  it.effect(
    "reads the index by the words that few trips have, unless a filter leaves few trips to test",
    () =>
      Effect.gen(function* () {
        const trips = yield* TripListRepository
        const business = yield* newBusiness()
        yield* populate(business)
        const before = DateTime.add(at("00:00:00"), { days: 1 })
        const status = "confirmed"
        const lists: ReadonlyArray<readonly [string, string, Partial<TripQuery>, number, number, boolean]> = [
          ["a word of few trips", "west", {}, 10, 10, false],
          ["a word of few trips, in a list that is filtered and long", "west", { status }, 10, 10, false],
          ["a word of few trips, in a list that is filtered and short", "west", { before }, 10, 0, true],
          ["a word of 800 trips, which seems rare", "south", {}, 10, 800, false],
          [
            "a word of 800 trips, which seems rare, in a list that is filtered",
            "south",
            { status },
            10,
            800,
            true
          ],
          ["a word of most trips", "north", {}, 10, 0, true],
          ["two words of most trips", "north zurich", {}, 10, 0, true],
          ["a word of few trips, which have the other word too", "zurich west", {}, 10, 10, false],
          ["a word of few trips, which do not have the other word", "north west", {}, 0, 10, false]
        ]
        for (const [name, word, filters, items, indexed, isTested] of lists)
          for (const planned of ["force_custom_plan", "force_generic_plan"] as const) {
            const query: TripQuery = { words: searchedTripWords(word), order: "latest", ...filters }
            const page = trips.page(business, query, { page: 1, perPage: 10 }, false)
            assert.lengthOf((yield* page).items, items, name)
            const steps = yield* stepsOf(page, planned)
            const entries = steps
              .filter((step) => step["Index Name"] === "trip_search_by_word")
              .map((step) => step["Actual Rows"] * step["Actual Loops"])
            assert.strictEqual(Math.max(0, ...entries), indexed, `${name}, ${planned}`)
            // The trips of the list that are tested one by one for the words, and one more.
            const tested = steps
              .filter((step) => step["Subplan Name"] === "CTE first_trips")
              .map((step) => step["Actual Rows"] * step["Actual Loops"])
            assert.strictEqual(tested.length > 0, isTested, `${name}, ${planned}`)
            assert.isAtMost(Math.max(0, ...tested), maxTripsTested + 1, `${name}, ${planned}`)
          }
      })
  )
})
