import {
  type BusinessId,
  CarId,
  DispatchBoardRepository,
  flightKey,
  type InvalidInput,
  maxTripsTested,
  searchedTripWords,
  type TripCriteria,
  TripListRepository,
  type TripQuery
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { newCustomer, newDriver } from "../fleet/Roster.ts"
import { at, newBusiness, TestPersistence } from "../support/TestPersistence.ts"
import { stepsOf } from "./Plans.ts"

const firstPage = { page: 1, perPage: 20 }

/** The number of trips that each of the filters below finds. */
const rare = 40

/**
 * Makes that many trips, one every ten minutes. Every trip has the word `zurich`; the first {@link rare} ones, in
 * descending order, have the word `rare`, another type, another driver, a car that is a van, a customer, a flight,
 * a group, and a later change.
 */
const populate = Effect.fnUntraced(function* (businessId: BusinessId, count: number) {
  const sql = yield* SqlClient.SqlClient
  const customerId = yield* newCustomer(businessId)
  const [often, seldom] = [yield* newDriver(businessId), yield* newDriver(businessId)]
  const cars = yield* sql<{ car_id: number }>`
    INSERT INTO cars (business_id, name, vehicle_class, created_at, updated_at)
    SELECT ${businessId}, 'Car', class, now(), now() FROM unnest(ARRAY['sedan', 'van']) class ORDER BY class
    RETURNING car_id`
  const [sedan = 0, van = 0] = cars.map(({ car_id }) => car_id)
  yield* sql`
    INSERT INTO trips (business_id, reference, status, driver_status, payment_status, trip_type, trip_date, pickup_address,
                       dropoff_address, customer_name, customer_id, car_id, flight_number, group_id, currency,
                       created_at, updated_at)
    SELECT ${businessId}, 'TR-' || n, 'confirmed', CASE WHEN n <= ${rare} THEN 'unassigned' ELSE 'assigned' END, 'paid',
           CASE WHEN n <= ${rare} THEN 'event' ELSE 'transfer' END,
           '2026-11-20 00:00:00Z'::timestamptz + n * interval '10 minutes', 'a', 'b', 'c',
           CASE WHEN n <= ${rare} THEN ${customerId}::bigint END,
           CASE WHEN n <= ${rare} THEN ${van}::bigint ELSE ${sedan}::bigint END,
           CASE WHEN n <= ${rare} THEN 'lx 318' END, CASE WHEN n <= ${rare} THEN 'wedding' END, 'USD', '2026-11-01Z',
           CASE WHEN n <= ${rare} THEN '2026-11-19Z' ELSE '2026-11-01Z' END::timestamptz
    FROM generate_series(1, ${count}::int) AS n`
  // Otherwise the checks of foreign keys would keep a plan for a nearly empty table.
  yield* sql`ANALYZE trips`.unprepared
  yield* sql`
    INSERT INTO trip_search (business_id, trip_id, search)
    SELECT business_id, trip_id, array_to_tsvector(ARRAY[
             business_id || ':zurich', business_id || ':' || lower(reference),
             business_id || CASE WHEN trip_type = 'event' THEN ':rare' ELSE ':often' END])
    FROM trips WHERE business_id = ${businessId}`
  yield* sql`
    INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at)
    SELECT business_id, trip_id,
           CASE WHEN trip_type = 'event' THEN ${seldom}::bigint ELSE ${often}::bigint END, 'assigned', trip_date,
           trip_date + interval '1 hour', now()
    FROM trips WHERE business_id = ${businessId}`
  return { customerId, often, seldom, sedan, van }
})

/** The filters that are tested trip by trip. */
const tested = new Set(["driver_status", "trip_type", "vehicle_class"])

/** The filters that find the {@link rare} trips. */
const rareOnes = ({
  customerId,
  seldom,
  van
}: Effect.Success<ReturnType<typeof populate>>): Readonly<Record<string, TripCriteria>> => ({
  search: { words: searchedTripWords("rare") },
  updated_since: { updatedSince: at("00:00:00").pipe(DateTime.subtract({ days: 1 })) },
  driver_id: { driverId: seldom },
  car_id: { carId: CarId.make(van) },
  customer_id: { customerId },
  driver_status: { driverStatus: "unassigned" },
  trip_type: { tripType: "event" },
  vehicle_class: { vehicleClass: "van" },
  flight_number: { flightKey: flightKey("LX 318") },
  group_id: { groupId: "wedding" }
})

/** The filters that find every other trip, and the search that finds all. */
const broadOnes = ({
  often,
  sedan
}: Effect.Success<ReturnType<typeof populate>>): Readonly<Record<string, TripCriteria>> => ({
  search: { words: searchedTripWords("zur") },
  "search of two words": { words: searchedTripWords("often zurich") },
  updated_since: { updatedSince: DateTime.makeUnsafe("2026-10-01T00:00:00Z") },
  driver_id: { driverId: often },
  car_id: { carId: CarId.make(sedan) },
  driver_status: { driverStatus: "assigned" },
  trip_type: { tripType: "transfer" },
  vehicle_class: { vehicleClass: "sedan" }
})

layer(TestPersistence, { excludeTestServices: true })("the filters of a large business", (it) => {
  it.effect("find few trips among many, on every page, with their total", () =>
    Effect.gen(function* () {
      const trips = yield* TripListRepository
      const boards = yield* DispatchBoardRepository
      const business = yield* newBusiness()
      yield* populate(yield* newBusiness(), 100)
      const made = yield* populate(business, 1500)
      for (const [name, criteria] of Object.entries(rareOnes(made))) {
        const query: TripQuery = { ...criteria, order: "latest" }
        const first = yield* trips.page(business, query, { page: 1, perPage: 15 })
        const third = yield* trips.page(business, query, { page: 3, perPage: 15 })
        const total = tested.has(name) ? undefined : rare
        assert.deepStrictEqual([first.items.length, first.total, first.hasMore], [15, total, true], name)
        assert.deepStrictEqual([third.items.length, third.total, third.hasMore], [10, total, false], name)
        const second = Option.getOrThrow(yield* trips.after(business, query, first.nextCursor ?? "", 15))
        const references = [first, second, third].flatMap(({ items }) =>
          items.map(({ reference }) => reference)
        )
        const latestFirst = Array.from({ length: rare }, (_, index) => `TR-${rare - index}`)
        const expected = criteria.updatedSince === undefined ? latestFirst : latestFirst.toReversed()
        assert.deepStrictEqual(references, expected, name)
        const window = { from: at("00:00:00"), before: DateTime.add(at("00:00:00"), { days: 30 }) }
        const board = yield* boards.jobs(business, { ...criteria, ...window }, { page: 2, perPage: 30 })
        assert.deepStrictEqual([board.items.length, board.total, board.hasMore], [10, rare, false], name)
        const none = { ...criteria, status: "completed" } as const
        assert.isEmpty((yield* trips.page(business, { ...none, order: "soonest" }, firstPage)).items)
      }
      const all = { words: searchedTripWords("zurich"), order: "soonest" } as const
      const broad = yield* trips.page(business, all, firstPage)
      assert.deepStrictEqual([broad.items.length, broad.total, broad.hasMore], [20, undefined, true])
    })
  )

  it.effect.each([
    ["few trips", rareOnes],
    ["nearly all trips", broadOnes]
  ] as const)("read a range of an index to find %s, with generic and custom plans", ([, filtersOf]) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const trips = yield* TripListRepository
      const boards = yield* DispatchBoardRepository
      const business = yield* newBusiness()
      const made = yield* populate(business, 6000)
      for (let index = 0; index < 5; index++) yield* populate(yield* newBusiness(), 300)
      yield* sql`VACUUM ANALYZE trips`.unprepared
      yield* sql`VACUUM ANALYZE assignments`.unprepared
      yield* sql`VACUUM ANALYZE trip_search`.unprepared
      const day = { from: at("00:00:00"), before: at("23:00:00") }
      const asked = Object.entries<TripCriteria>(filtersOf(made)).flatMap(([name, criteria]) => {
        const query = { ...criteria, order: "latest" } as const
        return [
          [name, trips.page(business, query, firstPage), maxTripsTested + 1],
          [`${name}, on the board`, boards.jobs(business, { ...criteria, ...day }, firstPage), 1500]
        ] as const
      })
      for (const [name, read, atMost] of asked)
        for (const planned of ["force_custom_plan", "force_generic_plan"] as const) {
          const steps = yield* stepsOf<unknown, InvalidInput, never>(read, planned)
          const shown = JSON.stringify({
            name,
            planned,
            steps: steps.map((step) => [
              step["Node Type"],
              step["Index Name"],
              step["Actual Rows"],
              step["Actual Loops"],
              step["Rows Removed by Filter"]
            ])
          })
          assert.isNotEmpty(steps)
          for (const step of steps) {
            assert.notMatch(step["Node Type"], /Seq Scan|Hash Join/u, shown)
            if (step["Relation Name"] === undefined) continue
            const rows = step["Actual Rows"] + (step["Rows Removed by Filter"] ?? 0)
            assert.isAtMost(rows * step["Actual Loops"], atMost, shown)
          }
        }
    })
  )
})
