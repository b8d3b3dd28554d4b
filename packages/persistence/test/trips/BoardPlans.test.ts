import { assert, layer } from "@effect/vitest"
import { type BoardQuery, type BusinessId, DispatchBoardRepository } from "@livery/domain"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { newDriver } from "../fleet/Roster.ts"
import { at, newBusiness, TestPersistence } from "../support/TestPersistence.ts"
import { flat, handled, plansOf, stepsOf } from "./Plans.ts"

const noon = at("12:00:00")
const wholeDay: BoardQuery = { from: at("00:00:00"), before: DateTime.add(at("00:00:00"), { days: 1 }) }
const jobsOfDay = 30

/** A day with jobs of one driver each a quarter of an hour after the one before. */
const busyDay = Effect.fnUntraced(function* (business: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  const driverId = yield* newDriver(business)
  yield* sql`
    INSERT INTO trips (business_id, reference, status, driver_status, payment_status, trip_type, trip_date,
      pickup_address, dropoff_address, customer_name, currency, created_at, updated_at)
    SELECT ${business}, 'TR-' || n, 'confirmed', 'assigned', 'unpaid', 'transfer',
      ${DateTime.toDateUtc(noon)}::timestamptz + n * interval '15 minutes', 'a', 'b', 'c', 'USD', now(), now()
    FROM generate_series(1, ${jobsOfDay}::int) n`
  yield* sql`
    INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at)
    SELECT business_id, trip_id, ${driverId}, 'assigned', trip_date, trip_date + interval '1 hour', now()
    FROM trips WHERE business_id = ${business}`
})

const analyze = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const table of ["trips", "assignments", "cars", "drivers"])
    yield* sql.unsafe(`VACUUM ANALYZE ${table}`).unprepared
})

layer(TestPersistence, { excludeTestServices: true })("the statements of a board", (it) => {
  it.effect("a session plans the statement of the jobs a few times, for any business, filter and page", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const boards = yield* DispatchBoardRepository
      const businesses = [yield* newBusiness(), yield* newBusiness()]
      for (const business of businesses) yield* busyDay(business)
      yield* analyze
      const queries: ReadonlyArray<BoardQuery> = [
        wholeDay,
        { ...wholeDay, now: noon },
        { ...wholeDay, status: "confirmed" },
        { ...wholeDay, tripType: "transfer", updatedSince: wholeDay.from }
      ]
      // One transaction has one session.
      const statements = yield* sql.withTransaction(
        Effect.gen(function* () {
          for (const query of queries)
            for (const page of [1, 2])
              for (const business of businesses) {
                const { items } = yield* boards.jobs(business, query, { page, perPage: 10 })
                assert.lengthOf(items, 10)
              }
          return yield* sql<{ custom: number; generic: number }>`
            SELECT custom_plans::int AS custom, generic_plans::int AS generic FROM pg_prepared_statements
            WHERE statement LIKE '%neighbours%'`.unprepared
        })
      )
      // The first execution may not be prepared. Five plans for particular values are compared with the plan for all.
      assert.lengthOf(statements, 1)
      const [{ custom, generic } = { custom: Infinity, generic: 0 }] = statements
      assert.isAtMost(custom, 5)
      assert.isAtLeast(generic, 4 * queries.length - 6)
    })
  )

  it.effect("the jobs of a board are read once for the page and the total", () =>
    Effect.gen(function* () {
      const boards = yield* DispatchBoardRepository
      const business = yield* newBusiness()
      yield* busyDay(business)
      yield* analyze
      /** How many scans of trips the statement of a page's ids executes. */
      const scansOf = Effect.fnUntraced(function* (perPage: number) {
        const jobs = boards.jobs(business, { ...wholeDay, now: noon }, { page: 1, perPage })
        const { hasMore, items, total } = yield* jobs
        assert.deepStrictEqual([items.length, hasMore, total], [perPage, perPage < jobsOfDay, jobsOfDay])
        const [ofIds] = yield* plansOf(jobs, "force_custom_plan")
        assert.isDefined(ofIds)
        return flat(ofIds).filter((step) => step["Relation Name"] === "trips" && step["Actual Loops"] > 0)
          .length
      })
      const ofPage = yield* scansOf(jobsOfDay)
      assert.isAbove(ofPage, 0)
      assert.strictEqual(yield* scansOf(jobsOfDay - 1), ofPage)
    })
  )

  it.effect("the clashes of a driver are found without reading their thousands of other jobs", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const boards = yield* DispatchBoardRepository
      const business = yield* newBusiness()
      yield* busyDay(business)
      yield* sql`
        INSERT INTO trips (business_id, reference, status, driver_status, payment_status, trip_type, trip_date,
          pickup_address, dropoff_address, customer_name, currency, created_at, updated_at)
        SELECT ${business}, 'PAST-' || n, 'confirmed', 'assigned', 'unpaid', 'transfer',
          ${DateTime.toDateUtc(noon)}::timestamptz - n * interval '2 hours', 'a', 'b', 'c', 'USD', now(), now()
        FROM generate_series(12, 3011) n`
      yield* sql`
        INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at)
        SELECT business_id, trip_id, (SELECT max(driver_id) FROM drivers WHERE business_id = ${business}), 'assigned', trip_date,
          trip_date + interval '1 hour', now()
        FROM trips WHERE business_id = ${business} AND reference LIKE 'PAST-%'`
      yield* analyze
      const steps = yield* stepsOf(
        boards.jobs(business, wholeDay, { page: 1, perPage: jobsOfDay }),
        "force_generic_plan"
      )
      // A job has up to ten others within a day of it, which four scans read.
      assert.isBelow(handled(steps), 200 * jobsOfDay)
    })
  )

  it.effect("the absences of a driver are found without reading those of the year before", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const boards = yield* DispatchBoardRepository
      const business = yield* newBusiness()
      yield* busyDay(business)
      const board = boards.jobs(business, wholeDay, { page: 1, perPage: jobsOfDay })
      yield* analyze
      const without = handled(yield* stepsOf(board, "force_generic_plan"))
      yield* sql`
        INSERT INTO driver_absences (business_id, driver_id, kind, starts_at, ends_at, created_at)
        SELECT ${business}, (SELECT max(driver_id) FROM drivers WHERE business_id = ${business}), 'off_shift',
          ${DateTime.toDateUtc(noon)}::timestamptz + n * interval '1 day',
          ${DateTime.toDateUtc(noon)}::timestamptz + n * interval '1 day' + interval '1 hour', now()
        FROM generate_series(-730, 730) n`
      yield* sql`VACUUM ANALYZE driver_absences`.unprepared
      const { items } = yield* board
      assert.lengthOf(
        items.filter(({ drivers }) => drivers.some(({ absence_ids }) => absence_ids.length > 0)),
        3
      )
      const steps = yield* stepsOf(board, "force_generic_plan")
      assert.isAtMost(handled(steps), without + 5 * jobsOfDay)
    })
  )
})
