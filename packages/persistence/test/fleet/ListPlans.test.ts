import { layer } from "@effect/vitest"
import {
  AbsenceRepository,
  CarRepository,
  CustomerRepository,
  DriverLocationRepository,
  DriverRepository,
  FreeDriverRepository,
  maxCount,
  MemberRepository,
  ProductRepository,
  searchedWords,
  type BusinessId
} from "@livery/domain"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { newDriver } from "../driving/StoredJobs.ts"
import { assertBounded } from "../sql/ListPlans.ts"
import { at, newBusiness, TestPersistence } from "../support/TestPersistence.ts"

/** How many records a rare value finds. They are the last ones. */
const rare = 10
const rows = maxCount + 2000
const page = { page: 1, perPage: 20 }

const analyzed = Effect.fnUntraced(function* (tables: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  for (const table of tables) yield* sql.unsafe(`VACUUM ANALYZE ${table}`).unprepared
})

/** Cars, drivers, products, customers and members of a business, all but {@link rare} of them active. */
const populate = Effect.fnUntraced(function* (business: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  const numbers = sql`generate_series(1, ${rows}::int) n`
  const isRare = sql.literal(`n > ${rows - rare}`)
  const name = sql.literal("lpad(n::text, 6, '0')")
  yield* sql`
    INSERT INTO cars (business_id, name, active, created_at, updated_at)
    SELECT ${business}, ${name}, NOT ${isRare}, now(), now() FROM ${numbers}`
  yield* sql`
    INSERT INTO drivers (business_id, name, active, created_at, updated_at)
    SELECT ${business}, ${name}, NOT ${isRare}, now(), now() FROM ${numbers}`
  yield* sql`
    INSERT INTO products (business_id, name, kind, price_minor, currency, duration_minutes, active, created_at, updated_at)
    SELECT ${business}, ${name}, 'tour', 100, 'CHF', 90, NOT ${isRare}, now(), now() FROM ${numbers}`
  yield* sql`
    INSERT INTO customers (business_id, name, search, created_at, updated_at)
    SELECT ${business}, ${name},
      array_to_tsvector(ARRAY[${business} || ':person', ${business} || CASE WHEN ${isRare} THEN ':rare' ELSE ':often' END]),
      now(), now()
    FROM ${numbers}`
  yield* sql`
    WITH made AS (
      INSERT INTO users (email, name, account_type, password_hash, created_at, updated_at)
      SELECT n || '.' || ${business}::bigint || '@example.com', ${name}, 'A', 'none', now(), now() FROM ${numbers}
      RETURNING user_id)
    INSERT INTO business_members (business_id, user_id, role, created_at)
    SELECT ${business}, user_id, 'viewer', now() FROM made`
})

/** Assigns trips of one hour to each driver of a business, the latest at that time and each other one five days before. */
const assignTrips = Effect.fnUntraced(function* (
  business: BusinessId,
  {
    isUnderWay = false,
    latest,
    trips
  }: { readonly trips: number; readonly latest: string; readonly isUnderWay?: boolean }
) {
  const sql = yield* SqlClient.SqlClient
  const [status, assignmentStatus] = isUnderWay ? ["in_progress", "en_route"] : ["confirmed", "assigned"]
  yield* sql`
    INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
      dropoff_address, customer_name, currency, created_at, updated_at)
    SELECT business_id, driver_id || '-' || n, ${status}, 'unpaid', 'transfer',
      ${latest}::timestamptz - n * interval '5 days', 'a', 'b', 'c', 'USD', now(), now()
    FROM drivers, generate_series(0, ${trips - 1}::int) n WHERE business_id = ${business}`
  yield* sql`
    INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at, en_route_at)
    SELECT business_id, trip_id, split_part(reference, '-', 1)::bigint, ${assignmentStatus}, trip_date,
      trip_date + interval '1 hour', now(), CASE WHEN ${isUnderWay}::boolean THEN now() END
    FROM trips WHERE business_id = ${business}`
})

layer(TestPersistence)("the lists of a large business", (it) => {
  it.effect(
    "read the records that a rare filter or search finds, and no more than the page of a common one",
    () =>
      Effect.gen(function* () {
        const business = yield* newBusiness()
        yield* populate(business)
        yield* populate(yield* newBusiness())
        yield* analyzed(["cars", "drivers", "products", "customers", "users", "business_members"])
        const { list: cars } = yield* CarRepository
        const { list: drivers } = yield* DriverRepository
        const { list: products } = yield* ProductRepository
        const { list: members } = yield* MemberRepository
        const { list: customers } = yield* CustomerRepository
        // A page and its total read each match once; a search tests 420 rows first.
        yield* assertBounded([
          ["inactive cars", cars(business, { active: false }, page), rare, 100],
          ["active cars", cars(business, { active: true }, page), 20, 1300],
          ["inactive drivers", drivers(business, { active: false }, page), rare, 100],
          ["active drivers", drivers(business, { active: true }, page), 20, 1300],
          ["inactive products", products(business, false, page), rare, 100],
          ["active products", products(business, true, page), 20, 1300],
          ["members", members(business, page), 20, 1300],
          ["customers by a rare word", customers(business, searchedWords("rare"), page), rare, 700],
          ["customers by a common word", customers(business, searchedWords("person"), page), 20, 3500]
        ])
      })
  )

  it.effect("the drivers who are free are looked up one by one until they fill the page", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness()
      yield* populate(business)
      // Each has a job on the day and one before, and was away the week before.
      yield* assignTrips(business, { trips: 2, latest: "2026-11-20 08:00:00Z" })
      yield* sql`
        INSERT INTO driver_absences (business_id, driver_id, kind, starts_at, ends_at, created_at)
        SELECT business_id, driver_id, 'vacation', '2026-11-10Z', '2026-11-17Z', now() FROM drivers WHERE business_id = ${business}`
      yield* analyzed(["drivers", "trips", "assignments", "driver_absences"])
      const { list } = yield* FreeDriverRepository
      const search = {
        window: { starts: at("10:00:00"), ends: at("11:00:00") },
        vehicleClass: null,
        near: null
      }
      yield* assertBounded([["free drivers", list(business, search, page), 20, 12_000]])
    })
  )

  it.effect("the absences after an instant are read from a year before it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness()
      const driver = yield* newDriver(business)
      yield* sql`
        INSERT INTO driver_absences (business_id, driver_id, kind, starts_at, ends_at, created_at)
        SELECT ${business}, ${driver}, 'off_shift', ${DateTime.toDateUtc(at("10:00:00"))}::timestamptz - n * interval '1 day',
          ${DateTime.toDateUtc(at("11:00:00"))}::timestamptz - n * interval '1 day', now()
        FROM generate_series(0, ${rows}::int) n`
      yield* analyzed(["driver_absences"])
      const { list } = yield* AbsenceRepository
      const from = DateTime.subtract(at("00:00:00"), { days: rare - 1 })
      yield* assertBounded([["absences", list(business, driver, { from }, page), rare, 2 * 400]])
    })
  )

  it.effect("the positions of more than 1,000 drivers are not counted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness()
      yield* populate(business)
      yield* assignTrips(business, { trips: 1, latest: "now", isUnderWay: true })
      yield* sql`
        INSERT INTO driver_positions (business_id, assignment_id, lat, lng, recorded_at, received_at)
        SELECT business_id, assignment_id, 47, 8, now(), now() FROM assignments WHERE business_id = ${business}`
      yield* analyzed(["drivers", "trips", "assignments", "driver_positions"])
      const { ofBusiness } = yield* DriverLocationRepository
      yield* assertBounded([["positions", ofBusiness(business, page), 20, 9000]])
    })
  )
})
