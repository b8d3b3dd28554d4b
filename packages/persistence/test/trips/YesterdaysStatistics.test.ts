import { assert, layer } from "@effect/vitest"
import {
  ApiKeyRepository,
  AssignmentRepository,
  CarId,
  DispatchBoardRepository,
  DriverId,
  DriverTokenRepository,
  DriverTripRepository,
  searchedTripWords,
  SessionRepository,
  TrackingRepository,
  type TripCriteria,
  TripListRepository,
  TripRepository
} from "@livery/domain"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { newJob } from "../driving/StoredJobs.ts"
import { at, newBusiness, newUser, TestPersistence, unique } from "../support/TestPersistence.ts"
import { type Step, stepsOf } from "./Plans.ts"

const now = at("10:00:00")
const tables = [
  "businesses",
  "users",
  "session_families",
  "refresh_tokens",
  "api_keys",
  "drivers",
  "trips",
  "trip_search",
  "assignments",
  "tracking_links"
]

/** The number of rows that the steps of a plan read from tables, with those that a filter removed. */
const rowsRead = (steps: ReadonlyArray<Step>) =>
  steps
    .filter((step) => step["Relation Name"] !== undefined)
    .map((step) => (step["Actual Rows"] + (step["Rows Removed by Filter"] ?? 0)) * step["Actual Loops"])
    .reduce((sum, rows) => sum + rows, 0)

/** A busy day of a business. PostgreSQL has analyzed the tables before, when every job had ended. */
const busyDay = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const table of tables) yield* sql.unsafe(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`)
  const business = yield* newBusiness()
  for (let job = 0; job < 20; job++) yield* newJob(business, { status: "completed" })
  for (const table of tables) yield* sql.unsafe(`ANALYZE ${table}`).unprepared
  const userId = yield* newUser
  yield* sql`
    INSERT INTO drivers (business_id, name, created_at, updated_at)
    SELECT ${business}, 'Joan ' || n, now(), now() FROM generate_series(1, 4000) n`
  yield* sql`
    INSERT INTO trips (business_id, reference, status, driver_status, payment_status, trip_type, trip_date, pickup_address,
                       dropoff_address, customer_name, currency, created_at, updated_at)
    SELECT ${business}, 'BUSY-' || n, 'confirmed', 'assigned', 'unpaid', 'transfer',
           ${DateTime.toDateUtc(now)}::timestamptz + n * interval '20 seconds', 'a', 'b', 'c', 'USD', now(), now()
    FROM generate_series(1, 4000) n`
  yield* sql`
    INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, token_hash, created_at)
    SELECT t.business_id, t.trip_id, d.driver_id, 'assigned', t.trip_date, t.trip_date + interval '1 hour',
           'token ' || t.trip_id, now()
    FROM (SELECT *, row_number() OVER (ORDER BY trip_id) AS n FROM trips WHERE reference LIKE 'BUSY-%') t
    JOIN (SELECT *, row_number() OVER (ORDER BY driver_id) AS n FROM drivers WHERE name LIKE 'Joan %'
          AND business_id = ${business} AND user_id IS NULL) d ON d.n = t.n`
  yield* sql`
    INSERT INTO tracking_links (business_id, trip_id, token_hash, created_at)
    SELECT business_id, trip_id, 'link ' || trip_id, now() FROM trips WHERE reference LIKE 'BUSY-%'`
  yield* sql`
    INSERT INTO trip_search (business_id, trip_id, search)
    SELECT business_id, trip_id, array_to_tsvector(ARRAY[business_id || ':busy', business_id || ':' || lower(reference)])
    FROM trips WHERE reference LIKE 'BUSY-%'`
  const [last] = yield* sql<{ trip_id: number; driver_id: number }>`
    SELECT trip_id, driver_id FROM assignments WHERE business_id = ${business} ORDER BY trip_id DESC LIMIT 1`
  const keys = yield* ApiKeyRepository
  const keyHash = unique("key")
  yield* keys.insert(business, { keyHash, maskedKey: "lvk_…", createdBy: userId, createdAt: now })
  const sessions = yield* SessionRepository
  const refreshTokenHash = unique("refresh")
  const expiresAt = DateTime.add(now, { days: 30 })
  const sessionId = yield* sessions.open({
    userId,
    deviceName: null,
    refreshTokenHash,
    refreshTokenExpiresAt: expiresAt,
    now,
    expiresAt
  })
  const ended = yield* newJob(business, { tokenHash: "ended" })
  const assignments = yield* AssignmentRepository
  yield* assignments.setStatus(business, [ended.assignmentId], { status: "completed", by: "driver", now })
  const job = yield* newJob(business, { tokenHash: "held" })
  return { business, ended, job, keyHash, last, refreshTokenHash, sessionId }
})

layer(TestPersistence)("a busy day with outdated statistics", (it) => {
  it.effect("reads few rows in every statement of the request path, with generic and custom plans", () =>
    Effect.gen(function* () {
      const { business, job, keyHash, last, refreshTokenHash, sessionId } = yield* busyDay
      const { driverId, tripId, assignmentId } = job
      const tokens = yield* DriverTokenRepository
      const keys = yield* ApiKeyRepository
      const sessions = yield* SessionRepository
      const trips = yield* TripRepository
      const tripList = yield* TripListRepository
      const assignments = yield* AssignmentRepository
      const driverTrips = yield* DriverTripRepository
      const tracking = yield* TrackingRepository
      const starts = at("00:00:00")
      const firstPage = { page: 1, perPage: 20 }
      const board = yield* DispatchBoardRepository
      const hour = { from: at("10:00:00"), before: at("10:30:00") }
      const listOf = (criteria: TripCriteria) =>
        tripList.page(business, { ...criteria, order: "latest" }, firstPage)
      const boardOf = (criteria: TripCriteria) => board.jobs(business, { ...criteria, ...hour }, firstPage)
      // A table of four thousand rows may be scanned: for the page, the total, and the end of the tested trips.
      const tested = 5 * 4100
      const rare = { words: searchedTripWords("busy-7") }
      const theirs = { driverId: DriverId.make(last?.driver_id ?? 0) }
      const reads: ReadonlyArray<readonly [string, Effect.Effect<unknown, unknown>, number]> = [
        ["a driver's token", tokens.find(business, "held"), 10],
        ["the token of another", tokens.find(business, `token ${tripId - 100}`), 10],
        ["an unknown token", tokens.find(business, "unknown"), 10],
        ["an ended token", tokens.findEnded(business, "ended"), 10],
        ["an API key", keys.businessOf(keyHash), 10],
        ["a session", sessions.findActive(sessionId, now), 10],
        ["a refresh token", sessions.lockByToken(refreshTokenHash), 10],
        ["a trip", trips.find(business, tripId), 20],
        ["a trip that is locked", trips.lock(business, tripId), 20],
        ["the first trips", tripList.page(business, { order: "soonest" }, firstPage), tested],
        ["the trips of a driver", listOf(theirs), tested],
        ["the trips of an unknown car", listOf({ carId: CarId.make(1) }), tested],
        ["the trips of a type", listOf({ tripType: "transfer" }), tested],
        ["the trips of no type", listOf({ tripType: "event" }), tested],
        ["the trips without a driver", listOf({ driverStatus: "unassigned" }), tested],
        ["the trips of a flight", listOf({ flightKey: "LX318" }), tested],
        ["the trips of a class", listOf({ vehicleClass: "van" }), tested],
        ["a reference", listOf({ reference: "BUSY-77" }), tested],
        ["a search for all trips", listOf({ words: searchedTripWords("busy") }), tested],
        ["a search for one trip", listOf(rare), tested],
        ["the trips that were changed", listOf({ updatedSince: DateTime.add(now, { days: 9000 }) }), tested],
        ["the board", boardOf({}), 2000],
        ["a driver's trips on the board", boardOf(theirs), 2000],
        ["a search on the board", boardOf(rare), 2000],
        ["an assignment", assignments.find(business, assignmentId), 10],
        ["a driver's last assignment", assignments.findLast(business, tripId, driverId), 10],
        ["a driver's open trips", assignments.openTrips(business, driverId), 10],
        ["a driver's trip", driverTrips.find(business, driverId, tripId), 20],
        ["a driver's trips", driverTrips.list(business, driverId, { now, order: "soonest" }, firstPage), 50],
        ["a driver's day", driverTrips.day(business, driverId, { now, starts, ends: at("23:59:59") }), 50],
        ["a followed trip", tracking.find(business, [tripId]), 20]
      ]
      for (const [name, read, atMost] of reads)
        for (const planned of ["force_custom_plan", "force_generic_plan"] as const) {
          const steps = yield* stepsOf<unknown, unknown, never>(read, planned)
          assert.isNotEmpty(steps)
          const shown = steps.map((step) => [step["Node Type"], step["Index Name"], step["Actual Rows"]])
          assert.isAtMost(rowsRead(steps), atMost, `${name}, ${planned}: ${JSON.stringify(shown)}`)
        }
    })
  )
})
